/**
 * Follows the source's changes, in the order of its log, until aborted. A checkpoint is made only where a
 * transaction ends, and only at the last end in a chunk, or a little later if more have arrived: many small
 * transactions cost one checkpoint. The source may forget a position only after everything before it is
 * durable here.
 */

import { replicates } from '../../../engine/plan/evaluate/evaluate.ts';
import type { Row } from '../../../engine/plan/evaluate/scope.ts';
import type { SqlValue } from '../../../engine/plan/values/value.ts';
import { type Lsn, laterOf, zeroLsn } from '../../ground/lsn.ts';
import type { PassedEvent } from '../../storage/deployment.ts';
import type { CommitResult, StoredTable } from '../../storage/storage.ts';
import type { RowChange } from '../rows/flush.ts';
import {
  fullName,
  isRemade,
  newTable,
  type ReplicatedTable,
  resolveTable,
  toReplicatedTable,
} from '../rows/tables.ts';
import { type ChangeChunk, type ChangedRow, type ChangeEvent, isEnd, type TableInfo } from '../source.ts';
import { type BesideCopy, openBesideCopy } from './beside.ts';
import { choresOfClearing } from './clearRest.ts';
import { copySourceTable, dropTable, emptyTable, storeProblems } from './copy.ts';
import type { ReadEvent, Reunion } from './history.ts';
import { interleave } from './interleave.ts';
import { add, closeTransaction, nothingPending, type PendingChanges, store } from './pending.ts';
import type { Chore, Replication } from './replication.ts';
import { openSurvey, type Survey } from './survey.ts';

/**
 * How long a checkpoint may be delayed, in milliseconds, if transactions of the next one have already arrived: this many
 * times the duration of the last checkpoint, so that checkpoints take at most a twentieth of the time.
 */
const wait = { times: 20, least: 20, most: 500 } as const;

/**
 * While clients have a newer state of the source than a deployment that is to become active: how long it
 * waits to catch up, and how often the log is marked in the meantime, so that an idle source goes on, too; in
 * milliseconds. It may never catch up: the active one may be faster, or at a position of a source that was
 * replaced.
 */
const catchingUp = { longest: 10_000, markEvery: 100 } as const;

/** In milliseconds: as often as the source's log is marked, which is an occasion of its own. */
const recordedEvery = 60_000;

/** In milliseconds: where the log cannot be marked, the source must be able to forget what other databases write to it. */
const heldFor = 3 * recordedEvery;

/** `onActivated`: a checkpoint has changed the deployments. */
export async function followChanges(replication: Replication, onActivated: () => void): Promise<void> {
  const { signal, clock, reunion, beside: work } = replication;
  await holdInterrupted(replication);
  const state: StreamState = {
    tables: new Map(),
    pending: nothingPending(),
    position: zeroLsn,
    // What an earlier job has left unpublished is not known here.
    needsCheckpoint: true,
    dueSince: undefined,
    took: 0,
    putOffSince: undefined,
    markedAt: 0,
    exact: false,
    last: undefined,
    lastAt: clock.now(),
    beforeLast: zeroLsn,
    coming: undefined,
    doubts: 0,
    recordedAt: clock.now(),
    reunion: await reunion(),
    belongs: false,
    survey: openSurvey(replication),
    beside: work && openBesideCopy(replication, work),
  };
  await state.survey.begin();
  await state.beside?.begin();
  for await (const next of turnsOf(state, replication)) {
    if (signal.aborted) return;
    if (typeof next === 'function') {
      await next();
      continue;
    }
    const { events } = next;
    const end = events.findLastIndex(isEnd);
    for (const [index, event] of events.entries()) {
      const taking = take(event, state, replication);
      if (taking !== undefined) await taking;
      if (signal.aborted) return;
      if (index !== end || mayWait(state, replication)) continue;
      if (await settle(state, replication)) onActivated();
      if (!state.needsCheckpoint) await runErrand(state, replication);
    }
  }
}

