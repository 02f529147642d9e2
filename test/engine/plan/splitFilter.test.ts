/** The conditions of a filter that are tested without a closure, and the rules that are not tried because of them. */
import { describe, expect, test } from 'vitest';
import { canFail } from '../../../server/engine/plan/evaluate/canFail.ts';
import { candidates, passesAll, splitFilter } from '../../../server/engine/plan/evaluate/columnTests.ts';
import type { EvaluationRules, Row } from '../../../server/engine/plan/evaluate/scope.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';
import { plansOf } from '../../support/engine/plans.ts';

const rules: EvaluationRules = { wholeKeys: true, sqliteEngine: false };

function filterOf(where: string) {
  const query = JSON.stringify(`SELECT * FROM boats WHERE ${where}`);
  const { plans } = plansOf(
    `config:\n  edition: 3\nstreams:\n  s:\n    accept_potentially_dangerous_queries: true\n    query: ${query}\n`,
  );
  return plans[0]?.sources[0]?.rules[0]?.filter ?? expect.unreachable(where);
}

describe('a condition', () => {
  test.each([
    "kind = 'a'",
    'n < 5',
    '5 >= n',
    'kind IS NULL',
    "NOT (kind = 'a' AND n > 3)",
    'upper(kind) = owner',
    'n + 1 = owner',
    'CAST(kind AS TEXT) = owner',
    'CASE WHEN n = 1 THEN kind END IS NULL',
  ])('%s cannot fail', (where) => {
    expect(filterOf(where).map(canFail)).toEqual([false]);
  });

  test.each([
    ['may compare two blobs', 'kind = owner'],
    ['may compare two blobs', 'kind <= owner'],
    ['may compare two blobs', 'ifnull(kind, owner) = owner'],
    ['may compare two blobs', 'CAST(kind AS BLOB) = owner'],
    ['may compare two blobs', 'CASE kind WHEN owner THEN 1 END IS NULL'],
    ['reads JSON', "json_extract(list, '$.x') IS NULL"],
    ['reads JSON', "list ->> 'x' = 'a'"],
    ['contains one that reads JSON', "upper(json_extract(list, '$.x')) = 'a'"],
    ['contains one that reads JSON', "kind = 'a' OR json_extract(list, '$.x') = 1"],
  ])('that %s can fail: %s', (_, where) => {
    expect(filterOf(where).map(canFail)).toEqual([true]);
  });

  test.each<[string, readonly string[], number]>([
    ["kind = 'a' AND 1 = n", ['kind a', 'n 1'], 0],
    ['n = true', ['n 1'], 0],
    ["upper(owner) = 'B' AND n > 1 AND kind = 'a'", ['kind a'], 2],
    ["kind < 'a'", [], 1],
    ['n = 1.5', [], 1],
    ['n + 1 = 2', [], 1],
    ["kind = 'a' AND json_extract(list, '$.x') = 'b'", [], 2],
  ])('of %s is tested without a closure: %j', (where, tests, rest) => {
    const split = splitFilter(filterOf(where), rules);
    expect(split.tests.map(({ column, value }) => `${column} ${value}`)).toEqual(tests);
    expect(split.rest).toHaveLength(rest);
  });

  test('keeps its place among the conditions that are not tested without a closure', () => {
    const filter = filterOf("upper(owner) = 'B' AND kind = 'a' AND n > 1");
    expect(splitFilter(filter, rules).rest).toEqual([filter[0], filter[2]]);
  });

  test.each<[string, Partial<EvaluationRules>]>([
    ['in a trace', { observe: () => {} }],
    ['with the engine of SQLite', { sqliteEngine: true }],
  ])('is always evaluated %s', (_, some) => {
    const filter = filterOf("kind = 'a'");
    expect(splitFilter(filter, { ...rules, ...some })).toEqual({ tests: [], rest: filter });
  });
});

test.each<[SqlValue | undefined, boolean]>([
  [1n, true],
  [1, true],
  [1.5, false],
  [2, false],
  ['1', false],
  [null, false],
  [undefined, false],
])('a row whose n is %s passes `n = 1`: %s', (n, passes) => {
  const row: Row = n === undefined ? {} : { n };
  expect(passesAll(row, [{ column: 'n', value: 1n }])).toBe(passes);
  expect(
    passesAll({ ...row, kind: 'a' }, [
      { column: 'kind', value: 'a' },
      { column: 'n', value: 1n },
    ]),
  ).toBe(passes);
});

describe('the rules that are tried for a row', () => {
  const rule = (name: string, tests: Readonly<Record<string, string | bigint>>) => ({
    name,
    tests: Object.entries(tests).map(([column, value]) => ({ column, value })),
  });
  const namesFor = (
    all: Parameters<typeof candidates<ReturnType<typeof rule>>>[0],
    row: Readonly<Record<string, SqlValue>>,
  ) =>
    candidates(all)(row)
      .map(({ name }) => name)
      .join('');
  const kinds = ['a', 'b', 'c', 'd'].map((kind) => rule(kind, { kind, n: 1n }));

  test('are those of its value, and those without such a test, in their order', () => {
    const all = [rule('0', {}), ...kinds, rule('1', { n: 1n }), rule('B', { kind: 'b' })];
    expect(namesFor(all, { kind: 'b' })).toBe('0b1B');
    expect(namesFor(all, { kind: 'x' })).toBe('01');
    expect(namesFor(all, {})).toBe('01');
  });

  test('are found by the column that is tested for the most values', () => {
    const all = [...kinds, ...[5n, 6n, 7n, 8n, 9n].map((n) => rule(String(n), { n }))];
    expect(namesFor(all, { kind: 'a', n: 7n })).toBe('7');
    expect(namesFor(all, { kind: 'a', n: 1 })).toBe('abcd');
    expect(namesFor([...kinds, rule('2', { n: 2n })], { kind: 'a', n: 2n })).toBe('a2');
  });

  test('are all rules if few values are tested, or if an index would be too large', () => {
    expect(namesFor(kinds.slice(1), { kind: 'b' })).toBe('bcd');
    const others = (count: number) => Array.from({ length: count }, () => rule('', {}));
    expect(candidates([...kinds, ...others(25_000)])({ kind: 'b' })).toHaveLength(25_001);
    expect(candidates([...kinds, ...others(25_001)])({ kind: 'b' })).toHaveLength(25_005);
  });
});
