/** Merges neighbouring tests of the row alone, or of the request alone, into one test. */
import { contains, type Expression, type Origin } from '../../expression.ts';
import type { BucketCondition, ConditionGroup, Test } from './condition.ts';

export function isTest(condition: BucketCondition): condition is Test {
  return condition.kind === 'row' || condition.kind === 'request';
}

/**
 * Returns the group with one test for each side. Constants are merged with either side. Tests that are not neighbours are never
 * joined by OR.
 */
export function merge(
  kind: ConditionGroup['kind'],
  parts: readonly BucketCondition[],
  at: Origin,
): BucketCondition {
  const isMerged = (part: BucketCondition): part is Test => isTest(part) && !(kind === 'or' && part.apart);
  const tests = parts.filter(isMerged);
  const sides = new Set(tests.map(sideOfTest));
  const constants = sides.has('request') && !sides.has('row') ? 'request' : 'row';
  const merged: BucketCondition[] = parts.filter((part) => !isMerged(part));
  for (const side of ['row', 'request'] as const) {
    const own = tests.filter((test) => (sideOfTest(test) ?? constants) === side);
    if (own.length > 0) merged.push(mergeTests(kind, side, own, at));
  }
  const [only, ...others] = merged;
  return only && others.length === 0 ? only : { kind, parts: merged };
}

/** Returns the side of a test; undefined for constants. */
function sideOfTest({ kind, value }: Test): Test['kind'] | undefined {
  return kind === 'row' && !contains(value, isOfRow) ? undefined : kind;
}

export function isOfRow({ kind }: Expression): boolean {
  return kind === 'column' || kind === 'metadata';
}

function mergeTests(
  kind: ConditionGroup['kind'],
  side: Test['kind'],
  tests: readonly Test[],
  at: Origin,
): Test {
  const args = tests.map(({ value }) => value);
  const [first, ...others] = args;
  const value: Expression = first && others.length === 0 ? first : { kind: 'operation', op: kind, args, at };
  return { kind: side, value, ...(tests.some(({ apart }) => apart) && { apart: true }) };
}

/** Counts the conditions that a service has after reading a chain from left to right, merging neighbouring tests. */
export function countMerged(parts: readonly BucketCondition[]): number {
  let side: Test['kind'] | undefined;
  for (const [index, part] of parts.entries()) {
    if (!isTest(part) || part.apart) return Math.max(1, parts.length - index + (index > 0 ? 1 : 0));
    const own = sideOfTest(part);
    if (side && own && side !== own) return parts.length - index + 1;
    side ??= own;
  }
  return 1;
}
