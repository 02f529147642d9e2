import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contradict, factOf } from '../../../server/engine/checks/facts.ts';
import { toPredicate } from '../../../server/engine/plan/evaluate/expression.ts';
import { noRequest, noTable } from '../../../server/engine/plan/evaluate/scope.ts';
import type { Expression } from '../../../server/engine/plan/expression.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';
import type { LiteralValue } from '../../../server/engine/sql/ast.ts';

const at = { text: 0, span: { start: 0, end: 0 } };
const x: Expression = { kind: 'column', name: 'x', at };
const values: readonly SqlValue[] = [null, -1n, 0n, 0.5, 1n, 1.5, 2n, 3n, '', 'a', 'b', 'c'];

const constant = fc
  .constantFrom<LiteralValue>(
    { type: 'null' },
    { type: 'integer', value: 0n },
    { type: 'integer', value: 1n },
    { type: 'integer', value: 2n },
    { type: 'real', value: 1 },
    { type: 'text', value: 'a' },
    { type: 'text', value: 'b' },
  )
  .map((value): Expression => ({ kind: 'constant', value, at }));

const comparison = fc.tuple(fc.constantFrom('=', '<', '<=', '>', '>='), constant, fc.boolean()).map(
  ([op, value, mirrored]): Expression => ({
    kind: 'operation',
    op: op as '=',
    args: mirrored ? [value, x] : [x, value],
    at,
  }),
);

const list = fc
  .array(constant, { minLength: 1, maxLength: 3 })
  .map((items): Expression => ({ kind: 'operation', op: 'in list', args: [x, ...items], at }));

const isNull: Expression = { kind: 'operation', op: 'is null', args: [x], at };

const simple = fc.oneof(comparison, list, fc.constant(isNull));
const condition = fc.oneof(
  simple,
  simple.map((term): Expression => ({ kind: 'operation', op: 'not', args: [term], at })),
);

function isTrueFor(term: Expression, value: SqlValue): boolean {
  const test = toPredicate([term], { wholeKeys: true, sqliteEngine: false });
  return test({ row: { x: value }, table: noTable, suffix: '', elements: [], request: noRequest });
}

function areInConflict(a: Expression, b: Expression, truth: boolean): boolean {
  const [first, second] = [factOf(a, truth), factOf(b, truth)];
  return first !== undefined && second !== undefined && contradict(first.fact, second.fact);
}

test('No value fulfils two conditions that contradict each other', () => {
  let conflicts = 0;
  fc.assert(
    fc.property(condition, condition, (a, b) => {
      if (!areInConflict(a, b, true)) return;
      conflicts++;
      expect(values.filter((value) => isTrueFor(a, value) && isTrueFor(b, value))).toEqual([]);
    }),
    { numRuns: 2_000, seed: 3 },
  );
  expect(conflicts).toBeGreaterThan(200);
});

test('Every value fulfils at least one of two conditions that cannot both be false', () => {
  let conflicts = 0;
  fc.assert(
    fc.property(condition, condition, (a, b) => {
      if (!areInConflict(a, b, false)) return;
      conflicts++;
      expect(values.filter((value) => !isTrueFor(a, value) && !isTrueFor(b, value))).toEqual([]);
    }),
    { numRuns: 2_000, seed: 3 },
  );
  expect(conflicts).toBeGreaterThan(20);
});

test('Contradiction is symmetric', () => {
  fc.assert(
    fc.property(condition, condition, fc.boolean(), (a, b, truth) => {
      expect(areInConflict(a, b, truth)).toBe(areInConflict(b, a, truth));
    }),
    { numRuns: 1_000, seed: 3 },
  );
});
