/** What the stream says of whole tables: that they are there, are others than before, or are emptied. */
import { replicates } from '../../../../engine/plan/evaluate/evaluate.ts';
import { fullName, isRemade, newTable, resolveTable, toReplicatedTable } from '../../rows/tables.ts';
import type { TableInfo } from '../../source.ts';
import { dropTable, emptyTable } from '../copy.ts';
import { store } from '../pending.ts';
import type { Replication } from '../replication.ts';
import { copyWhole } from './copyWhole.ts';
import type { StreamState } from './state.ts';

export async function takeTruncation(
  oids: readonly number[],
  state: StreamState,
  replication: Replication,
): Promise<void> {
  await store(state.pending, replication);
  for (const oid of oids) {
    const table = state.tables.get(oid);
    if (table === undefined) continue;
    state.beside?.interrupt(table.stored.id);
    await emptyTable(replication, table.stored);
    state.needsCheckpoint = true;
  }
}

export async function takeTable(
  info: TableInfo,
  state: StreamState,
  replication: Replication,
): Promise<void> {
  const { writer, evaluator, source, signal, progress, log } = replication;
  const { tag } = source;
  const { reused, dropped } = resolveTable(info, await writer.tables());
  const isUsed = replicates(evaluator.tables, { tag, schema: info.schema, name: info.name });
  if (dropped.length > 0 || (isUsed && reused === undefined)) await store(state.pending, replication);
  for (const table of dropped) {
    log.write('info', 'A table is another one than before; its rows are removed', { table: fullName(table) });
    state.beside?.forget(table.id);
    await dropTable(replication, table);
    if (signal.aborted) return;
    state.tables.delete(table.oid);
    state.needsCheckpoint = true;
  }
  state.tables.set(info.oid, undefined);
  if (!isUsed) return;
  let stored = reused;
  const shape = info.shape ?? (await source.shape(info.oid));
  if (state.beside?.isAlone(info)) {
    // Its changes up to here, as it was.
    await store(state.pending, replication);
    await state.beside.take({ ...info, ...(shape && { shape }) }, stored);
    return;
  }
  if (stored === undefined) {
    log.write('info', 'Copying a table that is new', { table: fullName(info) });
    const record = await writer.putTable(newTable({ ...info, ...(shape && { shape }) }));
    stored = await copyWhole(info, record, state, replication);
    if (stored === undefined) return;
  } else if (!stored.copied || isRemade(stored.shape, shape)) await state.survey.demand();
  progress.table(stored);
  state.tables.set(info.oid, toReplicatedTable(info, stored, evaluator, tag));
}
