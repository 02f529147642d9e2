import { expect, test } from 'vitest';
import { dumpPlan } from '../../../../server/engine/plan/dump.ts';
import { compileSql, type StreamSetting } from '../../../support/engine/stream.ts';

function drawn(sql: string | readonly string[], setting?: StreamSetting): string[] {
  const { plan, findings } = compileSql(sql, setting);
  return plan ? dumpPlan(plan).split('\n') : [...findings];
}

test('Conditions on the row become its filter, and matches with the request become its keys', () => {
  expect(drawn("SELECT id, upper(name) AS name FROM b WHERE kind != 'x' AND owner = auth.user_id()")).toEqual(
    [
      'source 0: rows of b if (not (= .kind "x")) under [.owner] as b (id, name = upper(.name))',
      'route to source 0',
      '  under [(->> auth "sub")]',
    ],
  );
});

test('Conditions on the request guard the route, but the rows are always stored', () => {
  expect(drawn("SELECT * FROM b WHERE auth.parameter('role') = 'clerk' AND 0")).toEqual([
    'source 0: rows of b as b (*)',
    'route to source 0 if (= (->> auth "role") "clerk") and 0',
  ]);
});

test('OR over one table stays one filter, but other ORs result in branches', () => {
  expect(
    drawn(
      "SELECT * FROM b WHERE (k = 1 OR k = 2 AND l = 3) AND (owner = auth.user_id() OR auth.parameter('admin'))",
    ),
  ).toEqual([
    'source 0: rows of b if (or (= .k 1) (and (= .k 2) (= .l 3))) under [.owner] as b (*)',
    'source 1: rows of b if (or (= .k 1) (and (= .k 2) (= .l 3))) as b (*)',
    'route to source 0',
    '  under [(->> auth "sub")]',
    'route to source 1 if (->> auth "admin")',
  ]);
});

test('Nested NOTs cancel each other', () => {
  expect(
    drawn("SELECT * FROM b WHERE NOT (NOT (kind = 'a' AND (owner = auth.user_id() OR public)))"),
  ).toEqual([
    'source 0: rows of b if (= .kind "a") under [.owner] as b (*)',
    'source 1: rows of b if (= .kind "a") and .public as b (*)',
    'route to source 0',
    '  under [(->> auth "sub")]',
    'route to source 1',
  ]);
});

test('Branches with the same buckets for a request share a source', () => {
  expect(
    drawn(['SELECT * FROM b WHERE x = auth.user_id()', 'SELECT id FROM c WHERE auth.user_id() = y AND open']),
  ).toEqual([
    'source 0: rows of b under [.x] as b (*)',
    'source 0: rows of c if .open under [.y] as c (id)',
    'route to source 0',
    '  under [(->> auth "sub")]',
  ]);
});

test('Two routes to the same rows under the same keys share a source', () => {
  const plan = drawn(
    "SELECT * FROM b WHERE y = auth.parameter('q') AND x = auth.user_id() OR x = auth.parameter('p') AND y = auth.parameter('a')",
  );
  expect(plan).toEqual([
    'source 0: rows of b under [.x, .y] as b (*)',
    'route to source 0',
    '  under [(->> auth "sub"), (->> auth "q")]',
    'route to source 0',
    '  under [(->> auth "p"), (->> auth "a")]',
  ]);
});

test('A join of the output row is a lookup that starts at the request', () => {
  expect(
    drawn(
      'SELECT notes.* FROM crew, notes, trips WHERE crew.u = auth.user_id() AND notes.trip = trips.id AND trips.boat = crew.boat',
    ),
  ).toEqual([
    'source 0: rows of notes under [.trip] as notes (*)',
    'lookup 0: rows of crew, by [.u], gives [.boat]',
    'lookup 1: rows of trips, by [.boat], gives [.id]',
    'route to source 0',
    '  step 0: lookup 0 with [(->> auth "sub")]',
    '  step 1: lookup 1 with [step 0.0], stage 1',
    '  under [step 1.0]',
  ]);
});

test('The selective table is looked up first', () => {
  expect(
    drawn(
      'SELECT p.* FROM p, q, r WHERE p.a = q.a AND p.b = r.b AND q.c = r.c AND q.u = auth.user_id()',
    ).slice(1),
  ).toEqual([
    'lookup 0: rows of q, by [.u], gives [.c, .a]',
    'lookup 1: rows of r, by [.c], gives [.b]',
    'route to source 0',
    '  step 0: lookup 0 with [(->> auth "sub")]',
    '  step 1: lookup 1 with [step 0.0], stage 1',
    '  under [step 0.1, step 1.0]',
  ]);
});

