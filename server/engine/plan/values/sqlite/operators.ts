/** Operators as in SQLite: three-valued logic, 64-bit integers, and SQLite's own bitwise arithmetic. */
import { joinTexts } from '../text.ts';
import type { SqlValue } from '../value.ts';
import { integerOrReal, realOrNull, sqliteText, toInteger, toNumber } from './numbers.ts';

type CombiningOperator = '+' | '-' | '*' | '/' | '%' | '&' | '|' | '<<' | '>>' | '||';

type NotNull = Exclude<SqlValue, null>;

/** Returns NULL for unknown. Texts and blobs are true if the REAL at their start is not 0. */
export function truthOf(value: SqlValue): boolean | null {
  if (value === null) return null;
  const number = toNumber(value);
  return typeof number === 'bigint' ? number !== 0n : number !== 0 && !Number.isNaN(number);
}

/** Returns the function that combines two operands of a chain. */
export function combination(op: CombiningOperator): (left: SqlValue, right: SqlValue) => SqlValue {
  const combine = combinations[op];
  return (left, right) => (left === null || right === null ? null : combine(left, right));
}

const combinations: Record<CombiningOperator, (left: NotNull, right: NotNull) => SqlValue> = {
  '+': arithmetic(
    (a, b) => a + b,
    (a, b) => a + b,
  ),
  '-': arithmetic(
    (a, b) => a - b,
    (a, b) => a - b,
  ),
  '*': arithmetic(
    (a, b) => a * b,
    (a, b) => a * b,
  ),
  '/': arithmetic(
    (a, b) => (b === 0n ? null : a / b),
    (a, b) => (b === 0 ? null : a / b),
  ),
  '%': remainder,
  '&': (left, right) => toInteger(left) & toInteger(right),
  '|': (left, right) => toInteger(left) | toInteger(right),
  '<<': (left, right) => shift(toInteger(left), toInteger(right)),
  '>>': (left, right) => shift(toInteger(left), -toInteger(right)),
  '||': (left, right) => joinTexts(sqliteText(left), sqliteText(right)),
};

function arithmetic(
  integers: (left: bigint, right: bigint) => bigint | null,
  reals: (left: number, right: number) => number | null,
): (left: NotNull, right: NotNull) => SqlValue {
  return (left, right) => {
    const a = toNumber(left);
    const b = toNumber(right);
    if (typeof a === 'bigint' && typeof b === 'bigint') {
      const result = integers(a, b);
      return result === null ? null : integerOrReal(result);
    }
    const result = reals(Number(a), Number(b));
    return result === null ? null : realOrNull(result);
  };
}

/** Computes with the integers at the start of both sides. The result is a REAL if one side is a REAL. */
function remainder(left: NotNull, right: NotNull): SqlValue {
  const divisor = toInteger(right);
  if (divisor === 0n) return null;
  const result = toInteger(left) % divisor;
  const whole = typeof toNumber(left) === 'bigint' && typeof toNumber(right) === 'bigint';
  return whole ? result : Number(result);
}

/** Shifts to the left, or to the right if `by` is negative. Bits beyond 64 are lost. */
function shift(value: bigint, by: bigint): bigint {
  if (by <= -64n) return value < 0n ? -1n : 0n;
  if (by < 0n) return value >> -by;
  return by >= 64n ? 0n : BigInt.asIntN(64, value << by);
}
