import { expect, test } from 'vitest';
import { findingsOf } from '../../../support/engine/stream.ts';

test('Table names, aliases and qualifiers are compared without case, columns with case', () => {
  expect(findingsOf('SELECT "A".ID FROM a WHERE A.x = 1')).toEqual([]);
  expect(findingsOf('SELECT t.id FROM "Trips" AS "T"')).toEqual([]);
  expect(findingsOf('SELECT q."ID" FROM (SELECT id FROM b) q')).toEqual([
    'unknown-subquery-column "q.\\"ID\\""',
  ]);
});

test('An alias hides the name of its table', () => {
  expect(findingsOf('SELECT ship.id FROM boats ship WHERE boats.x = 1')).toEqual([
    'table-not-in-from "boats.x"',
  ]);
});

test('Two FROM items cannot have the same name, even in different schemas', () => {
  expect(findingsOf('SELECT b.id FROM b, other.b')).toEqual(['duplicate-table-name "other.b"']);
  expect(findingsOf('SELECT b.id FROM b, c AS "B"')).toContain('duplicate-table-name "c AS \\"B\\""');
  expect(findingsOf('SELECT b.id FROM b, json_each(b.x), json_each(b.y)')).toEqual([
    'duplicate-table-name "json_each(b.y)"',
  ]);
});

test('An unqualified column needs exactly one item in the innermost FROM', () => {
  expect(findingsOf('SELECT b.id FROM b, c WHERE active')).toEqual(['ambiguous-reference "active"']);
  expect(findingsOf('SELECT id FROM b WHERE x IN (SELECT y FROM c JOIN d)')).toEqual([
    'ambiguous-reference "y"',
  ]);
  expect(findingsOf('SELECT WHERE x')).toEqual(['ambiguous-reference "x"']);
});

test('A query without FROM has one error, at the text before the missing FROM', () => {
  expect(findingsOf('SELECT id, a || b AS c WHERE d = 1 AND t.e = 2')).toEqual(['ambiguous-reference "c"']);
  expect(findingsOf('SELECT t.id, t.name')).toEqual(['ambiguous-reference "t.name"']);
  expect(findingsOf('SELECT *')).toEqual(['ambiguous-reference "*"']);
});

test('A subquery without FROM uses the names of the surrounding query', () => {
  expect(findingsOf('SELECT id FROM b WHERE 1 IN (SELECT x)')).toEqual([]);
  expect(findingsOf('SELECT id FROM b WHERE x IN (SELECT value FROM json_each(tags))')).toEqual([]);
});

test('A subquery in an expression sees the surrounding query, but a subquery in FROM does not', () => {
  expect(findingsOf('SELECT id FROM b WHERE x IN (SELECT y FROM c WHERE c.z = b.z)')).toEqual([]);
  expect(findingsOf('SELECT b.id FROM b, (SELECT y FROM c WHERE z = b.z) q WHERE q.y = b.y')).toEqual([
    'table-not-in-from "b.z"',
  ]);
});

test('ON and table functions see only the tables before them', () => {
  expect(findingsOf('SELECT a.id FROM a JOIN b ON c.x = a.x JOIN c')).toEqual(['table-not-in-from "c.x"']);
  expect(findingsOf('SELECT b.id FROM json_each(b.tags) f, b')).toEqual(['table-not-in-from "b.tags"']);
});

test('The columns of an unreadable FROM item are not checked', () => {
  expect(findingsOf('SELECT q.x FROM (SELECT id FROM b UNION SELECT id FROM c) q')).toEqual([
    'not-a-select "SELECT id FROM b UNION SELECT id FROM c"',
  ]);
  expect(findingsOf('SELECT * FROM (VALUES (1)) q')).toEqual(['not-a-select "VALUES (1)"']);
});

test('Tables and columns are checked against the catalog', () => {
  const catalog = 'create table boats (id text, name text)\ncreate table other.crew (id text)';
  const found = (sql: string) => findingsOf(sql, { catalog });
  expect(found('SELECT id, colour FROM boats WHERE nme = 1')).toEqual([
    'unknown-column "colour"',
    'unknown-column "nme"',
  ]);
  expect(found('SELECT id FROM baots')).toEqual(['unknown-table "baots"']);
  expect(found('SELECT id FROM crew')).toEqual(['unknown-table "crew"']);
  expect(found('SELECT id FROM other.crew')).toEqual([]);
  expect(found('SELECT id FROM othr.crew')).toEqual(['unknown-schema "othr"']);
  expect(found('SELECT id FROM third.crew')).toEqual(['unknown-table "third.crew"']);
  expect(found('SELECT whatever FROM nope WHERE x = 1')).toEqual(['unknown-table "nope"']);
});

test('A column of a wildcard table exists if one of the matching tables has it', () => {
  const catalog = 'create table log_a (id text, x text)\ncreate table log_b (id text, y text)';
  expect(findingsOf('SELECT id, x, y, z FROM "log_%"', { catalog })).toEqual(['unknown-column "z"']);
  expect(findingsOf('SELECT id FROM "other_%"', { catalog })).toEqual(['unknown-table "\\"other_%\\""']);
  expect(findingsOf('SELECT id FROM "pub%"."log_%"', { catalog })).toEqual([]);
});

test('A connection tag is refused, because a service would ignore it', () => {
  expect(findingsOf('SELECT id FROM "east.marina".piers')).toEqual([
    'connection-tag-ignored "\\"east.marina\\""',
  ]);
  expect(findingsOf('SELECT id FROM "a.b.c".piers')).toEqual(['invalid-schema-name "\\"a.b.c\\""']);
});
