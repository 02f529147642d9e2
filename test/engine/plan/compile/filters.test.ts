import { expect, test } from 'vitest';
import { findingsOf } from '../../../support/engine/stream.ts';

const inWhere = (condition: string, from = 'b') => findingsOf(`SELECT b.id FROM ${from} WHERE ${condition}`);

test('Only =, IN and && can compare row values with request values; otherwise, the second value is marked', () => {
  expect(inWhere('x = auth.user_id() AND auth.user_id() = upper(y)')).toEqual([]);
  expect(inWhere('x > auth.user_id()')).toEqual(['mixed-row-and-parameter "auth.user_id()"']);
  expect(inWhere('auth.user_id() > x')).toEqual(['mixed-row-and-parameter "x"']);
  expect(inWhere('x || auth.user_id() = 1')).toEqual(['mixed-row-and-parameter "auth.user_id()"']);
  expect(inWhere('(x = auth.user_id()) = true')).toEqual(['mixed-row-and-parameter "auth.user_id()"']);
  expect(inWhere('CASE WHEN auth.user_id() THEN x END')).toEqual(['mixed-row-and-parameter "x"']);
  expect(inWhere('x = auth.parameter(y)')).toEqual(['mixed-row-and-parameter "y"']);
  expect(inWhere("x NOT IN auth.parameter('l')")).toEqual([
    'mixed-row-and-parameter "auth.parameter(\'l\')"',
  ]);
});

test('Only = can compare the values of two tables', () => {
  expect(inWhere('b.x = c.x', 'b, c')).toEqual([]);
  expect(inWhere('b.x < c.x', 'b, c')).toEqual(['mixed-tables "c.x"']);
  expect(inWhere('b.x + c.x = 1', 'b, c')).toEqual(['mixed-tables "c.x"']);
  expect(inWhere('b.x IN (SELECT y FROM c WHERE c.z > b.z)')).toEqual(['mixed-tables "b.z"']);
});

test('NOT is distributed over AND and OR, and NOT of != becomes =', () => {
  expect(inWhere('NOT (x != auth.user_id())')).toEqual([]);
  expect(inWhere("NOT (hidden OR auth.parameter('banned'))")).toEqual([]);
  expect(inWhere('NOT (x = auth.user_id())')).toEqual(['mixed-row-and-parameter "auth.user_id()"']);
  expect(inWhere("NOT (NOT (NOT (kind = 'a' AND NOT (x = auth.user_id()))))")).toEqual([]);
});

test('Elements of two lists in one row can be compared only through the row', () => {
  const from = 'b, json_each(b.t) f, json_each(b.u) g';
  expect(inWhere('f.value + b.x + g.value > 1', from)).toEqual([]);
  expect(inWhere('f.value + g.value > 1', from)).toEqual(['mixed-tables "g.value"']);
  expect(inWhere('f.value = g.value', from)).toEqual(['unresolvable-filter "f.value = g.value"']);
  expect(inWhere('f.value + b.x = g.value', from)).toEqual([]);
  expect(inWhere('tags && labels')).toEqual(['unresolvable-filter "tags && labels"']);
});

test('A list of constants belongs to the table that it is first used with', () => {
  const from = "b, c, json_each('[1]') f";
  expect(inWhere('c.x > f.value AND b.x = f.value', from)).toEqual([]);
  expect(inWhere('c.x > f.value AND b.x > f.value', from)).toEqual(['mixed-tables "f.value"']);
  expect(inWhere('b.x = f.value OR auth.user_id() = f.value', from)).toEqual([]);
});

test('Elements of the request can be compared once, but not used in lookups', () => {
  const list = "json_each(auth.parameter('l')) f";
  expect(inWhere("auth.user_id() IN auth.parameter('l')")[0]).toMatch(
    /^function-partition "SELECT b.id FROM b WHERE/,
  );
  expect(inWhere('f.value = b.x AND b.y = f.key', `b, ${list}`)).toEqual([]);
  expect(inWhere('f.value = auth.user_id() AND b.x = f.value', `b, ${list}`)).toEqual([
    `function-partition "${list}"`,
  ]);
  expect(inWhere('b.x = f.value AND c.y = f.value AND c.z = auth.user_id()', `b, c, ${list}`)).toEqual([
    `function-partition "${list}"`,
  ]);
  expect(inWhere('c.y = b.y AND f.key = b.x AND c.x = f.value', `b, c, ${list}`)).toEqual([]);
});

test('A match that is connected neither with the synced rows nor with the request is refused', () => {
  expect(inWhere('q.c = r.c', 'b, q, r')).toEqual(['unresolvable-filter "q.c = r.c"']);
  expect(inWhere('q.c = r.c AND q.z = 1', 'b, q, r')).toEqual([]);
  expect(inWhere('q.c = r.c AND q.z = auth.user_id()', 'b, q, r')).toEqual([]);
  expect(inWhere("(SELECT y FROM c) && auth.parameter('x')")).toEqual([
    'unresolvable-filter "(SELECT y FROM c) && auth.parameter(\'x\')"',
  ]);
});

test('IN refuses a list in parentheses, and a single value', () => {
  expect(inWhere("x IN ('a', 'b')")).toEqual(["unsupported-expression \"'a', 'b'\""]);
  expect(inWhere("x IN ('a')")).toEqual(['in-single-value "\'a\'"']);
  expect(inWhere('x IN (1)')).toEqual(['in-single-value "1"']);
  expect(inWhere("x IN '[1, 2]' AND x NOT IN '[\"a\"]' AND x IN ARRAY[1] AND x IN (y)")).toEqual([]);
});

test('IN over a list is refused if it is negated or part of a larger expression; NOT IN is not', () => {
  expect(inWhere('NOT (x IN y)')).toEqual(['negated-in-expansion "x IN y"']);
  expect(inWhere('NOT x IN y')).toEqual(['negated-in-expansion "x IN y"']);
  expect(inWhere('(x IN y) = false')).toEqual(['negated-in-expansion "x IN y"']);
  expect(inWhere('x NOT IN y')).toEqual([]);
  expect(inWhere("NOT (auth.user_id() NOT IN auth.parameter('admins'))")).toEqual([]);
});

test('A subquery can be neither negated nor part of a larger expression', () => {
  expect(inWhere("'a' NOT IN (SELECT y FROM c)")).toEqual([
    'negated-subquery "\'a\' NOT IN (SELECT y FROM c)"',
  ]);
  expect(inWhere("CASE WHEN 'a' IN (SELECT y FROM c) THEN 1 END")).toEqual([
    'negated-subquery "\'a\' IN (SELECT y FROM c)"',
  ]);
  expect(inWhere("NOT ('a' NOT IN (SELECT y FROM c))")).toEqual([]);
});
