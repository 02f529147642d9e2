/** Reading single rows and queries. */
import { describe, expect, test } from 'vitest';
import { neverAborted } from '../postgres/support.ts';
import { prepareTable, type SourceRig } from './rig.ts';

export function describeReading(rig: () => SourceRig): void {
  describe('rows', () => {
    test('are read by their keys, and missing ones are left out', async () => {
      const { sql, table: find } = rig();
      const { table, stream } = await prepareTable(rig());
      await sql(`INSERT INTO ${table} VALUES (1, 'x'), (2, 'y'), (3, NULL)`);
      const rows = await stream.refetch(await find(table), [1n, 3n, 9n], neverAborted);
      expect(rows.toSorted((one, other) => Number(one.id) - Number(other.id))).toEqual([
        { id: 1n, a: 'x' },
        { id: 3n, a: null },
      ]);
    });

    test('are read by texts as keys, whatever characters they contain', async () => {
      const { sql, table: find } = rig();
      const { table, stream } = await prepareTable(rig(), 'id varchar(40) PRIMARY KEY, a int');
      await sql(`INSERT INTO ${table} VALUES ('it''s "ü", {a}', 1), ('b', 2)`);
      const rows = await stream.refetch(await find(table), ['it\'s "ü", {a}'], neverAborted);
      expect(rows).toEqual([{ id: 'it\'s "ü", {a}', a: 1n }]);
    });

    test('have the same values in the copy, in changes and when they are read by key', async () => {
      const { source, sql, table: find } = rig();
      const columns = 'id int PRIMARY KEY, n bigint, d double precision, s varchar(9), t timestamp NULL';
      const { table, stream } = await prepareTable(rig(), columns);
      await sql(`INSERT INTO ${table} VALUES (1, 9007199254740993, 0.5, 'ü', '2024-01-02 03:04:05')`);
      const info = await find(table);
      const [read] = await stream.refetch(info, [1n], neverAborted);
      const copied = [];
      for await (const { rows } of stream.copy(info, undefined, neverAborted)) copied.push(...rows);
      const { columns: names, rows } = await source.query(`SELECT * FROM ${table}`, [], neverAborted);
      const asked = Object.fromEntries(names.map((name, index) => [name, rows[0]?.[index]]));
      expect(copied).toEqual([read]);
      expect(asked).toEqual(read);
      expect(read).toMatchObject({ id: 1n, n: 9_007_199_254_740_993n, d: 0.5, s: 'ü' });
    });
  });

  describe('a query', () => {
    test('cannot write', async () => {
      const { source, sql } = rig();
      const { table } = await prepareTable(rig());
      await expect(source.query(`INSERT INTO ${table} VALUES (1, 'x')`, [], neverAborted)).rejects.toThrow();
      expect(await sql(`SELECT * FROM ${table}`)).toEqual([]);
    });

    test('returns a limited number of rows, and says so', async () => {
      const { source, sql } = rig();
      const { table } = await prepareTable(rig());
      const rows = Array.from({ length: 1500 }, (_, id) => `(${id}, 'x')`);
      await sql(`INSERT INTO ${table} VALUES ${rows.join(', ')}`);
      const answer = await source.query(`SELECT * FROM ${table}`, [], neverAborted);
      expect([answer.rows.length, answer.truncated]).toEqual([1000, true]);
    });

    test('is not run for a caller who has gone', async () => {
      await expect(rig().source.query('SELECT 1', [], AbortSignal.abort())).rejects.toThrow();
    });

    test('whose text is wrong fails with a sentence', async () => {
      await expect(rig().source.query('SELEC 1', [], neverAborted)).rejects.toThrow(/\w+ \w+/);
    });
  });
}
