/** Handles the stream's reports of entire tables: a table exists, has changed, or was emptied. */
import { replicates } from '../../../../engine/plan/evaluate/evaluate.ts';
import { isOther } from '../../rows/tableShape.ts';
import { fullName, newTable, resolveTable, toReplicatedTable } from '../../rows/tables.ts';
import type { TableInfo } from '../../source.ts';
import { emptyTable } from '../copy.ts';
import { store } from '../pending.ts';
import { copyWhole, removeTable } from './copyWhole.ts';
import type { StreamState } from './state.ts';

export async function takeTruncation(
  sourceIds: readonly number[],
  { replication, rows, pending, tables, beside }: StreamState,
): Promise<void> {
  await store(pending, replication);
  for (const sourceId of sourceIds) {
    const table = tables.get(sourceId);
    if (table === undefined) continue;
    beside?.interrupt(table.stored.id);
    await emptyTable(replication, table.stored);
    rows.take('changed');
  }
}

export async function takeTable(info: TableInfo, state: StreamState): Promise<void> {
  const { replication, rows, pending, tables, survey, beside } = state;
  const { writer, evaluator, source, signal, progress, log } = replication;
  const { tag } = source;
  const { reused, dropped } = resolveTable(info, await writer.tables());
  const isUsed = replicates(evaluator.tables, { tag, schema: info.schema, name: info.name });
  if (dropped.length > 0 || (isUsed && reused === undefined)) await store(pending, replication);
  for (const table of dropped) {
    log.write('info', 'A table was replaced by another one. Its rows are being removed', {
      table: fullName(table),
    });
    await removeTable(table, state);
    if (signal.aborted) return;
    rows.take('changed');
    // The log may be behind, so it is unknown whether the source still has the table under a different name.
    await survey.demand();
  }
  tables.set(info.sourceId, undefined);
  if (!isUsed) return;
  let stored = reused;
  const shape = info.shape ?? (await source.shape(info.sourceId));
  if (beside?.isAlone(info)) {
    // The preceding changes are stored first, with the former definition of the table.
    await store(pending, replication);
    await beside.take({ ...info, ...(shape && { shape }) }, stored);
    return;
  }
  if (stored === undefined) {
    log.write('info', 'Copying a new table', { table: fullName(info) });
    const record = await writer.putTable(newTable({ ...info, ...(shape && { shape }) }));
    stored = await copyWhole(info, record, state);
    if (stored === undefined) return;
  }
  const { logged } = info;
  const mustCopy = isOther({ logged, shape }, stored.shape, { isAhead: !rows.isExact });
  // Rows from here on have other values, even if the change is undone before the table can be copied.
  if (mustCopy && mayStoreRows(state)) stored = await writer.putTable({ ...stored, copied: false });
  if (mustCopy || !stored.copied) await survey.demand();
  progress.table(stored);
  tables.set(info.sourceId, toReplicatedTable(info, stored, replication));
}

/** Whether rows of the next event are stored. Events that are sent again are already stored. */
function mayStoreRows({ position, replication }: StreamState): boolean {
  return position.isReunited || replication.writer.isInterrupted;
}
