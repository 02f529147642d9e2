/** The first copy, which copies all tables that the config uses, in turn. It can be resumed after each page. */
import { firstPosition } from '../../ground/logPosition.ts';
import type { StoredTable } from '../../storage/storage.ts';
import { lossOf } from '../historyBreak.ts';
import { fullName, newTable, resolveTable, toReplicatedTable } from '../rows/tables.ts';
import type { TableInfo } from '../source.ts';
import { copySourceTable, dropTable, measure } from './copy.ts';
import { restBefore } from './pace.ts';
import type { Replication } from './replication.ts';

/**
 * Copies all tables. Returns false if it was aborted. Nothing is published: the stream, which begins at the position of the backlog,
 * must pass the end of the copy first.
 */
export async function copyAll(replication: Replication): Promise<boolean> {
  const { source, writer, signal, progress, pace, clock, decisions, log } = replication;
  const checkBacklog = backlogCheck(replication);
  const records: { readonly info: TableInfo; readonly stored: StoredTable }[] = [];
  for (const info of await tablesOf(replication)) {
    const stored = await recordOf(replication, info);
    progress.table(stored);
    records.push({
      info: stored.copied ? info : await measure(replication, { info, stored, progress }),
      stored,
    });
  }
  await restBefore(pace, progress, signal);
  for (const { info, stored } of records) {
    if (stored.copied) continue;
    log.write('info', 'Copying a table', { table: fullName(info), rows: info.estimatedRows });
    const table = toReplicatedTable(info, stored, replication);
    const copied = await copySourceTable(replication, table, { onPage: checkBacklog, pace });
    if (copied === undefined) return false;
    log.write('info', 'Copied a table', { table: fullName(info), rows: copied.progress?.copiedRows });
  }
  if (signal.aborted) return false;
  const end = await source.position();
  await writer.holdCheckpoints(end);
  await writer.finishSnapshot(end);
  // No checkpoint is allowed yet, but from here on the copied rows belong to the first one that will be.
  await writer.commit(firstPosition, { activate: decisions.activate, at: clock.now() });
  await source.mark();
  return true;
}

async function tablesOf({ source, evaluator, log }: Replication): Promise<readonly TableInfo[]> {
  const matched = await source.tables(evaluator.tables);
  for (const { pattern, table, problems } of matched) {
    const name = table === undefined ? `${pattern.schema.text}.${pattern.name.text}` : fullName(table);
    for (const { message } of problems) log.write('warn', message, { table: name });
  }
  return matched.flatMap(({ table, replicated }) => (table !== undefined && replicated ? [table] : []));
}

async function recordOf(replication: Replication, info: TableInfo): Promise<StoredTable> {
  const { writer } = replication;
  const { reused, dropped } = resolveTable(info, await writer.tables());
  for (const table of dropped) await dropTable(replication, table);
  if (reused !== undefined) return reused;
  const { estimatedRows } = info;
  const progress = { copiedRows: 0, ...(estimatedRows !== undefined && { estimatedRows }) };
  return writer.putTable({ ...newTable(info), progress });
}

/** The interval in milliseconds of checking the backlog during a long copy. If it is lost, the remaining copy is useless. */
const checkedEvery = 120_000;

function backlogCheck({ source, deploymentName, clock, log }: Replication): () => Promise<void> {
  let checkedAt = clock.steady();
  return async () => {
    if (clock.steady() - checkedAt < checkedEvery) return;
    checkedAt = clock.steady();
    const state = await source.backlog(deploymentName);
    if (state.kind === 'lost') throw source.explain(lossOf(deploymentName, state));
    if (state.kind === 'absent') throw source.explain({ kind: 'backlog-missing', name: deploymentName });
    const { safeBytes, mostBytes } = state;
    if (safeBytes === undefined || mostBytes === undefined) return;
    const left = Math.round((100 * safeBytes) / mostBytes);
    const level = left > 50 ? 'info' : 'warn';
    log.write(level, 'Space that the source keeps for its log during the copy', { leftPercent: left });
  };
}
