/**
 * Changes of the source, in the order of its log, until aborted. Checkpoints are made where a transaction ends, never
 * inside of one, and only at the last end in a chunk: many small transactions cost one checkpoint. The source is told
 * that it may forget a position only after everything before it is durable here.
 */

import type { Row } from '../../engine/plan/evaluate/scope.ts';
import { replicates } from '../../engine/plan/evaluate.ts';
import type { SqlValue } from '../../engine/plan/values/value.ts';
import { type Lsn, laterOf, ZERO_LSN } from '../lsn.ts';
import { copyTable, dropTable, emptyTable } from './copy.ts';
import { flush, type MissingRow, type RowChange } from './flush.ts';
import type { Replication } from './replication.ts';
import { sizeOfRow } from './rowSize.ts';
import type { ChangedRow, ChangeEvent, TableInfo } from './source.ts';
import { fullName, newTable, type ReplicatedTable, resolveTable, toReplicatedTable } from './tables.ts';

/** Stored at once, at most: what is to be stored is in memory until then. */
const MOST_BYTES = 16_000_000;
/** What is loaded of a row to complete it may be large, however small the change. */
const BYTES_OF_UNCHANGED = 64_000;

/** `onActivated`: a checkpoint has changed the deployments. */
export async function followChanges(replication: Replication, onActivated: () => void): Promise<void> {
  const { stream, signal } = replication;
  await holdInterrupted(replication);
  const state: StreamState = {
    tables: new Map(),
    pending: [],
    bytes: 0,
    missing: [],
    position: ZERO_LSN,
    // What an earlier job has left unpublished is not known here.
    needsCheckpoint: true,
    exact: false,
  };
  for await (const { events } of stream.changes(signal)) {
    const end = events.findLastIndex(({ kind }) => kind === 'commit' || kind === 'keepalive');
    for (const [index, event] of events.entries()) {
      await take(event, state, replication);
      if (signal.aborted) return;
      if (index === end && (await settle(state, replication))) onActivated();
    }
  }
}

/** A transaction that is stored in part comes again: an earlier one must not publish what is there of it. */
async function holdInterrupted({ writer, source }: Replication): Promise<void> {
  if (writer.isInterrupted) await holdUntilNow({ writer, source });
}

/** What is stored may be as the source is now: no checkpoint before the stream has come there, too. */
async function holdUntilNow({ writer, source }: Pick<Replication, 'writer' | 'source'>): Promise<void> {
  await writer.holdCheckpoints(await source.position());
  await source.mark();
}

interface StreamState {
  /** By the source's number; undefined for those that the config does not use. */
  readonly tables: Map<number, ReplicatedTable | undefined>;
  pending: RowChange[];
  /** Of what is pending, roughly. */
  bytes: number;
  missing: MissingRow[];
  /** End of the last transaction that was read. */
  position: Lsn;
  needsCheckpoint: boolean;
  /**
   * What is stored is the source's state at `position`. Not so while changes are read that an earlier job has stored
   * already, or that a copy has seen: then rows are stored as they were later.
   */
  exact: boolean;
}

async function take(event: ChangeEvent, state: StreamState, replication: Replication): Promise<void> {
  switch (event.kind) {
    case 'begin':
      replication.progress.begun(event.at);
      return;
    case 'table':
      await takeTable(event.table, state, replication);
      return;
    case 'truncate':
      await store(state, replication);
      for (const oid of event.oids) {
        const table = state.tables.get(oid);
        if (table === undefined) continue;
        await emptyTable(replication, table.stored);
        state.needsCheckpoint = true;
      }
      return;
    case 'commit':
      state.position = laterOf(event.lsn, state.position);
      return;
    case 'keepalive':
      state.position = laterOf(event.lsn, state.position);
      if (event.marked) state.needsCheckpoint = true;
      return;
    default: {
      const table = state.tables.get(event.oid);
      if (table === undefined) return;
      add(changeOf(event, table, state), state);
      if (state.pending.length >= replication.rowsAtOnce || state.bytes >= MOST_BYTES)
        await store(state, replication);
    }
  }
}

type RowEvent = ChangeEvent & { readonly kind: 'insert' | 'update' | 'delete' };

function changeOf(event: RowEvent, table: ReplicatedTable, { exact }: StreamState): RowChange {
  if (event.kind === 'delete') return { kind: 'remove', table, key: table.keyOf(event.old) };
  const old = event.kind === 'update' ? event.old : undefined;
  if (old === undefined) {
    const key = table.keyOf(event.row.values);
    return { kind: 'put', table, key, row: event.row, valuesAt: key };
  }
  const row = complete(event.row, old);
  const key = table.keyOf(row.values);
  const oldKey = table.keyOf(old);
  // Later the old key may have become another row's, whose values must not move along: no change would correct that.
  const isSure = exact || key === oldKey;
  return { kind: 'put', table, key, row, oldKey, ...(isSure && { valuesAt: oldKey }) };
}

