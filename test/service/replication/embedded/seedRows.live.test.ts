/** The rows that the SQL files of access tests make: they equal the rows of replication, and nothing is left behind. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patient } from '../../../../scripts/run/patience.ts';
import { systemClock } from '../../../../server/service/ground/clock.ts';
import { openSeedDatabase } from '../../../../server/service/replication/embedded/seeds/seedRows.ts';
import { untilTrue } from '../../../support/house/eventually.ts';
import { copied, neverAborted, options } from '../postgres/support.ts';
import { openEmbeddedDatabase } from './support.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-seeds-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let projects = 0;

/** @param files by their paths; the tables come from `migrations/` */
function project(files: Readonly<Record<string, string>>) {
  const root = join(folder, String(++projects));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return [{ path: join(root, 'migrations'), name: 'migrations', folder: root }];
}

const seed = (text: string, name = 'seed.sql') => ({ name, text });
const run = openSeedDatabase();

/** Returns the process ids of our seed databases, found by their command lines. Undefined if there is no `/proc`. */
function databases(): readonly string[] | undefined {
  try {
    return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && childOfOurs(pid));
  } catch {
    return undefined;
  }
}

function childOfOurs(pid: string): boolean {
  try {
    const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (
      Number(parent) === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('memory://')
    );
  } catch {
    return false;
  }
}

const allTypes = `
CREATE TYPE mood AS ENUM ('fine', 'sad');
CREATE TYPE place AS (x int, y text);
CREATE DOMAIN short AS varchar(3);
CREATE TABLE kinds (
  id uuid PRIMARY KEY, flag boolean NOT NULL DEFAULT false, small smallint, big bigint, price numeric(10, 2), ratio real,
  double double precision, made timestamptz NOT NULL DEFAULT now(), at timestamp, day date, clock time, gap interval,
  bytes bytea, document json, details jsonb, tags text[], numbers int[], feels mood, spot place, brief short, span int4range,
  total bigint GENERATED ALWAYS AS (big * 2) STORED
);`;

const allValues = `
INSERT INTO kinds (id, small, big, price, ratio, double, at, day, clock, gap, bytes, document, details, tags, numbers, feels,
  spot, brief, span, made)
VALUES ('6F9619FF-8B86-D011-B42D-00C04FC964FF', 1, 9007199254740993, 1.5, 0.1, 1e300, '2024-02-29 1:02:03.5', '2024-02-29',
  '4:05', '1 day 2 hours', '\\xDEAD', '{"a": 1.50}', '{"b": [1, null]}', ARRAY['x', NULL, 'a "b"'], '{1,2}', 'sad',
  (1, 'y'), 'abc', '[1,5)', '2024-01-01 00:00:00+02');
INSERT INTO kinds (id) SELECT ('00000000-0000-0000-0000-00000000000' || n)::uuid FROM generate_series(1, 3) AS n;
UPDATE kinds SET small = 7 WHERE id::text LIKE '%1';
DELETE FROM kinds WHERE id::text LIKE '%2';`;

test('rows of every kind of type have the values that replication sends', async () => {
  const schema = project({ 'migrations/1.sql': allTypes });
  const { tables, refused } = await run({ schema, seeds: [seed(allValues)], options }, neverAborted);
  expect(refused).toEqual([]);
  const database = await openEmbeddedDatabase(`${allTypes}${allValues}`);
  try {
    const stream = database.stream({});
    await stream.prepare(neverAborted);
    const pages = await copied(stream, await database.table('kinds'));
    const streamed = pages.flatMap(({ rows }) => rows);
    expect(streamed).toHaveLength(3);
    // The rows differ only in the time.
    const withoutMoment = (rows: readonly object[]) =>
      rows.map((row) => ({
        ...row,
        ...('made' in row && /^2024/.test(String(row.made)) ? {} : { made: 'now' }),
      }));
    expect(withoutMoment(tables[0]?.rows ?? [])).toEqual(withoutMoment(streamed));
  } finally {
    await database.close();
  }
});

test('the same files make the same rows, even with the current time and random values', async () => {
  const schema = project({
    'migrations/1.sql':
      'CREATE TABLE t (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), made timestamptz, n float8);',
  });
  const seeds = [seed('INSERT INTO t (made, n) SELECT now(), random() FROM generate_series(1, 3);')];
  const first = await openSeedDatabase()({ schema, seeds, options }, neverAborted);
  const second = await openSeedDatabase()({ schema, seeds, options }, neverAborted);
  expect(first).toEqual(second);
  const [{ rows } = { rows: [] }] = first.tables;
  expect(rows.map(({ made }) => made)).toEqual(Array(3).fill('2025-01-01T00:00:00.000000Z'));
  expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
});

test('files run in their order, and a file of the schema is not run again', async () => {
  const dump = "CREATE TABLE t (id int PRIMARY KEY, name text);\nINSERT INTO t VALUES (1, 'one');";
  const schema = project({ 'migrations/1.sql': dump });
  const seeds = [
    seed(dump, 'migrations/1.sql'),
    seed("INSERT INTO t VALUES (2, 'two');", 'a.sql'),
    seed('UPDATE t SET name = upper(name);', 'b.sql'),
  ];
  const { tables, refused } = await run({ schema, seeds, options }, neverAborted);
  expect(refused).toEqual([]);
  expect(tables).toEqual([
    {
      schema: 'public',
      name: 't',
      rows: [
        { id: 1n, name: 'ONE' },
        { id: 2n, name: 'TWO' },
      ],
    },
  ]);
});

