import { expect, test } from 'vitest';
import { compileDefinition, parameterFindings } from '../../../support/engine/definition.ts';

const inWhere = (condition: string) => parameterFindings(`SELECT id AS x FROM t WHERE ${condition}`);

test('Only = and IN can compare row values with request values', () => {
  expect(inWhere("upper(a) = request.jwt() ->> 'x'")).toEqual([]);
  expect(inWhere("a IN request.jwt() -> 'list'")).toEqual([]);
  expect(inWhere('request.user_id() IN a')).toEqual([]);
  expect(inWhere('token_parameters.x = a')).toEqual([]);
  expect(inWhere('a > request.user_id()')).toEqual(['mixed-row-and-parameter "request.user_id()"']);
  expect(inWhere('request.user_id() || a = b')).toEqual(['mixed-row-and-parameter "a"']);
  expect(inWhere('NOT a = request.user_id()')).toEqual(['match-not-allowed "a = request.user_id()"']);
  expect(inWhere('(a = request.user_id()) = request.user_id()')).toEqual([
    'parameters-on-both-sides "(a = request.user_id()) = request.user_id()"',
  ]);
});

test('Conditions on the request alone are accepted', () => {
  expect(inWhere("a = request.user_id() AND request.jwt() ->> 'age' > 17")).toEqual([]);
  expect(
    inWhere("request.user_id() IN request.jwt() -> 'admins' OR NOT request.jwt() -> 'x' IS NULL"),
  ).toEqual([]);
});

test('OR accepts only conditions on request values that are written in the same way', () => {
  expect(inWhere("a = request.jwt() ->> 'x' OR b = (request.jwt()->>'x')")).toEqual([]);
  expect(
    inWhere('a = substring(request.user_id(), 1, 2) OR b = substring(request.user_id(), 1, 1 + 1)'),
  ).toEqual([]);
  expect(inWhere("a = request.user_id() OR b = request.jwt() ->> 'x'")).toHaveLength(1);
  expect(inWhere("a = request.parameter('x') OR b = user_parameters.x")[0]).toMatch(
    /^or-parameters-mismatch /,
  );
  expect(inWhere('a = 1 OR request.user_id()')).toEqual([
    'or-parameters-mismatch "a = 1 OR request.user_id()"',
  ]);
});

test('Only one array of the request and one array of the row can be searched', () => {
  expect(inWhere("a IN request.jwt() -> 'a' AND b IN request.jwt() -> 'b'")).toHaveLength(1);
  expect(inWhere('request.user_id() IN a AND request.jwt() IN b')).toEqual([
    'multiple-in-expressions "request.user_id() IN a AND request.jwt() IN b"',
  ]);
  expect(inWhere("request.user_id() IN a AND b IN request.jwt() -> 'b'")).toEqual([]);
});

test('Two comparisons with one request value are refused, because a service enforces only the first', () => {
  expect(inWhere('a = request.user_id() AND b = request.user_id()')).toEqual([
    'same-parameter-twice "b = request.user_id()"',
  ]);
  expect(inWhere("a IN request.jwt() -> 'l' AND b IN request.jwt() -> 'l'")).toHaveLength(1);
});

test('Columns are plain columns, request values or literals, each with a name', () => {
  expect(parameterFindings("SELECT t.id, request.user_id() AS u, 'x' || 'y' AS v FROM t")).toEqual([]);
  expect(parameterFindings('SELECT upper(id) AS x FROM t')).toEqual(['match-not-allowed "upper(id)"']);
  expect(parameterFindings('SELECT request.user_id()')).toEqual(['alias-required "request.user_id()"']);
  expect(parameterFindings('SELECT * FROM t')).toEqual(['star-not-allowed "*"']);
  expect(parameterFindings('SELECT bucket.x FROM t')).toEqual(['undefined-reference "bucket.x"']);
});

test('A query reads at most one table, without an alias', () => {
  expect(parameterFindings('SELECT t.id AS x FROM t, u')).toEqual(['single-table-required "t"']);
  expect(parameterFindings('SELECT b.id AS x FROM boats b')).toEqual(['alias-in-parameter-query "boats"']);
  expect(parameterFindings('SELECT b.id AS x FROM boats AS b')).toEqual([
    'alias-in-parameter-query "boats AS b"',
  ]);
  expect(parameterFindings('SELECT id FROM t AS t')).toEqual([]);
  expect(parameterFindings('SELECT id FROM (SELECT id FROM t) q')).toEqual([
    'subquery-in-from "SELECT id FROM t"',
  ]);
});

test('Without FROM there are no columns', () => {
  expect(parameterFindings('SELECT id AS x')).toEqual(['undefined-reference "id"']);
  expect(parameterFindings('SELECT token_parameters.user_id')).toEqual([]);
  expect(parameterFindings('SELECT 1 AS x WHERE 1 AND 1')).toEqual(['match-not-allowed "1 AND 1"']);
});

