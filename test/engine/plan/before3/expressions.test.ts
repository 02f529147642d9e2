import { expect, test } from 'vitest';
import { plainFindings } from '../../../support/engine/definition.ts';

const inColumn = (expression: string) => plainFindings(`SELECT id, ${expression} AS x FROM t`);

test.each([
  'a + b - c * d / 2',
  "a || 'x'",
  'a <> b',
  'a IS NOT NULL',
  'CAST(a AS "TEXT")',
  "a -> 'k' ->> 'l'",
  'upper()',
  'UPPER(a, b)',
  'upper(DISTINCT a)',
  'json_valid(a)',
  "a IN '[1, 2]'",
  'a - -1',
])('%s can be computed', (expression) => {
  expect(inColumn(expression)).toEqual([]);
});

test.each([
  ['CASE WHEN a THEN 1 END', 'unsupported-expression'],
  ['a BETWEEN 1 AND 2', 'unsupported-expression'],
  ['a[1]', 'unsupported-expression'],
  ["ARRAY['x']", 'unsupported-expression'],
  ['$1', 'unsupported-expression'],
  ['current_date', 'unsupported-expression'],
  ['substring(a FROM 2)', 'unsupported-expression'],
  ['substring(a)', 'wrong-argument-count'],
  ["a LIKE 'x'", 'unsupported-operator'],
  ['a NOT IN b', 'unsupported-operator'],
  ['a && b', 'unsupported-operator'],
  ['a % 2', 'unsupported-operator'],
  ['-a', 'unsupported-operator'],
  ['+a', 'unsupported-operator'],
  ['a IS NOT TRUE', 'unsupported-operator'],
  ['a -> 1', 'unsupported-json-path'],
  ['a::int', 'invalid-cast'],
  ['a::text[]', 'invalid-cast'],
  ['substr(a, 1)', 'unknown-function'],
  ['"UPPER"(a)', 'unknown-function'],
  ['public.upper(a)', 'unknown-function'],
  ['random()', 'unknown-function'],
  ['auth.user_id()', 'unknown-function'],
])('%s is refused as %s', (expression, code) => {
  expect(inColumn(expression)).toEqual([`${code} ${JSON.stringify(expression)}`]);
});

test('Lists and subqueries are marked without their parentheses', () => {
  expect(plainFindings('SELECT id FROM t WHERE a IN (1, 2)')).toEqual(['unsupported-expression "1, 2"']);
  expect(plainFindings('SELECT id FROM t WHERE a IN (SELECT b FROM c)')).toEqual([
    'unsupported-expression "SELECT b FROM c"',
  ]);
  expect(inColumn('upper(*)')).toEqual(['star-not-allowed "*"']);
});

test('A constant that cannot be computed is an error, but a constant that is NULL is not', () => {
  expect(inColumn("json_extract('{a: 1}', '$.a')")).toEqual([
    "constant-fails \"json_extract('{a: 1}', '$.a')\"",
  ]);
  expect(inColumn("1 IN '{}'")).toEqual(['in-single-value "\'{}\'"']);
  expect(inColumn("uuid_blob('x')")).toHaveLength(1);
  expect(inColumn("upper(a) || ('x' -> 'y')")).toEqual(["constant-fails \"'x' -> 'y'\""]);
  expect(inColumn('1 / 0')).toEqual([]);
  expect(inColumn("NULL -> 'x'")).toEqual([]);
});

test('IN refuses a single value other than NULL', () => {
  expect(plainFindings("SELECT id FROM t WHERE a IN ('x')")).toEqual(['in-single-value "\'x\'"']);
  expect(plainFindings('SELECT id FROM t WHERE a IN 5')).toEqual(['in-single-value "5"']);
  expect(plainFindings('SELECT id FROM t WHERE a IN NULL')).toEqual([]);
});
