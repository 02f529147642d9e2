import { expect, test } from 'vitest';
import { compileSql, findingsOf } from '../../../support/engine/stream.ts';

test('A subquery next to IN or && has exactly one column', () => {
  expect(findingsOf('SELECT id FROM b WHERE x IN (SELECT y, z FROM c)')).toEqual([
    'subquery-single-column "SELECT y, z FROM c"',
  ]);
  expect(findingsOf('SELECT id FROM b WHERE x IN (SELECT * FROM c)')).toEqual([
    'subquery-single-column "SELECT * FROM c"',
  ]);
  expect(findingsOf('SELECT id FROM b WHERE x && (SELECT FROM c)')).toEqual([
    'subquery-single-column "SELECT FROM c"',
  ]);
  expect(findingsOf('SELECT id FROM b WHERE x IN (SELECT y FROM c UNION SELECT z FROM d)')).toEqual([
    'subquery-position "SELECT y FROM c UNION SELECT z FROM d"',
  ]);
});

test('A subquery in FROM lists its columns, each name once', () => {
  expect(findingsOf('SELECT q.id FROM (SELECT * FROM b) q')).toEqual(['star-in-subquery "*"']);
  expect(findingsOf('SELECT q.id FROM (SELECT id, x AS id FROM b) q')).toEqual([
    'duplicate-column "x AS id"',
  ]);
  expect(findingsOf('SELECT q.id FROM (SELECT FROM b) q')).toContain('unknown-subquery-column "q.id"');
});

test('An alias list renames the columns of a subquery, but not those of a CTE', () => {
  expect(findingsOf('SELECT q.b FROM (SELECT id, upper(id) FROM t) AS q (a, b)')).toEqual([]);
  expect(findingsOf('SELECT q.a, q.z FROM (SELECT id, x FROM t) AS q (a, b, c)')).toEqual([
    'subquery-column-count "SELECT id, x FROM t"',
    'unknown-subquery-column "q.z"',
  ]);
  const ctes = { c: 'SELECT id, x FROM t' };
  expect(findingsOf('SELECT q.id FROM c AS q (a, b)', { ctes })).toEqual([]);
  expect(findingsOf('SELECT q.a FROM c AS q (a, b)', { ctes })).toEqual(['unknown-subquery-column "q.a"']);
});

test('A CTE is found by its name in FROM, and without a qualifier next to IN and &&', () => {
  const ctes = { Mine: 'SELECT id FROM t' };
  const used = [
    'SELECT * FROM mine',
    'SELECT b.* FROM b JOIN MINE ON "MINE".id = b.x',
    'SELECT * FROM b WHERE x IN mine',
    'SELECT * FROM b WHERE x IN ("mine")',
    'SELECT * FROM b WHERE x && mine',
  ];
  for (const sql of used) expect(findingsOf(sql, { ctes })).toEqual([]);
  for (const sql of [
    'SELECT * FROM b WHERE x IN b.mine',
    'SELECT * FROM b WHERE x = mine',
    'SELECT id FROM public.mine',
  ])
    expect(findingsOf(sql, { ctes })).toEqual(['unused-cte Mine']);
});

test('The shorthand needs one column', () => {
  const ctes = { c: 'SELECT id, x FROM t' };
  expect(findingsOf('SELECT * FROM b WHERE x IN c', { ctes })).toEqual(['cte-single-column "c"']);
});

test('Problems of a CTE are reported once, in its own text', () => {
  const ctes = { c: 'SELECT nope(id) FROM t LIMIT 1' };
  expect(findingsOf('SELECT * FROM b WHERE x IN c AND y IN c', { ctes })).toEqual([
    'c: unknown-function "nope"',
    'c: unnamed-column "nope(id)"',
    'c: unsupported-clause "LIMIT 1"',
  ]);
});

test('A NOT IN over a subquery or CTE is one mistake, which is marked at its place', () => {
  const ctes = { mine: 'SELECT id FROM t WHERE owner = auth.user_id()' };
  expect(findingsOf('SELECT * FROM b WHERE x NOT IN mine', { ctes })).toEqual([
    'negated-subquery "x NOT IN mine"',
  ]);
  expect(
    findingsOf('SELECT * FROM b WHERE x NOT IN (SELECT id FROM t WHERE owner = auth.user_id())'),
  ).toEqual(['negated-subquery "x NOT IN (SELECT id FROM t WHERE owner = auth.user_id())"']);
});

test('A condition in a CTE is checked where the CTE is used', () => {
  const ctes = { c: 'SELECT id FROM t WHERE x > auth.user_id()' };
  expect(findingsOf('SELECT * FROM b', { ctes })).toEqual(['unused-cte c']);
  expect(findingsOf('SELECT * FROM b WHERE x IN c', { ctes })).toEqual([
    'c: mixed-row-and-parameter "auth.user_id()"',
  ]);
});

test('A global CTE is checked on its own, and a CTE of the stream hides it', () => {
  const globals = { c: 'SELECT nope(id) AS id FROM t' };
  expect(findingsOf('SELECT * FROM b WHERE x IN c', { globals })).toEqual(['c: unknown-function "nope"']);
  const judged = { c: 'SELECT id FROM t WHERE x > auth.user_id()' };
  expect(findingsOf('SELECT * FROM b WHERE x IN c', { globals: judged })).toEqual([
    'c: mixed-row-and-parameter "auth.user_id()"',
  ]);
  const both = compileSql('SELECT * FROM b WHERE x IN c', { globals, ctes: { C: 'SELECT id FROM t' } });
  expect(both.usedGlobalCtes.size).toBe(0);
  const used = compileSql('SELECT * FROM b WHERE x IN c', { globals: { c: 'SELECT id FROM t' } });
  expect([...used.usedGlobalCtes].map(({ name }) => name)).toEqual(['c']);
});

test('A CTE cannot use another CTE, but its own name in its query is that of a table', () => {
  const ctes = {
    mine: 'SELECT id FROM mine',
    more: 'SELECT id FROM t WHERE x IN mine',
    other: 'SELECT id FROM more',
  };
  expect(findingsOf('SELECT * FROM b WHERE x IN mine AND x IN more AND x IN other', { ctes })).toEqual([
    'more: cte-in-cte "mine"',
    'other: cte-in-cte "more"',
  ]);
  const catalog = 'create table more (id text)\ncreate table b (x text)\ncreate table mine (id text)';
  expect(
    findingsOf('SELECT * FROM b WHERE x IN other', {
      ctes: { more: 'SELECT id FROM mine', other: ctes.other },
      catalog,
    }),
  ).not.toContain('other: cte-in-cte "more"');
});

test('A CTE with the name of a table has a warning', () => {
  const setting = {
    ctes: { boats: 'SELECT id FROM t' },
    catalog: 'create table boats (id text)\ncreate table t (id text)',
  };
  expect(findingsOf('SELECT id FROM t WHERE id IN boats', setting)).toEqual(['cte-shadows-table boats']);
});
