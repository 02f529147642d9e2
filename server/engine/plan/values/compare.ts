/** Compares values without affinity: '1' = 1 is false. The order of classes is number < TEXT < BLOB. */
import { fail } from './failure.ts';
import { fromBoolean, type SqlValue } from './value.ts';

type NotNull = Exclude<SqlValue, null>;

/** Whether two values that are not NULL are equal. INTEGER and REAL are compared by their exact numeric value. */
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

/** Returns one of the operators `<`, `<=`, `>`, `>=` for a condition on the order of its operands. */
export function comparison(holds: (order: Order) => boolean): (left: SqlValue, right: SqlValue) => SqlValue {
  return (left, right) => (left === null || right === null ? null : fromBoolean(holds(orderOf(left, right))));
}

/** The order of two values. Negative if the left one comes first. */
type Order = -1 | 0 | 1;

function orderOf(left: NotNull, right: NotNull): Order {
  const ranks = rank(left) - rank(right);
  if (ranks !== 0) return ranks < 0 ? -1 : 1;
  if (areEqual(left, right)) return 0;
  // NaN comes before every number, including itself.
  return left > right ? 1 : -1;
}

function rank(value: NotNull): number {
  if (isNumeric(value)) return 0;
  return typeof value === 'string' ? 1 : 2;
}

function isNumeric(value: NotNull): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}
