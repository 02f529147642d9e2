import type { SqlValue } from '../../../../engine/plan/values/value.ts';
import { fullName, type ReplicatedTable } from '../../rows/tables.ts';
import { add, store } from '../pending.ts';
import { holdUntilNow, type StreamState } from './state.ts';

/** Reads rows again that were neither sent nor stored completely. */
export async function refetch({ replication, rows, pending, beside }: StreamState): Promise<void> {
  const { stream, source, signal, reports, rowsAtOnce } = replication;
  const { missing } = pending;
  if (missing.length === 0) return;
  pending.missing = [];
  const byTable = new Map<ReplicatedTable, SqlValue[]>();
  for (const { table, key, identity, text } of missing) {
    if (!table.refetchable) {
      const message =
        'A large value of a row is unknown, so the row is synced after its next change that includes the value';
      reports.tell(table, key, { row: text, kind: 'incomplete', message });
      await beside?.giveUp(`a value of ${fullName(table.info)} is unknown.`);
      continue;
    }
    const keys = byTable.get(table) ?? [];
    keys.push(identity);
    byTable.set(table, keys);
  }
  if (byTable.size === 0) return;
  const isServed = [...byTable.keys()].some(({ isBeside }) => !isBeside);
  if (isServed) rows.take('overtaken');
  for (const [table, keys] of byTable) {
    for (const values of await stream.refetch(table.info, keys, signal)) {
      add({ kind: 'put', table, key: table.keyOf(values), row: { values } }, pending, rowsAtOnce);
    }
  }
  await store(pending, replication);
  if (isServed) await holdUntilNow(replication);
  beside?.raise(await source.position());
}
