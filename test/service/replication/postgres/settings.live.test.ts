/** The text of a value does not depend on the settings of the user, even if they change while a stream is running. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PostgresConnection } from '../../../../server/service/config/settings.ts';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../../support/processes/postgres.ts';
import { copied, follow, neverAborted, openDatabase, type TestDatabase } from './support.ts';

const role: Partial<PostgresConnection> = { username: 'sync', password: 'sync secret' };

/** Unusual settings that decide how values are written, or what a connection may do for how long. */
const settings = {
  DateStyle: "'German, DMY'",
  TimeZone: "'Asia/Tokyo'",
  IntervalStyle: "'sql_standard'",
  extra_float_digits: '-10',
  bytea_output: "'escape'",
  xmloption: "'document'",
  client_encoding: "'LATIN1'",
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  search_path: 'app',
  quote_all_identifiers: 'on',
  statement_timeout: "'1s'",
  lock_timeout: "'1s'",
  idle_in_transaction_session_timeout: "'1s'",
  idle_session_timeout: "'1s'",
  default_transaction_read_only: 'on',
  default_transaction_isolation: "'serializable'",
};

const values = {
  d: ['date', `'2024-02-01'`],
  t: ['timestamptz', `'2024-02-01 12:00:00+05'`],
  i: ['interval', `'1 year 2 days -03:00'`],
  f: ['float8', '0.1::float8 + 0.2'],
  b: ['bytea', `'\\x00ff'`],
  x: ['xml', `'<a>ä</a>'`],
  r: ['regclass', `'app.things'::regclass`],
  y: ['regtype', `'app.things'::regtype`],
  p: ['regprocedure', `'app.made(app.things)'::regprocedure`],
  o: ['tstzrange', `'[2024-02-01 12:00:00+05,)'`],
} as const;

describe.skipIf(postgresPrograms.kind === 'missing')('settings of the user', () => {
  let postgres: TestPostgres;
  let database: TestDatabase;

  beforeAll(async () => {
    postgres = await startPostgres();
    await postgres.query(`CREATE ROLE sync LOGIN REPLICATION PASSWORD 'sync secret'`);
    const columns = Object.entries(values).map(([name, [type]]) => `${name} ${type}`);
    database = await openDatabase(
      postgres,
      `CREATE SCHEMA app; CREATE TABLE app.things (id int);
       CREATE FUNCTION app.made(app.things) RETURNS int LANGUAGE sql AS 'SELECT 1';
       CREATE TABLE v (id int PRIMARY KEY, ${columns.join(', ')});
       GRANT USAGE ON SCHEMA app TO sync; GRANT SELECT ON v TO sync`,
      role,
    );
  });

  afterAll(async () => {
    await database?.close();
    await postgres?.stop();
  });

  test('change neither the values of a copy nor those of a stream', async () => {
    const written = Object.values(values).map(([, value]) => value);
    const insert = (id: number) => database.sql(`INSERT INTO v VALUES (${id}, ${written.join(', ')})`);
    const stream = database.stream();
    await stream.prepare(neverAborted);
    const follower = follow(database.source, stream);
    await follower.settled();
    const table = await database.table('v');
    const seen: unknown[] = [];
    const keep = (rows: readonly object[]) => seen.push(...rows.map((row) => ({ ...row, id: 0n })));
    const look = async (id: number) => {
      await insert(id);
      const events = await follower.settled();
      keep(events.flatMap((event) => ('row' in event ? [event.row.values] : [])));
      keep((await copied(stream, table)).flatMap(({ rows }) => rows));
      keep(await stream.refetch(table, [BigInt(id)], neverAborted));
    };
    await look(1);
    for (const [name, value] of Object.entries(settings))
      await database.sql(`ALTER ROLE sync SET ${name} = ${value}`);
    await look(2);
    await follower.stop();
    // A connection that begins now has all of these settings.
    const later = follow(database.source, stream);
    await insert(3);
    keep((await later.settled()).flatMap((event) => ('row' in event ? [event.row.values] : [])));
    await later.stop();
    expect(seen).toHaveLength(8);
    for (const row of seen) expect(row).toEqual(seen[0]);
  });

  test('still decide where statements of the user find tables', async () => {
    await database.sql(`GRANT SELECT ON app.things TO sync; ALTER ROLE sync NOREPLICATION`);
    const answer = database.source.query('SELECT * FROM things', [], neverAborted);
    await expect(answer).resolves.toMatchObject({ rows: [] });
    await database.sql('ALTER ROLE sync REPLICATION');
  });
});
