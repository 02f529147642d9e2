/** Creates values below, between and above constants, in SQLite's order: numbers come before text. */
import type { Scalar } from './classes.ts';

/** @param count the number of values in each gap, if it has room for them */
export function pointsAround(constants: readonly Scalar[], count: number): readonly Scalar[] {
  const numbers = constants.filter((each) => typeof each === 'bigint' || typeof each === 'number');
  const texts = constants.filter((each) => typeof each === 'string');
  return [...numbersAround(inOrder(numbers), count), ...textsAround(inOrder(texts), count)];
}

function inOrder<T extends number | bigint | string>(values: readonly T[]): readonly T[] {
  return [...new Set(values)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

type Numeric = number | bigint;

function numbersAround(numbers: readonly Numeric[], count: number): readonly Numeric[] {
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (first === undefined || last === undefined) return [];
  const steps = Array.from({ length: count }, (_, index) => index + 1);
  const around = steps.flatMap((step) => [minus(first, step), minus(last, -step)]);
  const between = numbers.slice(1).flatMap((high, index) => {
    const low = numbers[index] ?? high;
    const whole = steps.map((step) => minus(low, -step)).filter((each) => each < high);
    const width = Number(high) - Number(low);
    const parts = steps
      .map((step) => Number(low) + (width * step) / (count + 1))
      .filter((each) => each > low && each < high);
    return whole.length < count ? [...whole, ...parts] : whole;
  });
  return [...around, ...between];
}

function minus(value: Numeric, step: number): Numeric {
  return typeof value === 'bigint' ? value - BigInt(step) : value - step;
}

function textsAround(texts: readonly string[], count: number): readonly string[] {
  if (texts.length === 0) return [];
  const gaps = [undefined, ...texts].map((low, index) => [low, texts[index]] as const);
  return gaps.flatMap(([low, high]) => {
    // Dates come first, because a column of dates contains nothing else.
    const tried = new Set([
      ...(low === undefined ? [] : datesAround(low, count)),
      ...(high === undefined ? [] : datesAround(high, -count)),
      ...textsAfter(low),
    ]);
    return [...tried]
      .filter((each) => (low === undefined || each > low) && (high === undefined || each < high))
      .slice(0, count + 1);
  });
}

/** Returns texts after `low`, simplest first. */
function textsAfter(low: string | undefined): readonly string[] {
  const added = ['a', 'b', 'c', '0', '1', ' ', '!', '!!', '\u0001', '\u0001\u0001', '\u0001\u0001\u0001'];
  return [...(low === undefined ? [''] : []), ...added.map((each) => (low ?? '') + each)];
}

const dayLength = 86_400_000;

/** Returns texts with the date at their beginning moved by some days. The rest of the text is unchanged. */
function datesAround(text: string, days: number): readonly string[] {
  const [date] = /^\d{4}-\d\d-\d\d/.exec(text) ?? [];
  const time = date === undefined ? Number.NaN : Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(time)) return [];
  const sign = Math.sign(days);
  return Array.from({ length: Math.abs(days) }, (_, index) => {
    const shifted = new Date(time + sign * (index + 1) * dayLength).toISOString().slice(0, 10);
    return shifted + text.slice(10);
  });
}
