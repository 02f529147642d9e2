/** The copy and the changes after it lead to the state of the database. */
import { describe, expect, test } from 'vitest';
import { neverAborted } from '../postgres/support.ts';
import { prepareTable, RowState, readToMark, type SourceRig } from './rig.ts';

export function describeState(rig: () => SourceRig): void {
  const rowsOf = async (table: string) => {
    const { columns, rows } = await rig().source.query(
      `SELECT * FROM ${table} ORDER BY id`,
      [],
      neverAborted,
    );
    return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
  };

  describe('the copy and the changes', () => {
    test('lead to the state of the database, even if rows change during the copy', async () => {
      const { source, sql, table: find } = rig();
      const { table, stream } = await prepareTable(rig());
      for (let id = 1; id <= 30; id += 1) await sql(`INSERT INTO ${table} VALUES (${id}, 'row ${id}')`);
      const state = new RowState();
      let at = 0;
      for await (const page of stream.copy(await find(table), undefined, neverAborted)) {
        for (const row of page.rows) state.put(row);
        at += 1;
        await sql(`UPDATE ${table} SET a = 'during ${at}' WHERE id = ${at}`);
      }
      await sql(`DELETE FROM ${table} WHERE id = 5`);
      await sql(`UPDATE ${table} SET id = 100 WHERE id = 6`);
      await sql(`INSERT INTO ${table} VALUES (5, NULL)`);
      await sql(`UPDATE ${table} SET a = 'ü €' WHERE id > 20`);
      for (const event of await readToMark(source, stream)) state.apply(event);
      expect(state.rows).toEqual(await rowsOf(table));
      expect(state.rows).toHaveLength(30);
    });

    test('include a truncation', async () => {
      const { source, sql } = rig();
      const { table, stream } = await prepareTable(rig());
      await sql(`INSERT INTO ${table} VALUES (1, 'x')`);
      await sql(`TRUNCATE TABLE ${table}`);
      await sql(`INSERT INTO ${table} VALUES (2, 'y')`);
      const state = new RowState();
      for (const event of await readToMark(source, stream)) state.apply(event);
      expect(state.rows).toEqual([{ id: 2n, a: 'y' }]);
    });

    test('can continue after an interruption of the copy', async () => {
      const { sql, table: find } = rig();
      const { table, stream } = await prepareTable(rig());
      const ids = Array.from({ length: 500 }, (_, index) => index + 1);
      await sql(`INSERT INTO ${table} VALUES ${ids.map((id) => `(${id}, 'x')`).join(', ')}`);
      const info = await find(table);
      const seen: unknown[] = [];
      for await (const page of stream.copy(info, undefined, neverAborted)) {
        seen.push(...page.rows.map(({ id }) => id));
        if (page.progress.lastKey === undefined || page.position !== undefined) continue;
        for await (const rest of stream.copy(info, page.progress, neverAborted)) {
          seen.push(...rest.rows.map(({ id }) => id));
        }
        break;
      }
      expect(seen).toEqual(ids.map(BigInt));
    });

    test('end the copy with a position that is not before the copied changes', async () => {
      const { source, sql, table: find } = rig();
      const { table, stream } = await prepareTable(rig());
      await sql(`INSERT INTO ${table} VALUES (1, 'x')`);
      const before = await source.position();
      const positions = [];
      for await (const { position } of stream.copy(await find(table), undefined, neverAborted))
        positions.push(position);
      expect(positions.at(-1)).toBeDefined();
      expect((positions.at(-1) ?? '') >= before).toBe(true);
      expect(positions.slice(0, -1).filter((position) => position !== undefined)).toEqual([]);
    });
  });

  describe('changes', () => {
    test('are framed by the transactions that made them', async () => {
      const { source, sql } = rig();
      const { table, stream } = await prepareTable(rig());
      await sql(`INSERT INTO ${table} VALUES (1, 'x'), (2, 'y')`);
      await sql(`DELETE FROM ${table} WHERE id = 1`);
      const kinds = (await readToMark(source, stream)).map(({ kind }) => kind);
      const framed = kinds.filter((kind) => kind !== 'keepalive' && kind !== 'table');
      expect(framed).toEqual(['begin', 'insert', 'insert', 'commit', 'begin', 'delete', 'commit']);
    });

    test('of a transaction that was rolled back are not sent', async () => {
      const { source, sql } = rig();
      const { table, stream } = await prepareTable(rig());
      await sql('BEGIN');
      await sql(`INSERT INTO ${table} VALUES (1, 'x')`);
      await sql('ROLLBACK');
      const kinds = (await readToMark(source, stream)).map(({ kind }) => kind);
      expect(kinds).not.toContain('insert');
    });

    test('end without an error when the signal is aborted', async () => {
      const { stream } = await prepareTable(rig());
      const stopping = new AbortController();
      const reading = (async () => {
        for await (const { events } of stream.changes(stopping.signal)) void events;
        return 'ended';
      })();
      stopping.abort();
      expect(await reading).toBe('ended');
    });
  });
}
