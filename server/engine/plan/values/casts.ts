/**
 * Computes CAST(x AS …) for the five target classes. White space at the start of a text is skipped, and trailing text is ignored.
 */
import { fail } from './failure.ts';
import { leadingInteger, leadingNumber } from './numbers.ts';
import { toBytes, toText } from './text.ts';
import type { SqlValue } from './value.ts';

export type CastTarget = 'text' | 'integer' | 'real' | 'numeric' | 'blob';

type NotNull = Exclude<SqlValue, null>;

const casts: Record<CastTarget, (value: NotNull) => SqlValue> = {
  text: toText,
  integer: castToInteger,
  real: (value) => Number(toNumeric(value)),
  numeric: toNumeric,
  blob: toBytes,
};

export function builtInCast(target: CastTarget): (value: SqlValue) => SqlValue {
  const convert = casts[target];
  return (value) => (value === null ? null : convert(value));
}

export function castToInteger(value: NotNull): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'number') return leadingInteger(toText(value));
  // The value is rounded down like in the reference: -1.5 becomes -2 (SQLite: -1). NaN and infinities cannot be integers.
  return Number.isFinite(value) ? BigInt(Math.floor(value)) : fail('value-too-large');
}

function toNumeric(value: NotNull): bigint | number {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return leadingNumber(toText(value));
}
