import { expect, test } from 'vitest';
import { findingsOf } from '../../../support/engine/stream.ts';

const inWhere = (condition: string) => findingsOf(`SELECT id FROM b WHERE ${condition}`);

test('Function names are compared without case, even in quotes', () => {
  expect(inWhere('UPPER(x) = "Lower"(y)')).toEqual([]);
});

test('The name of an unknown function is marked', () => {
  expect(inWhere('coalesce(x, y) = 1')).toEqual(['unknown-function "coalesce"']);
  expect(inWhere('count(*) = 1')).toEqual(['unknown-function "count"']);
  expect(inWhere('EXISTS (SELECT id FROM c)')).toEqual(['unknown-function "EXISTS"']);
  expect(inWhere('json_valid(x)')).toEqual(['unknown-function "json_valid"']);
  expect(inWhere('random() = 1')).toEqual(['nondeterministic-function "random"']);
  expect(inWhere('pg.upper(x) = 1')).toEqual(['unknown-function-schema "pg.upper"']);
});

test('Arguments of an unknown function are also checked', () => {
  expect(inWhere('coalesce(nope.x, y) = 1')).toEqual([
    'table-not-in-from "nope.x"',
    'unknown-function "coalesce"',
  ]);
});

test('Aggregate and window forms are refused before anything else', () => {
  expect(inWhere('upper(DISTINCT x) = 1')).toEqual(['function-modifier "upper"']);
  expect(inWhere('max(x) OVER () = 1')).toEqual(['function-modifier "max"']);
});

test('Argument counts are checked', () => {
  expect(inWhere('upper(x, y) = 1')).toEqual(['wrong-argument-count "upper(x, y)"']);
  expect(inWhere('auth.parameter() = 1')).toEqual(['wrong-argument-count "auth.parameter"']);
  expect(inWhere("b.schema('x') = 'a'")).toEqual(['wrong-argument-count "b.schema"']);
});

test('Request functions are recognized by schema and name', () => {
  expect(inWhere('x = AUTH.USER_ID()')).toEqual([]);
  expect(inWhere('x = "AUTH".user_id()')).toEqual(['unknown-function-schema "\\"AUTH\\".user_id"']);
  expect(inWhere('x = subscription.user_id()')).toEqual(['user-id-wrong-schema "subscription.user_id"']);
  expect(inWhere('x = connection.whatever()')).toEqual(['unknown-request-function "connection.whatever"']);
  expect(inWhere('x = request.user_id()')).toEqual(['unknown-function-schema "request.user_id"']);
});

test('Row metadata exists only for the tables of the query', () => {
  expect(inWhere("b.schema() = auth.parameter('tenant')")).toEqual([]);
  expect(inWhere("b.table_suffix() = 'x'")).toEqual(['table-suffix-always-empty "b.table_suffix"']);
  expect(inWhere("zz.schema() = 'x'")).toEqual(['table-not-in-from "zz.schema()"']);
  expect(
    findingsOf("SELECT q.id FROM (SELECT id FROM b) q WHERE q.schema() = 'a' AND q.other() = 1"),
  ).toEqual(['metadata-on-subquery "q.schema"', 'unknown-function-schema "q.other"']);
});

test('Casts are limited to five types', () => {
  expect(inWhere('x::text = CAST(y AS Integer)')).toEqual([]);
  expect(inWhere('x::int = 1')).toEqual(['invalid-cast "int"']);
  expect(inWhere('x::text[] = 1')).toEqual(['invalid-cast "text[]"']);
});

test('Operators and functions are refused if the chosen engine cannot evaluate them', () => {
  const sqlite = { options: { sqliteEngine: true } };
  expect(inWhere('x % 2 = 1 AND y & 4 = 4')).toEqual([
    'operator-not-evaluable "x % 2"',
    'operator-not-evaluable "y & 4"',
  ]);
  expect(findingsOf('SELECT id FROM b WHERE x % 2 = 1', sqlite)).toEqual([]);
  expect(inWhere('substring(x FROM 2) = 1')).toEqual(['operator-not-evaluable "substring(x FROM 2)"']);
  expect(findingsOf('SELECT id, base64(x) AS y FROM b', sqlite)).toEqual(['function-not-evaluable "base64"']);
});

test('Other unsupported operators and expressions are refused and marked entirely', () => {
  expect(inWhere("x LIKE 'a%'")).toEqual(['like-not-supported "x LIKE \'a%\'"']);
  expect(inWhere('x ^ 2 = 1')).toEqual(['unsupported-operator "x ^ 2"']);
  expect(inWhere('-x = 1')).toEqual(['unary-minus "-x"']);
  expect(inWhere('x[1] = current_user')).toEqual([
    'unsupported-expression "current_user"',
    'unsupported-expression "x[1]"',
  ]);
  expect(inWhere('x = ARRAY[1]')).toEqual(['unsupported-expression "ARRAY[1]"']);
  expect(inWhere('x = $1')).toEqual(['sql-parameter "$1"']);
  expect(inWhere('upper(*) = 1')).toEqual(['star-not-allowed "*"']);
  expect(inWhere('x = (SELECT y FROM c)')).toEqual(['subquery-position "SELECT y FROM c"']);
});

test('The only table function in FROM is json_each, which has two columns', () => {
  expect(findingsOf('SELECT b.id FROM b, json_tree(b.x) f')).toEqual([
    'unknown-table-function "json_tree(b.x)"',
  ]);
  expect(findingsOf('SELECT b.id FROM b, json_each(b.x) f WHERE f.vale = 1')).toEqual([
    'unknown-function-column "f.vale"',
  ]);
});

test('All arguments of a table function come from one source, which is not another function', () => {
  expect(findingsOf('SELECT b.id FROM b, json_each(b.x, auth.user_id()) f')).toEqual([
    'function-inputs "json_each(b.x, auth.user_id()) f"',
  ]);
  expect(findingsOf('SELECT b.id FROM b, json_each(b.x, 1) f')).toEqual([
    'function-inputs "json_each(b.x, 1) f"',
  ]);
  expect(findingsOf('SELECT b.id FROM b, json_each(b.x) f, json_each(f.value) g')).toEqual([
    'function-chained "f.value"',
  ]);
  const throughRow = 'SELECT b.id FROM b, json_each(b.x) f, json_each(f.value || b.y) g';
  expect(findingsOf(throughRow)).toEqual([]);
  expect(findingsOf(`${throughRow} WHERE g.value = 1`)).toEqual(['function-chained "f.value || b.y"']);
  expect(findingsOf('SELECT b.id FROM b, json_each(b.x || auth.user_id()) f')).toEqual([
    'mixed-row-and-parameter "auth.user_id()"',
  ]);
});
