/**
 * Writes rows again, as the source has them now, in the middle of the stream, so that nothing comes in
 * between. Rows that have changed by then are written once more, which does no harm.
 */

import type { Errand, Replication } from '../replication/jobs/replication.ts';
import { evaluateRow } from '../replication/rows/flush.ts';
import { removeRow, withoutDoubles } from '../replication/rows/rowChange.ts';
import { type ReplicatedTable, resolveTable, toReplicatedTable } from '../replication/rows/tables.ts';
import type { TableInfo } from '../replication/source.ts';
import type { CurrentRow, RowWrite } from '../storage/storage.ts';
import type { WrongRow } from './compareTable.ts';

const writtenAtOnce = 500;

/** @param onRepaired how many */
export function repairRows(
  info: TableInfo,
  wrong: ReadonlyMap<string, WrongRow>,
  onRepaired: (rows: number) => void,
): Errand {
  return async (replication) => {
    const { stream, writer, source, signal } = replication;
    const { reused } = resolveTable(info, await writer.tables());
    // The name belongs to another table now, which is copied again.
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
        // Nothing of the stored data is trusted.
        isStored: false,
      }));
      if (writes.length > 0) await writer.write({ rows: writes });
      if (page.position !== undefined) await writer.holdCheckpoints(page.position);
    }
    if (signal.aborted) return 'wrote';
    await writer.holdCheckpoints(await source.position());
    // One of these rows may be unreadable. Its former version stays.
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

/** The current row, together with everything that was found of it. */
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
