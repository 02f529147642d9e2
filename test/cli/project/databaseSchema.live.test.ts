/** `--schema postgresql://…`: tables and columns of a database that is there. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { root } from '../../../scripts/root.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../support/processes/postgres.ts';
import { startProcess } from '../../support/processes/runningProcess.ts';

describe.skipIf(postgresPrograms.kind === 'missing')('The tables of a PostgreSQL', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-catalog-')));
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres({});
    await postgres.query(`
      CREATE SCHEMA "Other app";
      CREATE TYPE "Other app".state AS ENUM ('open', 'it''s done');
      CREATE DOMAIN short AS varchar(20);
      CREATE TABLE lists (id uuid PRIMARY KEY, "Name" short NOT NULL, state "Other app".state, tags text[], gone int);
      ALTER TABLE lists DROP COLUMN gone;
      CREATE TABLE "Other app"."To dos" (id bigint, list uuid REFERENCES lists (id), at timestamptz, photo bytea);
      CREATE TABLE years (id int, year int, PRIMARY KEY (id, year)) PARTITION BY LIST (year);
      CREATE TABLE years_1 PARTITION OF years FOR VALUES IN (1);
      CREATE TABLE nothing ();
      CREATE TABLE days (id int, at date) PARTITION BY RANGE (at);
      CREATE VIEW seen AS SELECT id FROM lists;
      CREATE MATERIALIZED VIEW counted AS SELECT count(*) AS number FROM lists;
      CREATE UNLOGGED TABLE cache (id int);`);
    writeFileSync(
      join(folder, 'sync.yaml'),
      `config: { edition: 3 }
streams:
  lists: { query: 'SELECT id, "Name", state, gone FROM lists' }
  todos: { query: 'SELECT id, list, nothing FROM "Other app"."To dos"' }
  years: { query: SELECT * FROM years }
  unknown: { query: SELECT * FROM lsits }
  part: { query: 'SELECT id, year, month FROM years_1' }
  days: { query: SELECT * FROM days }
  seen: { query: 'SELECT id, at FROM seen' }
  counted: { query: SELECT * FROM counted }
  cache: { query: SELECT * FROM cache }
`,
    );
    writeFileSync(join(folder, '.env'), `CATALOG=${postgres.uri}\n`);
  });
  afterAll(async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function headwater(...args: string[]) {
    const running = startProcess(process.execPath, [join(root, 'dist/cli.js'), ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '' },
    });
    const code = await running.ended;
    return { code, out: running.out(), err: running.err() };
  }

  test.each([['their address'], ['a variable that holds it']])('are known from %s', async (how) => {
    const named = how === 'their address' ? postgres.uri : 'CATALOG';
    const { code, out } = await headwater('validate', '--json', '--schema', named);
    const { files } = JSON.parse(out) as { files: { diagnostics: { code: string; message: string }[] }[] };
    const found = files
      .flatMap(({ diagnostics }) => diagnostics)
      .filter(({ code }) => code.startsWith('unknown-'));
    const partitioned = 'is a partitioned table: services replicate its partitions, under their own names.';
    expect(found.map(({ code, message }) => [code, message])).toEqual([
      ['unknown-column', '`lists` has no column `gone`.'],
      ['unknown-column', '`To dos` has no column `nothing`.'],
      ['unknown-table', `\`years\` ${partitioned}`],
      ['unknown-table', 'There is no table `lsits` in the source. Did you mean `lists`?'],
      ['unknown-column', '`years_1` has no column `month`.'],
      ['unknown-table', `\`days\` ${partitioned}`],
      ['unknown-column', '`seen` has no column `at`.'],
      ['unknown-table', '`seen` is a view, which services do not replicate. Sync the tables that it reads.'],
      ['unknown-table', expect.stringContaining('`counted` is a materialized view')],
      ['unknown-table', expect.stringContaining('`cache` is an unlogged table')],
    ]);
    expect(code).toBe(0);
  });

  test('make the schema of the client', async () => {
    const { out } = await headwater('generate', 'schema', '--json', '--schema', postgres.uri);
    const { tables } = JSON.parse(out) as { tables: { name: string; columns: unknown[] }[] };
    expect(tables.map(({ name }) => name)).toContain('lists');
    expect(JSON.stringify(tables)).toContain('"Name"');
  });

  test('cannot be read where nobody answers, which is said without the password', async () => {
    const { code, err } = await headwater('validate', '--schema', 'postgresql://ada:s3cret@127.0.0.1:1/app');
    expect([code, err]).toEqual([expect.any(Number), expect.stringContaining('127.0.0.1:1')]);
    expect(code).not.toBe(0);
    expect(err).not.toContain('s3cret');
  });
});
