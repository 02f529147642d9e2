/** Comparison without affinity: '1' = 1 is false. Classes order number < TEXT < BLOB. */
import { fail } from './failure.ts';
import { fromBoolean, type SqlValue } from './value.ts';

type NotNull = Exclude<SqlValue, null>;

/** Whether two values are equal, NULL aside. INTEGER and REAL are compared by their exact numeric value. */
export function areEqual(left: NotNull, right: NotNull): boolean {
  if (typeof left === typeof right && typeof left !== 'object') return left === right;
  if (isNumeric(left) && isNumeric(right)) {
    // biome-ignore lint/suspicious/noDoubleEquals: between a bigint and a number, == compares exactly.
    return left == right;
  }
  if (typeof left === 'object' && typeof right === 'object') fail('blob-comparison');
  return false;
}

export function equals(left: SqlValue, right: SqlValue): SqlValue {
  if (left === null || right === null) return null;
  return fromBoolean(areEqual(left, right));
}

export function less(left: SqlValue, right: SqlValue): SqlValue {
  if (left === null || right === null) return null;
  return fromBoolean(isLess(left, right));
}

export function lessOrEqual(left: SqlValue, right: SqlValue): SqlValue {
  if (left === null || right === null) return null;
  return fromBoolean(isLess(left, right) || areEqual(left, right));
}

function isLess(left: NotNull, right: NotNull): boolean {
  const ranks = rank(left) - rank(right);
  if (ranks !== 0) return ranks < 0;
  if (typeof left === 'object') fail('blob-comparison');
  // NaN comes before every other number, and is not equal to itself.
  return !areEqual(left, right) && !(left > right);
}

function rank(value: NotNull): number {
  if (isNumeric(value)) return 0;
  return typeof value === 'string' ? 1 : 2;
}

function isNumeric(value: NotNull): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}