test('a refused statement is reported with its file and line, and the others run', async () => {
  const schema = project({
    'migrations/1.sql': [
      'CREATE TABLE t (id int PRIMARY KEY, name text NOT NULL, other int);',
      "INSERT INTO t VALUES (1, 'one'), (1, 'again');",
      'CREATE TABLE broken (id nonsense);',
      'CREATE POLICY p ON nowhere USING (true);',
    ].join('\n'),
  });
  const seeds = [
    seed(
      [
        "INSERT INTO t VALUES (2, 'two');",
        'INSERT INTO t VALUES (3, NULL);',
        'INSERT INTO t VALUES (4, ;',
        "INSERT INTO nowhere VALUES ('x');",
        'INSERT INTO broken VALUES (1);',
        "COPY t FROM '/etc/passwd';",
        "INSERT INTO t VALUES (5, 'five');",
        "INSERT INTO t SELECT 6, pg_read_file('/etc/passwd');",
        "INSERT INTO t SELECT 7, e FROM pg_ls_dir('/proc/self') AS e;",
      ].join('\n'),
    ),
  ];
  const { tables, refused } = await run({ schema, seeds, options }, neverAborted);
  expect(tables.map(({ rows }) => rows.map(({ id }) => id))).toEqual([[2n, 5n]]);
  expect(refused.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
    expect.stringMatching(/^migrations\/1\.sql:2 duplicate key/),
    expect.stringMatching(/^seed\.sql:2 null value in column "name"/),
    expect.stringMatching(/^seed\.sql:3 syntax error/),
    'seed.sql:4 relation "nowhere" does not exist. No script of the project creates that table.',
    'seed.sql:5 relation "broken" does not exist. The statement that creates it was not run (migrations/1.sql:3): type "nonsense" does not exist.',
    expect.stringMatching(/^seed\.sql:6 it reads or writes a file/),
    'seed.sql:8 permission denied for function pg_read_file.',
    'seed.sql:9 permission denied for function pg_ls_dir.',
  ]);
});

test('a statement that never ends is refused, and the others are run', async () => {
  const schema = project({ 'migrations/1.sql': 'CREATE TABLE t (id int PRIMARY KEY);' });
  const endless = 'INSERT INTO t SELECT n FROM generate_series(10, 1000000000000) AS n;';
  const seeds = [seed(`INSERT INTO t VALUES (1);\n${endless}\nINSERT INTO t VALUES (2);`)];
  // The endless statement blocks a processor until the limit.
  const longest = patient(500);
  const hasty = openSeedDatabase({ clock: systemClock, longest });
  const { tables, refused } = await hasty({ schema, seeds, options }, neverAborted);
  expect(tables.map(({ rows }) => rows.map(({ id }) => id))).toEqual([[1n, 2n]]);
  expect(refused).toEqual([
    { file: 'seed.sql', line: 2, message: `it takes longer than ${longest / 1000} s.` },
  ]);
});

test('thirty thousand statements and 300,000 rows are accepted, and the same request is not run again', async () => {
  const schema = project({ 'migrations/1.sql': 'CREATE TABLE t (id text PRIMARY KEY, org text);' });
  const inserts = Array.from({ length: 30_000 }, (_, at) => `INSERT INTO t VALUES ('r${at}', 'org');`);
  const many = "INSERT INTO t SELECT 'r' || n, 'org' FROM generate_series(30000, 299999) AS n;";
  const ask = openSeedDatabase({ clock: systemClock, longest: 120_000 });
  const question = { schema, seeds: [seed([...inserts, many].join('\n'))], options };
  const answer = await ask(question, neverAborted);
  expect(answer.refused).toEqual([]);
  expect(answer.tables.map(({ rows }) => rows.length)).toEqual([300_000]);
  expect(await ask({ ...question }, neverAborted)).toBe(answer);
});

test('an unreadable schema is reported, as is a missing table', async () => {
  const schema = [{ path: join(folder, 'nowhere'), name: 'nowhere', folder }];
  const { refused } = await run(
    { schema, seeds: [seed('INSERT INTO t VALUES (1);')], options },
    neverAborted,
  );
  expect(refused).toEqual([
    { message: 'nowhere does not exist.' },
    { file: 'seed.sql', line: 1, message: expect.stringContaining('relation "t" does not exist.') },
  ]);
});

test('no process or file is left behind, even if the caller has gone', async () => {
  const schema = project({ 'migrations/1.sql': 'CREATE TABLE t (id int PRIMARY KEY);' });
  const leaving = new AbortController();
  const endless = seed('INSERT INTO t SELECT n FROM generate_series(1, 1000000000000) AS n;');
  const left = run({ schema, seeds: [endless], options }, leaving.signal);
  await untilTrue(() => databases()?.length !== 0);
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  await run({ schema, seeds: [seed('INSERT INTO t VALUES (1);')], options }, neverAborted);
  await untilTrue(() => (databases()?.length ?? 0) === 0);
  expect(readdirSync(process.cwd())).not.toContain('memory:');
});