/** The old row has what the new one leaves out, if it was sent whole. */
function complete(row: ChangedRow, old: Row): ChangedRow {
  const { values, unchanged, ...rest } = row;
  if (unchanged === undefined) return row;
  const found = unchanged.filter((name) => old[name] !== undefined);
  if (found.length === 0) return row;
  const completed: Record<string, SqlValue> = Object.assign(Object.create(null), values);
  for (const name of found) completed[name] = old[name] as SqlValue;
  return { ...rest, values: completed, unchanged: unchanged.filter((name) => old[name] === undefined) };
}

function add(change: RowChange, state: StreamState): void {
  state.pending.push(change);
  state.needsCheckpoint = true;
  if (change.kind === 'remove') return;
  const { values, unchanged } = change.row;
  state.bytes += sizeOfRow(values);
  if (unchanged !== undefined) state.bytes += BYTES_OF_UNCHANGED;
}

async function takeTable(info: TableInfo, state: StreamState, replication: Replication): Promise<void> {
  const { writer, evaluator, source, signal, progress, log } = replication;
  const { tag } = source;
  const { reused, dropped } = resolveTable(info, await writer.tables());
  const isUsed = replicates(evaluator.tables, { tag, schema: info.schema, name: info.name });
  if (dropped.length > 0 || (isUsed && !reused?.copied)) await store(state, replication);
  for (const table of dropped) {
    log.write('info', 'A table is another one than before; its rows are removed', { table: fullName(table) });
    await dropTable(replication, table);
    if (signal.aborted) return;
    state.tables.delete(table.oid);
    state.needsCheckpoint = true;
  }
  state.tables.set(info.oid, undefined);
  if (!isUsed) return;
  let stored = reused;
  if (stored === undefined || !stored.copied) {
    // A copy that was interrupted here starts over: the stream has gone on meanwhile.
    if (stored !== undefined) await emptyTable(replication, stored);
    log.write('info', 'Copying a table that is new', { table: fullName(info) });
    const record = await writer.putTable({ ...(stored && { id: stored.id }), ...newTable(info) });
    const table = toReplicatedTable(info, record, evaluator, tag);
    stored = await copyTable(replication, table, async () => {});
    if (stored === undefined) return;
    state.needsCheckpoint = true;
    state.exact = false;
    await source.mark();
  }
  progress.table(stored);
  state.tables.set(info.oid, toReplicatedTable(info, stored, evaluator, tag));
}

/** Not visible yet, and not durable when more goes along with it. */
async function store(
  state: StreamState,
  { writer, report, progress }: Replication,
  goesOn = false,
): Promise<void> {
  const { pending, bytes } = state;
  if (pending.length === 0) return;
  state.pending = [];
  state.bytes = 0;
  const { rows, missing } = await flush(pending, writer, report);
  if (rows.length > 0) await writer.write({ rows, goesOn });
  progress.stored({ rows: pending.length, bytes });
  state.missing.push(...missing);
}

/** Returns whether the deployments have changed by it. */
async function settle(state: StreamState, replication: Replication): Promise<boolean> {
  const { stream, writer, activate, clock, progress } = replication;
  // Together with its checkpoint it waits for the disk once.
  await store(state, replication, true);
  await refetch(state, replication);
  let changed = false;
  // Where nothing of ours has happened, no record is written: with the storage in the same database each one would
  // be something new that happened.
  if (state.needsCheckpoint) {
    const result = await writer.commit(state.position, { activate, at: clock.now() });
    state.needsCheckpoint = !result.published;
    if (result.published) state.exact = true;
    changed = result.changed !== undefined;
  }
  stream.acknowledge(state.position);
  progress.settled(state.position);
  return changed;
}

/** Rows that were neither sent nor stored whole are read anew. */
async function refetch(state: StreamState, replication: Replication): Promise<void> {
  const { stream, signal, report } = replication;
  const { missing } = state;
  if (missing.length === 0) return;
  state.missing = [];
  const byTable = new Map<ReplicatedTable, SqlValue[]>();
  for (const { table, key, identity } of missing) {
    if (!table.refetchable) {
      const message =
        'A large value of a row is not known; the row is synced after its next change that includes it';
      report({ table: fullName(table.info), row: key, kind: 'incomplete', message });
      continue;
    }
    const keys = byTable.get(table) ?? [];
    keys.push(identity);
    byTable.set(table, keys);
  }
  if (byTable.size === 0) return;
  state.exact = false;
  for (const [table, keys] of byTable) {
    for (const values of await stream.refetch(table.info, keys, signal)) {
      add({ kind: 'put', table, key: table.keyOf(values), row: { values } }, state);
    }
  }
  await store(state, replication);
  await holdUntilNow(replication);
}
