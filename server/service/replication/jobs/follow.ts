/**
 * Follows the source's changes, in the order of its log, until aborted. A checkpoint is made only where a
 * transaction ends, and only at the last end in a chunk, or a little later if more have arrived: many small
 * transactions cost one checkpoint. The source may forget a position only after everything before it is
 * durable here.
 */

import type { Deployment } from '../../storage/deployment.ts';
import { type ChangeChunk, type ChangeEvent, isEnd } from '../source.ts';
import { choresOfClearing } from './clearRest.ts';
import { interleave } from './interleave.ts';
import { add, store } from './pending.ts';
import type { Chore, Replication } from './replication.ts';
import { changeOf } from './stream/change.ts';
import { changeOver } from './stream/changeOver.ts';
import { mayWait, settle } from './stream/checkpoint.ts';
import { beginState, holdUntilNow, type StreamState } from './stream/state.ts';
import { takeTable, takeTruncation } from './stream/tableEvents.ts';

/**
 * @param onActivated a checkpoint has changed the deployments; returns what to go on with, if that is something else
 */
export async function followChanges(
  first: Replication,
  onActivated: (records: readonly Deployment[]) => Replication | undefined,
): Promise<void> {
  const { signal } = first;
  await holdInterrupted(first);
  const state = await beginState(first);
  await state.survey.begin();
  for await (const turn of turnsOf(state)) {
    if (signal.aborted) return;
    if (typeof turn === 'function') {
      await turn();
      continue;
    }
    const { events } = turn;
    const end = events.findLastIndex(isEnd);
    for (const [index, event] of events.entries()) {
      const taking = take(event, state);
      if (taking !== undefined) await taking;
      if (signal.aborted) return;
      if (index !== end || mayWait(state)) continue;
      const records = await settle(state);
      const other = records && onActivated(records);
      if (other !== undefined) await changeOver(state, other);
      await runErrands(state);
    }
  }
}

/** Changes, and what else there is to do. */
async function* turnsOf(state: StreamState): AsyncGenerator<ChangeChunk | Chore, void> {
  const { stream, signal, clock, clearing } = state.replication;
  const stop = new AbortController();
  const abort = () => stop.abort();
  signal.addEventListener('abort', abort);
  const hasChores = state.beside !== undefined || clearing !== undefined;
  const chores = choresOf(state, stop.signal);
  const changes = stream.changes(signal);
  const isAwaited = () => state.rows.isCheckpointDue;
  const inTurns = { clock, length: turnLength, behind, isAwaited, stopOther: abort };
  const turns = hasChores ? interleave(changes, chores, inTurns) : changes;
  try {
    yield* turns;
  } finally {
    signal.removeEventListener('abort', abort);
    abort();
  }
}

/** The chores begin when everything that was read before has come again. A copy beside leaves a rest when it is served. */
async function* choresOf(state: StreamState, signal: AbortSignal): AsyncGenerator<Chore, void> {
  const { clock } = state.replication;
  while (!state.position.isJoined && !signal.aborted) await clock.sleep(reunionLookedAtEvery, signal);
  if (!signal.aborted && state.beside !== undefined) yield* state.beside.chores(signal);
  if (!signal.aborted) yield* choresOfClearing(state.replication, signal);
}

/** The interval at which the reunion is looked at, in milliseconds. */
const reunionLookedAtEvery = 50;

/**
 * The time that a copy gets before the stream's changes, in milliseconds. Each checkpoint makes the copied rows durable, which
 * writes almost the entire tree of random keys; and clients wait for the checkpoint.
 */
const turnLength = 130;

/**
 * Times in milliseconds. A machine that is too busy to do both gives the copy a part of its time, so that it ends, and the
 * other part to the served rows.
 */
const behind = { after: 1_000, length: 10 * turnLength } as const;

/**
 * Holds checkpoints back after an interruption. A transaction that is stored in part comes again, and an earlier one must not
 * publish the stored part.
 */
async function holdInterrupted({ writer, source }: Replication): Promise<void> {
  if (writer.isInterrupted) await holdUntilNow({ writer, source });
}

/** Returns a promise only if there is something to wait for: waiting costs more than most events do. */
function take(event: ChangeEvent, state: StreamState): Promise<void> | undefined {
  const { replication, position, rows, pending } = state;
  switch (event.kind) {
    case 'begin':
      replication.progress.begun(event.at);
      position.begin(event.last);
      return undefined;
    case 'table':
      return takeTable(event.table, state);
    case 'truncate':
      return isStored(state) ? undefined : takeTruncation(event.oids, state);
    case 'commit':
      position.commit(event);
      return undefined;
    case 'keepalive':
      position.pass(event.lsn, event.passing === true ? undefined : event);
      if (event.marked) rows.take('changed');
      return undefined;
    default: {
      const table = state.tables.get(event.oid);
      if (table === undefined || isStored(state)) return undefined;
      rows.take('changed');
      const change = changeOf(event, table, rows);
      state.beside?.touch(change);
      const isMuch = add(change, pending, replication.rowsAtOnce);
      return isMuch ? store(pending, replication, position.eventOfRows()) : undefined;
    }
  }
}

/** Whether the next event is stored already: all events that come again are, if a commit has followed them. */
function isStored({ position, replication }: StreamState): boolean {
  return !position.isReunited && !replication.writer.isInterrupted;
}

/** Runs all errands, because the marks that announced them may have come together. */
async function runErrands({ replication, rows }: StreamState): Promise<void> {
  while (!rows.isCheckpointDue) {
    const errand = replication.nextErrand();
    if (errand === undefined) return;
    if ((await errand(replication)) !== 'wrote') continue;
    rows.take('overtaken');
    await replication.source.mark();
  }
}
