/**
 * Writes the source's current version of rows again. This happens inside the stream, so that no other change comes in between.
 * Rows that have changed since then are written again by the stream, which does no harm.
 */

import type { Errand, Replication } from '../replication/jobs/replication.ts';
import { evaluateRow } from '../replication/rows/flush.ts';
import { removeRow, withoutDoubles } from '../replication/rows/rowChange.ts';
import { type ReplicatedTable, resolveTable, toReplicatedTable } from '../replication/rows/tables.ts';
import type { TableInfo } from '../replication/source.ts';
import type { CurrentRow, RowWrite } from '../storage/storage.ts';
import type { WrongRow } from './compareTable.ts';

const writtenAtOnce = 500;

/** @param onRepaired gets the number of repaired rows */
export function repairRows(
  info: TableInfo,
  wrong: ReadonlyMap<string, WrongRow>,
  onRepaired: (rows: number) => void,
): Errand {
  return async (replication) => {
    const { stream, writer, source, signal } = replication;
    const { reused } = resolveTable(info, await writer.tables());
    // The name belongs to a different table now, which will be copied.
    if (reused === undefined || !reused.copied) return 'has only read';
    await stream.settle(signal);
    const table = toReplicatedTable(info, reused, replication);
    const left = new Map(wrong);
    let unreadable = 0;
    for await (const page of stream.copy(info, undefined, signal)) {
      unreadable += page.failed.length;
      const found = page.rows.flatMap((row) => {
        const key = table.keyOf(row);
        const known = left.get(key);
        left.delete(key);
        return known === undefined ? [] : [{ key, row, known }];
      });
      const writes = await withCurrent(replication, table, found, ({ key, row }, before) => ({
        ...evaluateRow({ table: reused.id, key, before }, table, row, replication.reports),
        // The stored data is not trusted.
        isStored: false,
      }));
      if (writes.length > 0) await writer.write({ rows: writes });
      if (page.position !== undefined) await writer.holdCheckpoints(page.position);
    }
    if (signal.aborted) return 'wrote';
    await writer.holdCheckpoints(await source.position());
    // If a row cannot be read, it may be one of these. So they are not deleted, and their former versions stay.
    const gone = unreadable > 0 ? [] : [...left].map(([key, known]) => ({ key, known }));
    for (let start = 0; start < gone.length; start += writtenAtOnce) {
      const some = gone.slice(start, start + writtenAtOnce);
      const rows = await withCurrent(replication, table, some, ({ key }, before) =>
        removeRow({ table: reused.id, key, before }),
      );
      await writer.write({ rows });
    }
    onRepaired(wrong.size - (unreadable > 0 ? left.size : 0));
    return 'wrote';
  };
}

interface Repairable {
  readonly key: string;
  readonly known: WrongRow;
}

/** Returns the current row, together with all stored data that was found for it. */
async function withCurrent<Row extends Repairable>(
  { writer }: Replication,
  { stored }: ReplicatedTable,
  rows: readonly Row[],
  toWrite: (row: Row, before: CurrentRow) => RowWrite,
): Promise<readonly RowWrite[]> {
  if (rows.length === 0) return [];
  const currents = await writer.currentRows(
    stored.id,
    rows.map(({ key }) => key),
  );
  return rows.map((row, index) => {
    const { key, known } = row;
    const current = currents[index];
    return toWrite(row, {
      key,
      values: current?.values,
      memberships: withoutDoubles([...(current?.memberships ?? []), ...known.memberships]),
      lookups: [...new Set([...(current?.lookups ?? []), ...known.lookups])],
    });
  });
}
