/** Claims on configs and changes that leak through undecidable conditions are refuted, or at least not proven. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analyze, readSqlFiles, severityOf } from '../../../server/engine/index.ts';
import { compareAccess } from '../../../server/engine/tests/search/access.ts';
import { searchClaim } from '../../../server/engine/tests/search/always.ts';
import { finish } from '../../../server/engine/tests/search/search.ts';
import { toTestSubject } from '../../../server/engine/tests/subject.ts';
import { type OpenJudge, openJudge } from '../../../server/shared/claimJudge.ts';
import { failuresIn, problemsIn } from '../../support/engine/accessTests.ts';
import { claimOf, stopAfter } from '../../support/engine/claims.ts';

let sqlite: OpenJudge;
beforeAll(async () => {
  sqlite = await openJudge();
});
afterAll(() => sqlite.close());

function configOf(query: string, sql?: string) {
  const text = `config: { edition: 3 }\nstreams:\n  s0:\n    auto_subscribe: ${!query.includes('subscription.')}\n    accept_potentially_dangerous_queries: true\n    query: ${JSON.stringify(query)}\n`;
  const catalog = sql === undefined ? undefined : readSqlFiles([{ path: 'a.sql', text: sql }])?.catalog;
  const { config, findings } = analyze(text, { kind: 'sync', ...(catalog && { catalog }) });
  const errors = findings.filter(({ code }) => severityOf(code) === 'error');
  if (config === undefined || errors.length > 0) throw new Error(`${text}${JSON.stringify(errors)}`);
  return { config, catalog };
}

const limits = () => stopAfter(1_000);

function verdictOf(query: string, table: string, holds: string, sql?: string) {
  const { config, catalog } = configOf(query, sql);
  const claim = claimOf(table, holds);
  return finish(searchClaim(claim, toTestSubject(config), catalog, sqlite.judge, limits()));
}

function differencesOf(before: string, after: string, sql?: string) {
  const [old, now] = [configOf(before, sql), configOf(after, sql)];
  return finish(compareAccess(old.config, now.config, old.catalog, limits));
}

/** Conditions that accept rows which the claim `secret = 0` forbids. */
const computed = [
  'CAST(owner_id AS TEXT) = auth.user_id()',
  "upper(code) = auth.parameter('code')",
  "'user:' || owner = auth.user_id()",
  'length(code) = 3',
  'json_array_length(tags) > 2',
  "hex(k) = auth.parameter('k')",
  "hex(k) = '6162'",
  "substring(path, 1, 7) = 'public/'",
  "lower(email) = auth.parameter('email')",
  'unixepoch(at) > 1700000000',
  "json_extract(meta, '$.team') = auth.parameter('team')",
];

describe('A leak through a computed condition is refuted', () => {
  test.each(computed)('%s', (condition) => {
    expect(verdictOf(`SELECT * FROM docs WHERE ${condition}`, 'docs', 'ifnull(secret, 0) = 0').kind).toBe(
      'counterexample',
    );
  });

  test.each(computed)('%s, and one more condition that a change drops', (condition) => {
    const query = `SELECT * FROM docs WHERE ${condition}`;
    const { changes } = differencesOf(`${query} AND secret = 0`, query);
    expect(changes.map(({ kind }) => kind)).toEqual(['gained']);
  });
});

describe('Values between, below and above constants', () => {
  test.each([
    ["d < '2024-06-01'", "d >= '2024-01-01'"],
    ['score > 1.0 AND score < 2.0', 'score = 1.25'],
    ['n > 10', 'n % 7 <> 0'],
    ["substring(path, 1, 7) = 'public/'", "path = 'public/'"],
    ["lower(email) = auth.parameter('email')", "email = auth.parameter('email')"],
    ["name <> 'a'", "name <> ''"],
    ['owner = auth.user_id()', 'secret IS NOT NULL'],
    ["email = lower(auth.parameter('email'))", "email = auth.parameter('email')"],
    ["json_extract(meta, '$.a') = 1", "json_extract(meta, '$.b') = 1"],
  ])('%s does not imply %s', (condition, claim) => {
    expect(verdictOf(`SELECT * FROM docs WHERE ${condition}`, 'docs', claim).kind).toBe('counterexample');
  });

  test.each([
    ["d >= '2024-01-01' AND d < '2024-06-01'", "d < '2024-06-01'"],
    ["path = 'public/'", "substring(path, 1, 7) = 'public/'"],
    ['unixepoch(at) > 1700000000', 'unixepoch(at) > 1600000000'],
    ['owner = auth.user_id()', 'lower(owner) = auth.user_id()'],
    ["json_extract(meta, '$.a') = 1", "json_extract(meta, '$.a') >= 1"],
    ["email = lower(auth.parameter('email'))", "lower(email) = lower(auth.parameter('email'))"],
  ])('%s is widened by %s', (before, after) => {
    const { changes } = differencesOf(
      `SELECT * FROM docs WHERE ${before}`,
      `SELECT * FROM docs WHERE ${after}`,
    );
    expect(changes.map(({ kind }) => kind)).toContain('gained');
  });

  test.each([
    ['n > 10', 'n > 5'],
    ['n BETWEEN 2 AND 4', 'n >= 2 AND n < 5'],
    ["d < '2024-06-01'", "d < '2025-01-01'"],
  ])('%s is proven to imply %s', (condition, claim) => {
    expect(verdictOf(`SELECT * FROM docs WHERE ${condition}`, 'docs', claim).kind).toBe('proven');
  });
});

