/** Computes + - * / for numbers and for numeric prefixes of texts. INTEGERs do not overflow, and a division by zero is NULL. */
import { leadingNumber } from './numbers.ts';
import { toText } from './text.ts';
import type { SqlValue } from './value.ts';

export type ArithmeticOperator = '+' | '-' | '*' | '/';

interface Operation {
  readonly integers: (left: bigint, right: bigint) => bigint | null;
  readonly reals: (left: number, right: number) => number | null;
}

const operations: Record<ArithmeticOperator, Operation> = {
  '+': { integers: (a, b) => a + b, reals: (a, b) => a + b },
  '-': { integers: (a, b) => a - b, reals: (a, b) => a - b },
  '*': { integers: (a, b) => a * b, reals: (a, b) => a * b },
  '/': { integers: (a, b) => (b === 0n ? null : a / b), reals: (a, b) => (b === 0 ? null : a / b) },
};

export function calculate(operator: ArithmeticOperator): (left: SqlValue, right: SqlValue) => SqlValue {
  const { integers, reals } = operations[operator];
  return (left, right) => {
    if (left === null || right === null) return null;
    const a = toNumber(left);
    const b = toNumber(right);
    if (typeof a === 'bigint' && typeof b === 'bigint') return integers(a, b);
    return reals(Number(a), Number(b));
  };
}

function toNumber(value: Exclude<SqlValue, null>): bigint | number {
  if (typeof value === 'bigint' || typeof value === 'number') return value;
  return leadingNumber(toText(value));
}
