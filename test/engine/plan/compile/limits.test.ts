import { expect, test } from 'vitest';
import { compileSql, findingsOf } from '../../../support/engine/stream.ts';

const list = (count: number, each: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => each(index));
const either = (count: number, column = 'a') => `(${list(count, (i) => `${column}${i} = 1`).join(' OR ')})`;
const codesOf = (sql: string | readonly string[]) => findingsOf(sql).map((line) => line.split(' ')[0]);

test('A condition may have at most 100 cases after its ORs are expanded', () => {
  expect(findingsOf(`SELECT * FROM b WHERE ${either(10)} AND ${either(10, 'b')}`)).toEqual([]);
  expect(codesOf(`SELECT * FROM b WHERE ${either(10)} AND ${either(11, 'b')}`)).toEqual([
    'filter-too-complex',
  ]);
  expect(codesOf(`SELECT * FROM b WHERE ${either(101)}`)).toEqual(['filter-too-complex']);
  expect(codesOf(`SELECT b.* FROM b JOIN c ON ${either(10, 'c.x')} WHERE ${either(11, 'b.x')}`)).toEqual([
    'filter-too-complex',
  ]);
});

test('Too many cases are counted without being created', () => {
  const condition = list(60, (i) => either(40, `c${i}_`)).join(' AND ');
  expect(codesOf(`SELECT * FROM b WHERE ${condition}`)).toEqual(['filter-too-complex']);
});

test('A stream may have at most 100 kinds of buckets, counted after merging', () => {
  const queries = (count: number, parameter: (index: number) => string) =>
    list(count, (i) => `SELECT id FROM t WHERE c${i} = auth.parameter('${parameter(i)}')`);
  expect(findingsOf(queries(100, (i) => `p${i}`))).toEqual([]);
  expect(findingsOf(queries(101, (i) => `p${i}`))).toEqual([
    'too-many-buckets "SELECT id FROM t WHERE c0 = auth.parameter(\'p0\')"',
  ]);
  expect(findingsOf(queries(101, () => 'p'))).toEqual([]);
});

test('Alternatives that we merge are counted as in the reference', () => {
  const ways = list(
    51,
    (i) =>
      `SELECT id FROM t WHERE c${i} = auth.parameter('p${i}') AND (auth.parameter('a') OR auth.parameter('b'))`,
  );
  expect(codesOf(ways)).toEqual(['too-many-buckets']);
});

test('A long chain of operators becomes one node of the plan', () => {
  const chain = (count: number, operator: string) => list(count, (i) => `c${i}`).join(` ${operator} `);
  expect(compileSql(`SELECT id, ${chain(400, '||')} AS x FROM b`).valid).toBe(true);
  expect(compileSql(`SELECT id FROM b WHERE ${chain(20_000, 'AND')}`).valid).toBe(true);
  expect(codesOf(`SELECT id FROM b WHERE ${chain(20_000, 'OR')}`)).toEqual(['filter-too-complex']);
});

test('Nested subqueries whose columns become deeper at each level are refused with a finding', () => {
  const nested = Array(60)
    .fill('')
    .reduce<string>(
      (inner) => `(SELECT q.x${'::text'.repeat(30)} AS x FROM ${inner} q)`,
      '(SELECT x FROM b)',
    );
  expect(codesOf(`SELECT q.x FROM ${nested} q`)).toEqual(['unsupported-expression']);
});

test('Nested subqueries whose columns double at each level are refused with a finding', () => {
  const nested = Array(60)
    .fill('')
    .reduce<string>((inner) => `(SELECT q.x || q.x AS x FROM ${inner} q)`, '(SELECT x FROM b)');
  expect(codesOf(`SELECT q.x FROM ${nested} q`)).toEqual(['unsupported-expression']);
});

test('Queries with thousands of tables, columns or parameters are compiled', () => {
  const tables = list(2_000, (i) => `t${i}`);
  const joined = tables
    .map((table, i) => (i === 0 ? table : `JOIN ${table} ON ${table}.a = ${tables[i - 1]}.b`))
    .join(' ');
  const { plan } = compileSql(`SELECT t0.* FROM ${joined} WHERE t1999.u = auth.user_id()`);
  expect(plan?.routes[0]?.steps.length).toBe(1_999);
  const columns = list(20_000, (i) => `c${i} AS d${i}`).join(', ');
  expect(
    compileSql(
      `SELECT ${columns} FROM b WHERE ${list(5_000, (i) => `c${i} = auth.parameter('p${i}')`).join(' AND ')}`,
    ).valid,
  ).toBe(true);
});