describe('No undecidable claim is proven', () => {
  test.each([
    ['a function', "upper(kind) = 'A'", 'kind IS NOT NULL'],
    ['a cast', 'CAST(n AS TEXT) = auth.user_id()', 'n IS NOT NULL'],
    ['an ordering between columns', 'a < b', 'a IS NOT NULL'],
    ['a condition that no sample makes true', "hex(hex(hex(k))) = 'zzz'", '1 = 0'],
    ['a function of the claim', 'owner = auth.user_id()', "owner LIKE '%' OR owner = auth.user_id()"],
    ['arithmetic', 'n + 1 = 3', 'n = 2'],
  ])('%s', (_, condition, claim) => {
    const result = verdictOf(`SELECT * FROM docs WHERE ${condition}`, 'docs', claim);
    expect(result.kind).not.toBe('proven');
    if (result.kind === 'not refuted') expect(result.limits.length).toBeGreaterThan(0);
  });
});

describe('A row that the query sends is tried', () => {
  const legacy = (parameters: string, condition: string) =>
    `bucket_definitions:\n  b:\n    parameters: ${JSON.stringify(parameters)}\n    data: [${JSON.stringify(`SELECT * FROM docs WHERE ${condition}`)}]\n`;

  test.each([
    ["'a' IN tags"],
    ['5 IN tags'],
    ["'admin' IN auth.parameter('roles')"],
    ["id IN (SELECT doc FROM shares WHERE 'a' IN shares.tags)"],
    ["owner = auth.user_id() AND 'a' IN (meta ->> 'tags')"],
  ])('with an element that is only compared with a constant: %s', (condition) => {
    const query = `SELECT * FROM docs WHERE ${condition}`;
    expect(verdictOf(query, 'docs', "auth.parameter('role') = 'admin'").kind).toBe('counterexample');
    expect(differencesOf(`${query} AND secret = 0`, query).changes.map(({ kind }) => kind)).toEqual([
      'gained',
    ]);
  });

  test.each([
    ['5 IN ns', [5n]],
    ["'a' IN names", ['a']],
    ['auth.user_id() IN editors', ['00000000-0000-4000-8000-000000000001']],
  ])('with elements of the type of the column: %s', (condition, list) => {
    const sql =
      'CREATE TABLE docs (id text PRIMARY KEY, ns int[], names text[], editors uuid[], secret text);';
    const result = verdictOf(`SELECT * FROM docs WHERE ${condition}`, 'docs', "secret = 'x'", sql);
    const { id: _, ...values } = result.kind === 'counterexample' ? result.candidate.main.values : {};
    expect(Object.values(values)).toEqual([list]);
  });

  test('with an element that is not compared', () => {
    const query = 'SELECT docs.* FROM docs, json_each(docs.tags) AS t WHERE t.value IS NOT NULL';
    expect(verdictOf(query, 'docs', 'secret = 0').kind).toBe('counterexample');
  });

  test.each([
    ["SELECT request.jwt() ->> 'app_metadata.org' AS org", 'org = bucket.org'],
    ["SELECT request.jwt() ->> '$' AS org", 'org = bucket.org'],
    ['SELECT request.user_id() AS me', "meta ->> 'a.b' = 'x' AND owner = bucket.me"],
  ])('or nothing is proven: %s, %s', (parameters, condition) => {
    const { config } = analyze(legacy(parameters, condition), { kind: 'sync' });
    if (config === undefined) throw new Error('There is no config.');
    const claim = claimOf('docs', "secret = 'x'");
    const result = finish(searchClaim(claim, toTestSubject(config), undefined, sqlite.judge, limits()));
    expect(result.kind).not.toBe('proven');
  });

  test('or nothing is proven, although the conditions contradict each other', () => {
    const result = verdictOf("SELECT * FROM docs WHERE org = 'b' AND org = 'c'", 'docs', '1 = 1');
    expect(result.kind === 'not refuted' && result.limits).toEqual(['unreached']);
  });
});