test('Expressions may use the elements of json_each()', () => {
  const of = (columns: string, where = '') =>
    parameterFindings(`SELECT ${columns} FROM json_each(request.jwt() -> 'l') AS e ${where}`);
  expect(of('upper(e.value) AS x, key', 'WHERE value > request.user_id() OR NOT value')).toEqual([]);
  expect(of('nope AS x')).toEqual(['unknown-function-column "nope"']);
  expect(of('json_each.value AS x')).toEqual(['undefined-reference "json_each.value"']);
  expect(parameterFindings("SELECT value FROM json_tree('[]')")).toEqual([
    'unknown-table-function "json_tree(\'[]\')"',
  ]);
});

test('Request functions are checked', () => {
  expect(parameterFindings('SELECT request.user_id(1) AS x')).toEqual([
    'wrong-argument-count "request.user_id(1)"',
  ]);
  expect(parameterFindings('SELECT request.foo() AS x')).toEqual(['unknown-function "request.foo()"']);
  expect(parameterFindings('SELECT auth.user_id() AS x')).toEqual(['unknown-function "auth.user_id()"']);
  expect(parameterFindings("SELECT request.parameter('a' || 'b') AS x")).toContain(
    "internal-error \"'a' || 'b'\"",
  );
});

test('_priority is a literal from 0 to 3, and is set only in one place', () => {
  const priority = (value: string) => parameterFindings(`SELECT id AS x, ${value} AS _priority FROM t`);
  expect(priority('0')).toEqual([]);
  expect(priority('4')).toEqual(['invalid-priority "4"']);
  expect(priority("'1'")).toEqual(['priority-not-literal "\'1\'"']);
  expect(priority('a')).toEqual(['priority-not-literal "a"']);
  expect(parameterFindings('SELECT 1 AS x, 2 AS _priority', { priority: 1 })).toEqual([
    'priority-set-twice "SELECT 1 AS x, 2 AS _priority"',
  ]);
  expect(parameterFindings("SELECT value, 1 AS _priority FROM json_each('[]')", { priority: 1 })).toEqual([
    'priority-ignored "1 AS _priority"',
  ]);
});

test('Buckets that only the client chooses are reported', () => {
  const client = "request.parameter('x')";
  const isDangerous = (sql: string) =>
    parameterFindings(sql).some((line) => line.startsWith('unauthenticated'));
  expect(isDangerous(`SELECT ${client} AS x`)).toBe(true);
  expect(isDangerous(`SELECT ${client} AS x WHERE request.user_id() = 'u'`)).toBe(true);
  expect(isDangerous(`SELECT ${client} AS x, request.user_id() AS u`)).toBe(false);
  expect(isDangerous(`SELECT id AS x FROM t WHERE a = ${client}`)).toBe(true);
  expect(isDangerous(`SELECT id AS x FROM t WHERE a = ${client} AND b = request.user_id()`)).toBe(false);
  expect(isDangerous(`SELECT value FROM json_each(user_parameters.l) WHERE value = request.user_id()`)).toBe(
    true,
  );
  expect(isDangerous(`SELECT value FROM json_each(request.jwt()) WHERE value = ${client}`)).toBe(false);
  expect(parameterFindings(`SELECT ${client} AS x`, { acceptDangerous: true })).toEqual([]);
});

test('All parameter queries of a definition have the columns of the first', () => {
  const findings = (...parameters: string[]) => compileDefinition(parameters, []).findings;
  expect(findings('SELECT 1 AS a, 2 AS b', 'SELECT 2 AS b, 1 AS a', 'SELECT 1 AS a')).toEqual([]);
  expect(findings('SELECT 1 AS a', 'SELECT 1 AS b')).toEqual(['parameter-queries-differ "SELECT 1 AS b"']);
  expect(findings('SELECT 1 AS a, 2 AS a')).toEqual(['duplicate-column "2 AS a"']);
});

test('Consequences of broken parameter queries are not reported', () => {
  const data = 'SELECT id FROM t WHERE a = bucket.x';
  expect(compileDefinition('SELECT * FROM t', data).findings).toEqual(['star-not-allowed "*"']);
  expect(compileDefinition(['SELECT 1 AS x', 'SELECT 1 AS y'], data).findings).toHaveLength(1);
  expect(compileDefinition([], data).findings).toEqual([`parameters-unresolved "${data}"`]);
});

test('An unknown column is reported if the schema is known', () => {
  const setting = { catalog: 'create table t (id, owner)' };
  expect(parameterFindings('SELECT id FROM t WHERE onwer = request.user_id()', setting)).toEqual([
    'unknown-column "onwer"',
  ]);
  expect(parameterFindings('SELECT id FROM s WHERE onwer = request.user_id()', setting)).toEqual([
    'unknown-table "s"',
  ]);
});
