/** CAST(x AS …) as in SQLite. */
import type { CastTarget } from '../casts.ts';
import { toBytes } from '../text.ts';
import type { SqlValue } from '../value.ts';
import { toInteger, toNumber, toNumericCast, toText } from './numbers.ts';

type NotNull = Exclude<SqlValue, null>;

const casts: Record<CastTarget, (value: NotNull) => SqlValue> = {
  text: toText,
  integer: toInteger,
  real: (value) => Number(toNumber(value)),
  numeric: toNumericCast,
  blob: (value) => toBytes(value instanceof Uint8Array ? value : toText(value)),
};

export function cast(target: CastTarget): (value: SqlValue) => SqlValue {
  const convert = casts[target];
  return (value) => (value === null ? null : convert(value));
}