describe('A path of JSON that may mean something else than names', () => {
  test.each([`'$."a.b"'`, "'$.a[0]'", "'[0]'", "'$.a[#-1]'", '\'$."a b"\'', "'0'"])(
    'proves nothing in a claim: %s',
    (path) => {
      expect(verdictOf('SELECT * FROM docs', 'docs', `meta ->> ${path} IS NULL`).kind).not.toBe('proven');
    },
  );

  test.each(["'$'", "'$x.y'", "'[0]'", "'$.a[0]'", "'0'", "'x.y'"])(
    'proves nothing in a query: %s',
    (path) => {
      const query = `SELECT * FROM docs WHERE meta ->> ${path} = 'x'`;
      expect(verdictOf(query, 'docs', `meta ->> ${path} = 'x'`).kind).not.toBe('proven');
    },
  );

  test('a JSON null is the text `null` before fixed_json_extract', () => {
    const text =
      'config: { edition: 1 }\nbucket_definitions:\n  b:\n    data: ["SELECT * FROM docs WHERE meta ->> \'k\' IS NOT NULL"]\n';
    const { config } = analyze(text, { kind: 'sync' });
    if (config === undefined) throw new Error('There is no config.');
    const claim = claimOf('docs', "meta ->> 'k' IS NOT NULL");
    const result = finish(searchClaim(claim, toTestSubject(config), undefined, sqlite.judge, limits()));
    expect(result.kind === 'not refuted' && result.limits).toEqual(['json']);
  });

  test('a path of names has the same meaning in queries and claims', () => {
    const holds = "org = auth.parameter('$.app_metadata.org')";
    expect(verdictOf(`SELECT * FROM docs WHERE ${holds}`, 'docs', holds).kind).toBe('proven');
    expect(verdictOf('SELECT * FROM docs', 'docs', holds).kind).toBe('counterexample');
  });
});

describe('A claim names a table of the source or of clients', () => {
  const joined = 'SELECT m.* FROM messages m JOIN channel_members c ON c.user_id = auth.user_id()';

  test.each(['messages', 'm'])('an alias: %s', (table) => {
    expect(verdictOf(joined, table, "channel = 'c1'").kind).toBe('counterexample');
  });

  test('constants of the claim are also tried for an alias', () => {
    const query = 'SELECT b.* FROM boats b JOIN crew c ON c.boat = b.id WHERE c.user_id = auth.user_id()';
    expect(verdictOf(query, 'b', 'ifnull(secret, 0) = 0').kind).toBe('counterexample');
  });

  test('a wildcard', () => {
    expect(verdictOf('SELECT * FROM "team_%"', 'team_red', "owner = 'a'").kind).toBe('counterexample');
  });

  test('an expectation also names such a table', () => {
    const config =
      'config: { edition: 3 }\nstreams:\n  s:\n    auto_subscribe: true\n    query: SELECT m.* FROM messages m\n';
    const file = (table: string) =>
      `config: x\nusers: { eve: { id: eve } }\nrows: { messages: [{ id: m1 }] }\ntests: [{ name: it, expect: { eve: { ${table}: none } } }]\n`;
    for (const table of ['messages', 'm']) {
      expect(problemsIn(file(table), config)).toEqual([]);
      expect(failuresIn(file(table), config).it?.[0]).toContain('eve gets m m1, which is not expected.');
    }
  });

  test('a name with several meanings is an error that lists the choices', () => {
    const { config } = analyze(
      'config: { edition: 3 }\nstreams:\n  a: { query: SELECT * FROM messages }\n  b: { query: SELECT * FROM posts AS messages }\n',
      { kind: 'sync' },
    );
    if (config === undefined) throw new Error('There is no config.');
    const claim = claimOf('messages', 'id = 1');
    const result = finish(searchClaim(claim, toTestSubject(config), undefined, sqlite.judge, limits()));
    expect(result.kind === 'unreadable' && result.reason).toContain('`posts`');
  });
});

