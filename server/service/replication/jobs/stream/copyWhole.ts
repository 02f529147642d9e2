/** Copies tables while the stream waits: new tables, and tables that may lack rows. Removes tables that no longer exist. */
import type { StoredTable } from '../../../storage/storage.ts';
import { isRemade } from '../../rows/tableShape.ts';
import { fullName, newTable, toReplicatedTable } from '../../rows/tables.ts';
import type { TableInfo } from '../../source.ts';
import { copySourceTable, dropTable, emptyTable } from '../copy.ts';
import type { DueTable } from '../survey.ts';
import { holdUntilNow, type StreamState } from './state.ts';

const uncertain =
  '[SVC_S1148] Equal rows were deleted while the table was copied, so some of the remaining rows may be missing. Add a primary key.';

export async function copyWhole(
  info: TableInfo,
  record: StoredTable,
  { replication, rows, beside, survey }: StreamState,
): Promise<StoredTable | undefined> {
  const { source, writer } = replication;
  const table = toReplicatedTable(info, record, replication);
  const stored = await copySourceTable(replication, table);
  if (stored === undefined) return undefined;
  rows.take('overtaken');
  await source.mark();
  // The table may have changed between two pages. Clients must not see rows of both definitions.
  if (isRemade(stored.shape, await source.shape(info.sourceId))) {
    await survey.demand();
    return writer.putTable({ ...stored, copied: false });
  }
  beside?.hasWhole(stored);
  return stored;
}

/**
 * Demands a new copy of tables in which some of several equal rows were deleted, because the stream does not report how many
 * remain.
 */
export async function doubt({ replication, rows, pending, survey }: StreamState): Promise<void> {
  const { writer } = replication;
  if (pending.doubtful.size === 0) return;
  rows.take('doubted');
  const tables = await writer.tables();
  await survey.demand();
  for (const stored of tables) {
    if (pending.doubtful.has(stored.id)) await writer.putTable({ ...stored, copied: false });
  }
  pending.doubtful.clear();
}

/**
 * Copies tables whose changes may be missing, and removes those that the source no longer has. When the stream has reached the
 * position at which that was noticed, it contains all later changes.
 */
export async function settleDifferences(state: StreamState): Promise<void> {
  const found = await state.survey.due(state.position.end);
  if (found === undefined) return;
  await removeGone(found.gone, state);
  for (const due of found.copies) {
    if (state.replication.signal.aborted) return;
    await copyDue(due, state);
  }
}

async function removeGone(gone: readonly StoredTable[], state: StreamState): Promise<void> {
  const { replication, rows } = state;
  for (const table of gone) {
    replication.log.write('warn', 'The source no longer has a table. Its rows are being removed', {
      table: fullName(table),
    });
    await removeTable(table, state);
    rows.take('overtaken');
  }
  if (gone.length > 0) await holdUntilNow(replication);
}

async function copyDue({ info, dropped, stored, reason }: DueTable, state: StreamState): Promise<void> {
  const { replication, rows, tables, beside } = state;
  const { writer, reports, signal, progress, log } = replication;
  log.write('warn', `Copying a table again: ${reason}`, { table: fullName(info) });
  progress.waiting(copyingAgain(info, reason), info);
  for (const table of dropped) await removeTable(table, state);
  if (stored !== undefined) {
    beside?.forget(stored.id);
    await emptyTable(replication, stored);
  }
  if (signal.aborted) return;
  const record = await writer.putTable({ ...(stored && { id: stored.id }), ...newTable(info) });
  const copied = await copyWhole(info, record, state);
  if (copied === undefined) return;
  progress.table(copied);
  if (copied.shape?.isKeyless && !rows.mayBeDoubted) {
    const table = toReplicatedTable(info, copied, replication);
    reports.tell(table, uncertain, { row: 'equal rows', kind: 'equal', message: uncertain });
  }
  const known = tables.get(info.sourceId);
  if (known !== undefined) {
    tables.set(info.sourceId, toReplicatedTable(known.info, copied, replication));
  }
  progress.waiting(undefined);
}

/** Removes a table that does not exist any more, with its rows. */
export async function removeTable(
  table: StoredTable,
  { replication, beside, tables, pending }: StreamState,
): Promise<void> {
  beside?.forget(table.id);
  // Another table of the same name may have rows with the same keys.
  pending.missing = pending.missing.filter((row) => row.table.stored.id !== table.id);
  await dropTable(replication, table);
  tables.delete(table.sourceId);
}

/** @param reason the end of a sentence */
export function copyingAgain(table: Pick<TableInfo, 'schema' | 'name'>, reason: string): string {
  return `[SVC_S1149] Copying ${fullName(table)} again, because ${reason} Clients keep the previous rows until the copy is complete.`;
}
