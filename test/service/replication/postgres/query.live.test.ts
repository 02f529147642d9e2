import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresSource } from '../../../../server/service/replication/postgres/source.ts';
import type { QueryResult, Source } from '../../../../server/service/replication/source.ts';
import { eventually } from '../../../support/house/eventually.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../../support/processes/postgres.ts';
import { hostile, refusals } from '../../../support/service/hostileSql.ts';
import { failureOf, neverAborted, openDatabase, type TestDatabase, world } from './support.ts';

describe.skipIf(postgresPrograms.kind === 'missing')('a query of the user on Postgres', () => {
  let postgres: TestPostgres;
  let database: TestDatabase;
  const sources: Source[] = [];

  beforeAll(async () => {
    postgres = await startPostgres();
    database = await openDatabase(postgres, 'CREATE TABLE t (id int PRIMARY KEY)');
  });

  afterAll(async () => {
    for (const source of sources) await source.close();
    await database.close();
    await postgres.stop();
  });

  const query = (
    sql: string,
    args: readonly (string | number | boolean)[] = [],
    source = database.source,
    signal = neverAborted,
  ): Promise<QueryResult> => source.query(sql, args, signal);

  /** Opens the source as a role with these rights. */
  async function sourceOf(role: string, attributes: string, grants: string): Promise<Source> {
    await database.sql(`CREATE ROLE ${role} LOGIN ${attributes} PASSWORD 'x'`);
    await database.sql(grants);
    const connection = postgres.connection({ database: database.name, username: role, password: 'x' });
    const source = await openPostgresSource(connection, world);
    sources.push(source);
    return source;
  }

  test('returns at most 1000 rows, and reports that there are more', async () => {
    const { columns, rows, truncated } = await query('SELECT generate_series(1, 1000000000) AS i');
    expect([columns, rows.length, rows.at(-1), truncated]).toEqual([['i'], 1000, [1000n], true]);
  });

  test('returns at most 4 MiB, and reports that there is more', async () => {
    const { rows, truncated } = await query(`SELECT repeat('x', 1000000) FROM generate_series(1, 1000)`);
    expect([rows.length, truncated]).toEqual([4, true]);
  });

  test('ends when its caller is gone, and after ten seconds', async () => {
    const sleep = 'SELECT pg_sleep(100)';
    const gone = new AbortController();
    const left = failureOf(query(sleep, [], database.source, gone.signal));
    const running = () =>
      postgres.query(`SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = $1`, [
        database.name,
      ]);
    await eventually(async () => expect(await running()).toHaveLength(1));
    gone.abort();
    await left;
    await eventually(async () => expect(await running()).toEqual([]));
    expect((await failureOf(query(sleep))).message).toMatch(/statement timeout/);
  });

  test('accepts arguments of any type, and reports how many are missing', async () => {
    await database.sql(`CREATE TYPE mood AS ENUM ('good', 'bad')`);
    const sql = `SELECT $1::mood AS m, $2::jsonb->>'a' AS j, 'b' = ANY ($3::text[]) AS a WHERE $4 < 2`;
    const args = ['good', String.raw`{"a":"\"\\"}`, '{a,b}', 1];
    expect((await query(sql, args)).rows).toEqual([['good', '"\\', 1n]]);
    expect((await failureOf(query(sql, ['good']))).message).toBe(
      'sql.args must have a value for each parameter of the statement ($1, …): 4, not 1.',
    );
  });

  test('with a mistake fails with the message of the database', async () => {
    const failure = await failureOf(query('SELECT * FROM nothing'));
    expect(failure).toMatchObject({ kind: 'other', message: 'relation "nothing" does not exist' });
  });

  describe.each(['superuser', 'member'] as const)('of a %s', (kind) => {
    let source: Source;
    let folder: string;
    const slots = `SELECT slot_name FROM pg_replication_slots WHERE slot_name IN ('precious_${kind}', 'another')`;

    beforeAll(async () => {
      await database.sql(`SELECT pg_create_physical_replication_slot('precious_${kind}')`);
      source =
        kind === 'superuser'
          ? database.source
          : await sourceOf(
              'powerful_member',
              'REPLICATION BYPASSRLS',
              'GRANT pg_read_all_data, pg_execute_server_program, pg_read_server_files TO powerful_member',
            );
      const [setting] = await database.sql('SHOW data_directory');
      folder = String(setting?.data_directory);
    });
    afterAll(() => database.sql(`SELECT pg_drop_replication_slot('precious_${kind}')`));

    test.each(hostile)('cannot do more than read: %s', async (sql) => {
      const { message } = await failureOf(query(sql.replaceAll('PRECIOUS', `precious_${kind}`), [], source));
      expect(message).toMatch(refusals);
      expect(await database.sql('SELECT * FROM t')).toEqual([]);
      expect(await database.sql(slots)).toEqual([{ slot_name: `precious_${kind}` }]);
      expect(existsSync(join(folder, 'stolen'))).toBe(false);
    });

    test('leaves nothing in the database', async () => {
      await query('SELECT 1', [], source);
      expect(await database.sql(`SELECT FROM pg_proc WHERE proname LIKE 'headwater%'`)).toEqual([]);
    });
  });

  test('of a user who may only read runs with that user’s own rights', async () => {
    const source = await sourceOf('modest', '', 'GRANT SELECT ON t TO modest');
    expect(await query('SELECT * FROM t', [], source)).toMatchObject({ columns: ['id'], rows: [] });
    expect((await failureOf(query(`SELECT pg_read_file('PG_VERSION')`, [], source))).message).toMatch(
      refusals,
    );
  });

  test('fails if row level security would hide rows', async () => {
    await database.sql('CREATE TABLE secured (id int); ALTER TABLE secured ENABLE ROW LEVEL SECURITY');
    const source = await sourceOf('hidden', '', 'GRANT SELECT ON secured TO hidden');
    expect((await failureOf(query('SELECT * FROM secured', [], source))).message).toMatch(
      /row-level security/,
    );
  });

  test('of a user that may replicate but cannot switch to a role that only reads is refused with a remedy', async () => {
    const source = await sourceOf('lonely', 'REPLICATION BYPASSRLS', 'GRANT SELECT ON t TO lonely');
    const refused = await failureOf(query('SELECT * FROM t', [], source));
    expect(refused.code).toBe('SVC_S1147');
    const [, statements = ''] = refused.message.split('Run on the source: ');
    await database.sql(statements.replace(/\.$/, ''));
    expect(await query('SELECT * FROM t', [], source)).toMatchObject({ columns: ['id'], rows: [] });
  });
});
