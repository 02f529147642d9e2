/** A statement of the user's shows values as configs see them, whatever the source. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { neverAborted, type TestDatabase } from './postgres/support.ts';
import { sources } from './sources.ts';

describe.each(sources)('a query of %s', (_, open) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await open('CREATE TYPE item AS (a int); CREATE TABLE t (id int PRIMARY KEY)');
  });

  afterAll(() => database?.close());

  test('gives columns and rows as configs see them', async () => {
    const sql = `SELECT $1::int AS n, $2::text AS t, $3::bool AS b, NULL AS nothing, 1.5::float8 AS f, ARRAY[1] AS a,
      '2024-01-02 03:04:05+02'::timestamptz AS at, ROW(1)::item AS item, '\\x00ff'::bytea AS bytes`;
    expect(await database.source.query(sql, [7, 'x', true], neverAborted)).toEqual({
      columns: ['n', 't', 'b', 'nothing', 'f', 'a', 'at', 'item', 'bytes'],
      rows: [[7n, 'x', 1n, null, 1.5, '[1]', '2024-01-02T01:04:05.000000Z', '(1)', new Uint8Array([0, 255])]],
      truncated: false,
    });
  });

  test('gives columns also without rows', async () => {
    const answer = await database.source.query('SELECT id, id AS id FROM t', [], neverAborted);
    expect(answer).toEqual({ columns: ['id', 'id'], rows: [], truncated: false });
  });
});
