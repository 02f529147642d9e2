import type { SqlValue } from '../../../../engine/plan/values/value.ts';
import { fullName, type ReplicatedTable } from '../../rows/tables.ts';
import { add, store } from '../pending.ts';
import type { Replication } from '../replication.ts';
import { holdUntilNow, type StreamState } from './state.ts';

/** Rows that were neither sent nor stored whole are read again. */
export async function refetch(state: StreamState, replication: Replication): Promise<void> {
  const { stream, source, signal, reports, rowsAtOnce } = replication;
  const { missing } = state.pending;
  if (missing.length === 0) return;
  state.pending.missing = [];
  const byTable = new Map<ReplicatedTable, SqlValue[]>();
  for (const { table, key, identity, text } of missing) {
    if (!table.refetchable) {
      const message =
        'A large value of a row is not known; the row is synced after its next change that includes it';
      reports.tell(table, key, { row: text, kind: 'incomplete', message });
      await state.beside?.giveUp(`a value of ${fullName(table.info)} is not known.`);
      continue;
    }
    const keys = byTable.get(table) ?? [];
    keys.push(identity);
    byTable.set(table, keys);
  }
  if (byTable.size === 0) return;
  const isServed = [...byTable.keys()].some(({ isBeside }) => !isBeside);
  if (isServed) state.exact = false;
  for (const [table, keys] of byTable) {
    for (const values of await stream.refetch(table.info, keys, signal)) {
      add({ kind: 'put', table, key: table.keyOf(values), row: { values } }, state.pending, rowsAtOnce);
    }
  }
  await store(state.pending, replication);
  if (isServed) await holdUntilNow(replication);
  state.beside?.raise(await source.position());
}
