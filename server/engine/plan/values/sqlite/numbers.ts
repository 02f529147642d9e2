/** Numbers and texts as in SQLite 3.5x: 64-bit INTEGERs, and REALs whose text has a decimal point. */
import { leadingInteger, leadingNumber } from '../numbers.ts';
import { toText as builtInText } from '../text.ts';
import type { SqlValue } from '../value.ts';

type NotNull = Exclude<SqlValue, null>;

const leastInteger = -(2n ** 63n);
const greatestInteger = 2n ** 63n - 1n;

/** Returns an INTEGER, or a REAL if the value needs more than 64 bits. */
export function integerOrReal(value: bigint): bigint | number {
  return value < leastInteger || value > greatestInteger ? Number(value) : value;
}

/** Converts NaN to NULL, because SQLite has no NaN. */
export function realOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

export function sqliteText(value: NotNull): string {
  return typeof value === 'number' ? realToText(value) : builtInText(value);
}

/**
 * Writes `1.0`, `1.0e+17`, `1.5e-07` or `Inf`: the shortest text that reads back as the same number. The number of digits that
 * SQLite writes depends on its version.
 */
function realToText(value: number): string {
  if (!Number.isFinite(value)) return value < 0 ? '-Inf' : 'Inf';
  if (value === 0) return '0.0';
  const [, sign = '', first = '', rest = '', exponent = ''] =
    /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(value.toExponential()) ?? [];
  const power = Number(exponent);
  if (power < -4 || power > 16) {
    const digits = String(Math.abs(power)).padStart(2, '0');
    return `${sign}${first}.${rest || '0'}e${power < 0 ? '-' : '+'}${digits}`;
  }
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${first}${rest}`;
  if (Number.isInteger(value)) return `${BigInt(value)}.0`;
  const whole = `${first}${rest}`.padEnd(power + 1, '0');
  return `${sign}${whole.slice(0, power + 1)}.${whole.slice(power + 1) || '0'}`;
}

/** Returns the number that arithmetic uses for a value. */
export function toNumber(value: NotNull): bigint | number {
  if (typeof value === 'number') return value;
  const number = typeof value === 'bigint' ? value : leadingNumber(sqliteText(value));
  return typeof number === 'bigint' ? integerOrReal(number) : number;
}

/** Truncates toward zero and limits the result to 64 bits. */
export function toInteger(value: NotNull): bigint {
  if (typeof value === 'number')
    return Number.isFinite(value) ? clamp(BigInt(Math.trunc(value))) : clampInfinity(value);
  return clamp(typeof value === 'bigint' ? value : leadingInteger(sqliteText(value)));
}

/** Converts a text that is entirely a number, as in a comparison with a number column. */
export function withNumericAffinity(value: SqlValue): SqlValue {
  if (typeof value !== 'string' || !/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(value))
    return value;
  return toNumericCast(value);
}

/** Computes CAST(x AS NUMERIC). A text becomes an INTEGER if that loses nothing, and a REAL stays REAL. */
export function toNumericCast(value: NotNull): bigint | number {
  const number = toNumber(value);
  if (typeof value === 'number' || typeof number === 'bigint') return number;
  return Number.isSafeInteger(number) ? BigInt(number) : number;
}

function clamp(value: bigint): bigint {
  if (value < leastInteger) return leastInteger;
  return value > greatestInteger ? greatestInteger : value;
}

function clampInfinity(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  return value < 0 ? leastInteger : greatestInteger;
}