describe('A counterexample is possible in the source', () => {
  const sql = `CREATE TYPE kind AS ENUM ('open', 'closed');
CREATE TABLE lists (id uuid PRIMARY KEY, owner text NOT NULL);
CREATE TABLE docs (id uuid PRIMARY KEY, pub boolean NOT NULL, amount numeric, kind kind, list_id uuid REFERENCES lists (id));`;

  test('booleans are 0 or 1', () => {
    expect(verdictOf('SELECT * FROM docs WHERE pub', 'docs', 'pub = 1', sql).kind).toBe('proven');
  });

  test('an enum has only its values', () => {
    const query = "SELECT * FROM docs WHERE NOT (kind = 'open')";
    expect(verdictOf(query, 'docs', "kind = 'closed' OR kind IS NULL", sql).kind).toBe('proven');
  });

  test('a row exists to whose primary key a column refers', () => {
    const tables = `CREATE TABLE profiles (user_id uuid PRIMARY KEY, name text);
CREATE TABLE notes (id uuid PRIMARY KEY, owner uuid REFERENCES profiles);`;
    const claim = 'owner IS NULL OR EXISTS (SELECT 1 FROM profiles p WHERE p.user_id = notes.owner)';
    expect(verdictOf('SELECT * FROM notes', 'notes', claim, tables).kind).toBe('not refuted');
    expect(verdictOf('SELECT * FROM notes', 'notes', 'owner IS NULL', tables).kind).toBe('counterexample');
  });

  test('a row exists to which several columns refer', () => {
    const tables = `CREATE TABLE teams (org int, code text, PRIMARY KEY (org, code));
CREATE TABLE notes (id uuid PRIMARY KEY, org int NOT NULL, code text NOT NULL, FOREIGN KEY (code, org) REFERENCES teams (code, org));`;
    const claim = 'EXISTS (SELECT 1 FROM teams t WHERE t.org = notes.org AND t.code = notes.code)';
    expect(verdictOf('SELECT * FROM notes', 'notes', claim, tables).kind).toBe('not refuted');
    expect(verdictOf('SELECT * FROM notes', 'notes', 'code IS NULL', tables).kind).toBe('counterexample');
  });

  test('a referenced row exists', () => {
    const result = verdictOf('SELECT * FROM docs', 'docs', 'list_id IS NULL', sql);
    expect(result.kind === 'counterexample' && result.candidate.rows.map(({ table }) => table)).toEqual([
      'docs',
      'lists',
    ]);
  });
});

describe('A name in a claim means the column that SQLite reads', () => {
  const sql = `CREATE TABLE teams (id bigint PRIMARY KEY, parent_id bigint, name text);
CREATE TABLE memberships (team_id bigint, user_id text, PRIMARY KEY (team_id, user_id));`;
  const members = 'SELECT team_id FROM memberships WHERE user_id = auth.user_id()';
  const query = `SELECT * FROM teams WHERE parent_id IN (${members})`;

  test('on the left of IN, it is not a column of the subquery', () => {
    expect(verdictOf(query, 'teams', `id IN (${members})`, sql).kind).toBe('counterexample');
    expect(verdictOf(query, 'teams', `parent_id IN (${members})`, sql).kind).toBe('proven');
  });

  test('`id` is not a column of a table without one', () => {
    const claim = 'EXISTS (SELECT 1 FROM memberships WHERE team_id = id AND user_id = auth.user_id())';
    expect(verdictOf(query, 'teams', claim, sql).kind).toBe('counterexample');
    expect(verdictOf(`SELECT * FROM teams WHERE id IN (${members})`, 'teams', claim, sql).kind).toBe(
      'proven',
    );
  });

  test('a claim is not proven if the table of a name is unknown', () => {
    const claim = 'EXISTS (SELECT 1 FROM bans WHERE who = owner)';
    expect(verdictOf('SELECT * FROM docs', 'docs', `NOT ${claim} OR ${claim}`)).toMatchObject({
      kind: 'not refuted',
      limits: ['columns'],
    });
  });

  test('in any case', () => {
    const mine = 'SELECT * FROM docs WHERE "ownerId" = auth.user_id()';
    expect(verdictOf(mine, 'docs', 'OWNERID = auth.user_id()').kind).toBe('proven');
    expect(verdictOf(mine, 'docs', "ownerId <> 'a'").kind).toBe('counterexample');
  });
});

describe('Columns', () => {
  const sql = 'CREATE TABLE users (id text, email text, secret text);';

  test('that a change adds are gained', () => {
    const { changes } = differencesOf('SELECT id, email FROM users', 'SELECT * FROM users', sql);
    expect(changes.map(({ kind, table, columns }) => ({ kind, table, columns }))).toEqual([
      { kind: 'gained', table: 'users', columns: ['secret'] },
    ]);
  });

  test('that are computed from another column are gained', () => {
    const { changes } = differencesOf('SELECT id, email FROM users', 'SELECT id, secret AS email FROM users');
    expect(changes.map(({ kind, columns }) => ({ kind, columns }))).toContainEqual({
      kind: 'gained',
      columns: ['email'],
    });
  });

  test('that are written in another order change nothing', () => {
    expect(differencesOf('SELECT id, email FROM users', 'SELECT email, id FROM users')).toMatchObject({
      changes: [],
      isExhausted: true,
    });
  });
});