test('Several matches on one expression of the row must agree', () => {
  expect(
    drawn(
      "SELECT * FROM b WHERE x = subscription.parameter('x') AND x IN (SELECT y FROM c WHERE u = auth.user_id())",
    ),
  ).toEqual([
    'source 0: rows of b under [.x] as b (*)',
    'lookup 0: rows of c, by [.u], gives [.y]',
    'route to source 0',
    '  step 0: lookup 0 with [(->> auth "sub")]',
    '  under [(->> subscription "x") & step 0.0]',
  ]);
});

test('A table that is not joined with the row must have a row, but a table without conditions has no effect', () => {
  expect(drawn('SELECT b.* FROM b, c, d WHERE c.open = 1')).toEqual([
    'source 0: rows of b as b (*)',
    'lookup 0: rows of c if (= .open 1), must exist',
    'route to source 0',
    '  step 0: lookup 0',
  ]);
});

test('Lists of the row result in keys, and lists of the request result in values', () => {
  expect(
    drawn("SELECT * FROM b WHERE auth.user_id() IN crew AND 'x' IN tags AND x IN auth.parameter('l')"),
  ).toEqual([
    'source 0: rows of b x [0] json_each(.tags) x [1] json_each(.crew) if (= "x" [0].value) under [.x, [1].value] as b (*)',
    'route to source 0',
    '  step 0: elements of json_each((->> auth "l")), gives [[0].value]',
    '  under [step 0.0, (->> auth "sub")]',
  ]);
});

test('NOT over a list tests the whole list', () => {
  const filter = 'source 0: rows of b if (not (in .x .y)) as b (*)';
  for (const condition of ['x NOT IN y', 'NOT (NOT (x NOT IN y))'])
    expect(drawn(`SELECT * FROM b WHERE ${condition}`)[0]).toBe(filter);
  expect(drawn("SELECT * FROM b WHERE 'blocked' NOT IN auth.parameter('roles')")[1]).toBe(
    'route to source 0 if (not (in "blocked" (->> auth "roles")))',
  );
});

test('The columns of subqueries and CTEs are those of the table inside', () => {
  const ctes = { mine: 'SELECT id, upper(name) AS name FROM boats WHERE owner = auth.user_id()' };
  expect(drawn('SELECT q.*, q.name || 1 AS n FROM mine q', { ctes })).toEqual([
    'source 0: rows of boats under [.owner] as boats (id, name = upper(.name), n = (|| upper(.name) 1))',
    'route to source 0',
    '  under [(->> auth "sub")]',
  ]);
});

test('A wildcard keeps the names of its tables unless there is an alias', () => {
  expect(drawn('SELECT id FROM "log_%"')[0]).toBe('source 0: rows of log_% as their table (id)');
  expect(drawn('SELECT id FROM "tenant_%"."log_%" AS logs')[0]).toBe(
    'source 0: rows of tenant_%.log_% as logs (id)',
  );
});

test('Equal lookups are merged', () => {
  expect(
    drawn([
      'SELECT * FROM b WHERE x IN (SELECT y FROM c WHERE u = auth.user_id())',
      'SELECT id FROM d WHERE z IN (SELECT "y" FROM "c" q WHERE auth.user_id() = q.u)',
    ]).filter((line) => line.startsWith('lookup')),
  ).toEqual(['lookup 0: rows of c, by [.u], gives [.y]']);
});

test('A stream with an error has no plan', () => {
  expect(compileSql(['SELECT * FROM b', 'SELECT nope(x) AS y FROM b']).plan).toBeUndefined();
  expect(
    compileSql('SELECT * FROM b WHERE x IN c', { ctes: { c: 'SELECT nope(x) AS y FROM b' } }).plan,
  ).toBeUndefined();
});

test('A text with a syntax error has neither a plan nor other findings', () => {
  const { plan, findings } = compileSql('SELECT nope(x) FROM b ORDER x');
  expect([plan, findings]).toEqual([undefined, []]);
  expect(
    compileSql('SELECT * FROM b WHERE x IN c', { ctes: { c: 'SELECT id FROM b ORDER x' } }).plan,
  ).toBeUndefined();
});

test('A plan can be copied, because it does not refer to the syntax tree', () => {
  const { plan, texts } = compileSql(
    "SELECT * FROM b WHERE x IN (SELECT y FROM c WHERE u = auth.parameter('l'))",
  );
  expect(structuredClone(plan)).toEqual(plan);
  const at = plan?.lookups[0]?.inputs[0]?.at;
  expect(at && texts[at.text]?.sql.text.slice(at.span.start, at.span.end)).toBe('u');
});