/** Changes, and what else there is to do, which begins when what was read before has come again. */
async function* turnsOf(
  state: StreamState,
  replication: Replication,
): AsyncGenerator<ChangeChunk | Chore, void> {
  const { stream, signal, clock } = replication;
  const stop = new AbortController();
  const abort = () => stop.abort();
  signal.addEventListener('abort', abort);
  const chores =
    state.beside?.chores(stop.signal) ?? (replication.clearing && choresOfClearing(replication, stop.signal));
  async function* choresInTime() {
    while (!state.belongs && !stop.signal.aborted) await clock.sleep(reunionLookedAtEvery, stop.signal);
    if (chores !== undefined && !stop.signal.aborted) yield* chores;
  }
  const turns =
    chores === undefined ? stream.changes(signal) : interleave(stream.changes(signal), choresInTime(), abort);
  try {
    yield* turns;
  } finally {
    signal.removeEventListener('abort', abort);
    abort();
  }
}

/** In milliseconds. */
const reunionLookedAtEvery = 50;

/** Whether the checkpoint that is due here can be left to a later end, which has arrived, too. */
function mayWait(state: StreamState, { stream, clock }: Replication): boolean {
  if (!stream.endsAgain()) return false;
  state.dueSince ??= clock.now();
  const longest = Math.min(wait.most, Math.max(wait.least, wait.times * state.took));
  return clock.now() - state.dueSince < longest;
}

/** A transaction that is stored in part comes again: an earlier one must not publish what is there of it. */
async function holdInterrupted({ writer, source }: Replication): Promise<void> {
  if (writer.isInterrupted) await holdUntilNow({ writer, source });
}

/** The stored rows may be the source's current ones: no checkpoint before the stream has come there, too. */
async function holdUntilNow({ writer, source }: Pick<Replication, 'writer' | 'source'>): Promise<void> {
  await writer.holdCheckpoints(await source.position());
  await source.mark();
}

interface StreamState {
  /** By the source's number; undefined for those that the config does not use. */
  readonly tables: Map<number, ReplicatedTable | undefined>;
  readonly pending: PendingChanges;
  /** End of the last transaction that was read. */
  position: Lsn;
  needsCheckpoint: boolean;
  /** When the checkpoint could have been made that waits for a later one. */
  dueSince: number | undefined;
  /** Milliseconds of the last checkpoint. */
  took: number;
  /** When the activation was put off for the first time. */
  putOffSince: number | undefined;
  /** When the log was marked for a next checkpoint; 0: not yet. */
  markedAt: number;
  /**
   * The stored rows are the source's state at `position`. This is not so while the stream repeats changes
   * that an earlier job has stored already, or that a copy has seen: then the stored rows are newer.
   */
  exact: boolean;
  /** How often tables were copied again because of equal rows, since the last checkpoint. */
  doubts: number;
  last: PassedEvent | undefined;
  /** When it was read. */
  lastAt: number;
  /** Where the log was before it. */
  beforeLast: Lsn;
  /** What will end the transaction that is being read. */
  coming: PassedEvent | undefined;
  /** When a position was remembered last. */
  recordedAt: number;
  readonly reunion: Reunion;
  /** Which history of the source it is has been remembered. */
  belongs: boolean;
  readonly survey: Survey;
  readonly beside: BesideCopy | undefined;
}

/** Most events only add to what is pending: waiting for each would cost more than they do. */
function take(event: ChangeEvent, state: StreamState, replication: Replication): Promise<void> | undefined {
  switch (event.kind) {
    case 'begin':
      replication.progress.begun(event.at);
      state.coming = event.last;
      return undefined;
    case 'table':
      return takeTable(event.table, state, replication);
    case 'truncate':
      return isRepeated(state, replication) ? undefined : takeTruncation(event.oids, state, replication);
    case 'commit':
      state.coming = undefined;
      pass(event.lsn, event, state, replication);
      return undefined;
    case 'keepalive':
      pass(event.lsn, event.passing === true ? undefined : event, state, replication);
      if (event.marked) state.needsCheckpoint = true;
      return undefined;
    default: {
      const table = state.tables.get(event.oid);
      if (table === undefined || isRepeated(state, replication)) return undefined;
      state.needsCheckpoint = true;
      const change = changeOf(event, table, state);
      state.beside?.touch(change);
      const isMuch = add(change, state.pending, replication.rowsAtOnce);
      return isMuch ? store(state.pending, replication, endOf(state)) : undefined;
    }
  }
}

function pass(
  place: Lsn,
  event: ReadEvent | undefined,
  state: StreamState,
  { clock }: Pick<Replication, 'clock'>,
): void {
  state.reunion.pass(place, event);
  const before = state.position;
  state.position = laterOf(place, before);
  if (event === undefined || (state.last !== undefined && event.lsn < state.last.lsn)) return;
  const { lsn, mark } = event;
  state.last = { lsn, ...(mark !== undefined && { mark }) };
  state.lastAt = clock.now();
  state.beforeLast = before;
}

