/** A sample of a growing number. This file forecasts when such a number reaches a limit. */
export interface TrendPoint {
  /** The time in milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
}

const day = 24 * 60 * 60_000;
/** The shortest time span of samples that allows a forecast. */
const leastSpan = day / 4;
/** The longest time for a forecast. A limit that is further away does not need a warning. */
const furthest = 90 * day;

/** Returns a sentence, or undefined if there is no forecast or no limit is near. */
export function growthOf(samples: readonly TrendPoint[], limit: number): string | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || last.at - first.at < leastSpan) return undefined;
  const slope = slopeOf(samples);
  if (slope <= 0 || last.value >= limit) return undefined;
  const left = (limit - last.value) / slope;
  return left > furthest
    ? undefined
    : `At the current growth, it reaches ${limit.toLocaleString('en')} in about ${inWords(left)}.`;
}

/** The slope of the best-fitting line, per millisecond. */
function slopeOf(samples: readonly TrendPoint[]): number {
  const [{ at: begin }] = samples as readonly [TrendPoint];
  const count = samples.length;
  const meanAt = samples.reduce((sum, { at }) => sum + at - begin, 0) / count;
  const meanValue = samples.reduce((sum, { value }) => sum + value, 0) / count;
  let both = 0;
  let square = 0;
  for (const { at, value } of samples) {
    const distance = at - begin - meanAt;
    both += distance * (value - meanValue);
    square += distance * distance;
  }
  return square === 0 ? 0 : both / square;
}

function inWords(milliseconds: number): string {
  const days = milliseconds / day;
  if (days < 1.5) return 'a day';
  // Ten days and a half are a week and a half, which is rounded to two weeks.
  if (days < 10.5) return `${Math.round(days)} days`;
  return `${Math.round(days / 7)} weeks`;
}
