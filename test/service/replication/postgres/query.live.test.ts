import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresPrograms, startPostgres, type TestPostgres } from '../../../support/postgres.ts';
import { failureOf, openDatabase, type TestDatabase } from './support.ts';

describe.skipIf(postgresPrograms.kind === 'missing')('a query of the user on Postgres', () => {
  let postgres: TestPostgres;
  let database: TestDatabase;

  beforeAll(async () => {
    postgres = await startPostgres();
    database = await openDatabase(postgres, 'CREATE TABLE t (id int PRIMARY KEY)');
  });

  afterAll(async () => {
    await database.close();
    await postgres.stop();
  });

  test('gives columns and rows as configs see them', async () => {
    const sql = `SELECT $1::int AS n, $2::text AS t, $3::bool AS b, NULL AS nothing, 1.5::float8 AS f, ARRAY[1] AS a`;
    expect(await database.source.query(sql, [7, 'x', true])).toEqual({
      columns: ['n', 't', 'b', 'nothing', 'f', 'a'],
      rows: [[7n, 'x', 1n, null, 1.5, '[1]']],
    });
  });

  test('gives at most 1000 rows', async () => {
    const { columns, rows } = await database.source.query('SELECT generate_series(1, 1000000000) AS i', []);
    expect(columns).toEqual(['i']);
    expect(rows).toHaveLength(1000);
    expect(rows.at(-1)).toEqual([1000n]);
  });

  test.each([
    'INSERT INTO t VALUES (1)',
    'COMMIT; INSERT INTO t VALUES (1)',
    'SELECT 1; INSERT INTO t VALUES (1)',
    'WITH a AS (INSERT INTO t VALUES (1) RETURNING id) SELECT * FROM a',
  ])('changes nothing: %s', async (sql) => {
    expect((await failureOf(database.source.query(sql, []))).message).toMatch(/read-only|multiple commands/);
    expect(await database.sql('SELECT * FROM t')).toEqual([]);
  });

  test('that is wrong fails with the words of the database', async () => {
    const failure = await failureOf(database.source.query('SELECT * FROM nothing', []));
    expect(failure).toMatchObject({ kind: 'other', message: 'relation "nothing" does not exist' });
  });

  test('without a result has no columns', async () => {
    expect(await database.source.query('SET LOCAL work_mem = 64000', [])).toEqual({ columns: [], rows: [] });
  });
});