/** Everything that is repeated up to the last event is stored already, completely if a commit has followed. */
function isRepeated({ reunion }: StreamState, { writer }: Replication): boolean {
  return !reunion.isOver() && !writer.isInterrupted;
}

/** What the rows that are being stored end with. While events come again, a later one is remembered already. */
function endOf({ reunion, coming, last }: StreamState): PassedEvent | undefined {
  return reunion.isOver() ? (coming ?? last) : undefined;
}

/** Not the last event: it comes again to the next connection, which shows whether that reads the same log. */
function forgettable({ position, last, lastAt, beforeLast }: StreamState, now: number): Lsn {
  return last?.mark !== undefined && now - lastAt < heldFor ? beforeLast : position;
}

type RowEvent = ChangeEvent & { readonly kind: 'insert' | 'update' | 'delete' };

function changeOf(event: RowEvent, table: ReplicatedTable, { exact, doubts }: StreamState): RowChange {
  // An equal row may be what the copy has seen, or what is stored of a change that is read again.
  const mayBeAnother = table.isKeyless && !exact && doubts < mostDoubts;
  if (event.kind === 'delete') return { kind: 'remove', table, key: table.keyOf(event.old), mayBeAnother };
  const old = event.kind === 'update' ? event.old : undefined;
  if (old === undefined) {
    const key = table.keyOf(event.row.values);
    return { kind: 'put', table, key, row: event.row, valuesAt: key, isInsert: event.kind === 'insert' };
  }
  const row = complete(event.row, old);
  const key = table.keyOf(row.values);
  const oldKey = table.keyOf(old);
  // Later the old key may have become another row's, whose values must not move along: no change would correct that.
  const isSure = (exact && !table.isBeside) || key === oldKey;
  return { kind: 'put', table, key, row, oldKey, mayBeAnother, ...(isSure && { valuesAt: oldKey }) };
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

async function takeTruncation(
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

async function takeTable(info: TableInfo, state: StreamState, replication: Replication): Promise<void> {
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
    await takeBeside({ ...info, ...(shape && { shape }) }, stored, state.beside, state, replication);
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

/** A table that only what is added needs: nobody waits for it. */
async function takeBeside(
  info: TableInfo,
  known: StoredTable | undefined,
  beside: BesideCopy,
  state: StreamState,
  replication: Replication,
): Promise<void> {
  const { evaluator, source } = replication;
  let stored = known;
  if (stored !== undefined && isRemade(stored.shape, info.shape)) {
    await store(state.pending, replication);
    beside.forget(stored.id);
    await dropTable(replication, stored);
    stored = undefined;
  }
  stored ??= await beside.add(info);
  if (stored === undefined) return;
  const table = toReplicatedTable(info, stored, evaluator, source.tag);
  state.tables.set(info.oid, { ...table, isBeside: true });
}

async function copyWhole(
  info: TableInfo,
  record: StoredTable,
  state: StreamState,
  replication: Replication,
): Promise<StoredTable | undefined> {
  const { source, evaluator } = replication;
  const table = toReplicatedTable(info, record, evaluator, source.tag);
  const stored = await copySourceTable(replication, table, async () => {});
  if (stored === undefined) return undefined;
  state.beside?.hasWhole(stored);
  state.needsCheckpoint = true;
  state.exact = false;
  await source.mark();
  return stored;
}

/** A table whose rows go all the time could be copied forever: clients would wait as long. */
const mostDoubts = 3;

const uncertain =
  '[SVC_S1148] Equal rows were deleted while the table was copied: some that are left may be missing. Add a primary key.';

/** Some of several equal rows are gone, and how many are left is not known here. */
async function doubt(state: StreamState, { writer }: Replication): Promise<void> {
  const { pending, survey } = state;
  if (pending.doubtful.size === 0) return;
  state.doubts += 1;
  const tables = await writer.tables();
  await survey.demand();
  for (const stored of tables) {
    if (pending.doubtful.has(stored.id)) await writer.putTable({ ...stored, copied: false });
  }
  pending.doubtful.clear();
}

/**
 * Tables whose changes may be missing: once the stream has come to where that was noticed, it contains all
 * later ones.
 */
async function copyDue(state: StreamState, replication: Replication): Promise<void> {
  const { writer, source, evaluator, reports, signal, progress, log } = replication;
  for (const { info, dropped, stored, reason } of await state.survey.due(state.position)) {
    log.write('warn', `A table is copied again: ${reason}`, { table: fullName(info) });
    for (const table of dropped) {
      state.beside?.forget(table.id);
      await dropTable(replication, table);
      state.tables.delete(table.oid);
    }
    if (stored !== undefined) {
      state.beside?.forget(stored.id);
      await emptyTable(replication, stored);
    }
    if (signal.aborted) return;
    const record = await writer.putTable({ ...(stored && { id: stored.id }), ...newTable(info) });
    const copied = await copyWhole(info, record, state, replication);
    if (copied === undefined) return;
    progress.table(copied);
    if (copied.shape?.isKeyless && state.doubts >= mostDoubts) {
      const table = toReplicatedTable(info, copied, evaluator, source.tag);
      reports.tell(table, uncertain, { row: 'equal rows', kind: 'equal', message: uncertain });
    }
    const known = state.tables.get(info.oid);
    if (known !== undefined) {
      state.tables.set(info.oid, toReplicatedTable(known.info, copied, evaluator, source.tag));
    }
  }
}

async function runErrand(state: StreamState, replication: Replication): Promise<void> {
  const errand = replication.nextErrand();
  if (errand === undefined) return;
  if ((await errand(replication)) !== 'wrote') return;
  state.needsCheckpoint = true;
  state.exact = false;
  await replication.source.mark();
}

/** Returns whether the deployments have changed by it. */
async function settle(state: StreamState, replication: Replication): Promise<boolean> {
  const { stream, progress, clock } = replication;
  state.dueSince = undefined;
  // Together with its checkpoint it waits for the disk once.
  await store(state.pending, replication, endOf(state));
  await refetch(state, replication);
  await doubt(state, replication);
  await copyDue(state, replication);
  await storeProblems(replication);
  if (!state.reunion.isOver()) return false;
  if (!state.belongs) await replication.belong();
  state.belongs = true;
  // Where nothing of ours has happened, no record is written, but for one now and then: with the storage in the same
  // database each one would be something new that happened. What is not remembered is not acknowledged either.
  const isRecorded = state.needsCheckpoint || clock.now() - state.recordedAt >= recordedEvery;
  const acknowledges = forgettable(state, clock.now());
  const result = isRecorded ? await commit(state, acknowledges, replication) : undefined;
  if (isRecorded) stream.acknowledge(acknowledges);
  progress.settled(state.position);
  if (result?.putOff && !stream.endsAgain()) await markForNext(state, replication);
  return result?.changed !== undefined;
}

async function commit(
  state: StreamState,
  acknowledges: Lsn,
  replication: Replication,
): Promise<CommitResult> {
  const { slot, writer, activate, activateAnyway, takeOver, clock, log } = replication;
  const at = clock.now();
  const hasAll = state.beside?.isCompleteAt(state.position);
  const isOverdue = state.putOffSince !== undefined && at - state.putOffSince >= catchingUp.longest;
  const result = await writer.commit(state.position, {
    activate: isOverdue ? activateAnyway : activate,
    ...(hasAll && takeOver && { takeOver }),
    at,
    acknowledges,
    ...(state.last !== undefined && { last: state.last }),
  });
  state.recordedAt = at;
  state.took = clock.now() - at;
  closeTransaction(state.pending);
  state.needsCheckpoint = !result.published || result.putOff === true;
  if (result.published) {
    state.exact = true;
    state.doubts = 0;
  }
  if (result.putOff) state.putOffSince ??= at;
  if (isOverdue && result.changed !== undefined) {
    const message =
      'A deployment did not catch up with the active one in time: clients may go back for a moment';
    log.write('warn', message, { slot });
  }
  return result;
}

async function markForNext(state: StreamState, { source, clock, signal }: Replication): Promise<void> {
  await clock.sleep(state.markedAt + catchingUp.markEvery - clock.now(), signal);
  if (signal.aborted) return;
  state.markedAt = clock.now();
  await source.mark();
}

/** Rows that were neither sent nor stored whole are read again. */
async function refetch(state: StreamState, replication: Replication): Promise<void> {
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
