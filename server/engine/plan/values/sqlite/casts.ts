/** Computes CAST(x AS …) as in SQLite. */
import type { CastTarget } from '../casts.ts';
import { toBytes } from '../text.ts';
import type { SqlValue } from '../value.ts';
import { sqliteText, toInteger, toNumber, toNumericCast } from './numbers.ts';

type NotNull = Exclude<SqlValue, null>;

const casts: Record<CastTarget, (value: NotNull) => SqlValue> = {
  text: sqliteText,
  integer: toInteger,
  real: (value) => Number(toNumber(value)),
  numeric: toNumericCast,
  blob: (value) => toBytes(value instanceof Uint8Array ? value : sqliteText(value)),
};

export function sqliteCast(target: CastTarget): (value: SqlValue) => SqlValue {
  const convert = casts[target];
  return (value) => (value === null ? null : convert(value));
}
