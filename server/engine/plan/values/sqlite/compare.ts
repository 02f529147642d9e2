/** Compares as in SQLite: texts by code point, blobs byte by byte, and with the affinity of a CAST. */
import { fromBoolean, type SqlValue } from '../value.ts';
import { sqliteText, withNumericAffinity } from './numbers.ts';

type NotNull = Exclude<SqlValue, null>;

/**
 * The conversion that an operand requires of the other one. An operand with `none` is converted as the other one requires, and
 * `blob` requires nothing.
 */
export type Affinity = 'none' | 'blob' | 'text' | 'numeric';

type Comparison = (left: SqlValue, right: SqlValue) => SqlValue;

type ComparisonOperator = '=' | '<' | '<=' | '>' | '>=';

/** Returns the comparison of two operands with their affinities. */
export function comparisonOf(op: ComparisonOperator, left: Affinity, right: Affinity): Comparison {
  const holds = tests[op];
  const convert = conversions[meeting(left, right)];
  if (convert === undefined) {
    return (a, b) => (a === null || b === null ? null : fromBoolean(holds(orderOf(a, b))));
  }
  return (a, b) =>
    a === null || b === null
      ? null
      : fromBoolean(holds(orderOf(convert(a) as NotNull, convert(b) as NotNull)));
}

function meeting(left: Affinity, right: Affinity): Affinity {
  if (left === 'none') return right;
  if (right === 'none') return left;
  return left === 'numeric' || right === 'numeric' ? 'numeric' : 'blob';
}

const conversions: Partial<Record<Affinity, (value: NotNull) => SqlValue>> = {
  numeric: withNumericAffinity,
  text: (value) => (typeof value === 'object' ? value : sqliteText(value)),
};

const tests: Record<ComparisonOperator, (order: number) => boolean> = {
  '=': (order) => order === 0,
  '<': (order) => order < 0,
  '<=': (order) => order <= 0,
  '>': (order) => order > 0,
  '>=': (order) => order >= 0,
};

/** Negative if the left value comes first. Numbers come before texts, and texts before blobs. */
function orderOf(left: NotNull, right: NotNull): number {
  const ranks = rank(left) - rank(right);
  if (ranks !== 0) return ranks;
  if (typeof left === 'string') return orderOfTexts(left, right as string);
  if (typeof left === 'object') return orderOfBytes(left, right as Uint8Array);
  if (left < (right as bigint | number)) return -1;
  return left > (right as bigint | number) ? 1 : 0;
}

function rank(value: NotNull): number {
  if (typeof value === 'string') return 1;
  return typeof value === 'object' ? 2 : 0;
}

/** Compares texts. A surrogate belongs to a code point that comes after all code points of a single unit. */
function orderOfTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i += 1) {
    const [a, b] = [left.charCodeAt(i), right.charCodeAt(i)];
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
  }
  return left.length - right.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function orderOfBytes(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i += 1) {
    const difference = (left[i] as number) - (right[i] as number);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
