/**
 * Follows the source's changes, in the order of its log, until aborted. A checkpoint is made only at the end of a transaction,
 * and only at the last end in a chunk, or a little later if more have arrived, so that many small transactions cost one
 * checkpoint. The source may drop a position only after everything before it is durable here.
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
 * @param onActivated called when a checkpoint has changed the deployments; returns the replication to continue with, if it is a
 * different one
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

/** Combines the changes with the other work. */
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

/**
 * Returns the chores. They begin when all events that were read before have been sent again. A copy beside the deployment leaves
 * a rest after it is served.
 */
async function* choresOf(state: StreamState, signal: AbortSignal): AsyncGenerator<Chore, void> {
  const { clock } = state.replication;
  while (!state.position.isJoined && !signal.aborted) await clock.sleep(reunionLookedAtEvery, signal);
  if (!signal.aborted && state.beside !== undefined) yield* state.beside.chores(signal);
  if (!signal.aborted) yield* choresOfClearing(state.replication, signal);
}

/** The interval of checking for the reunion, in milliseconds. */
const reunionLookedAtEvery = 50;

/**
 * The duration of a turn of the copy before the stream's changes, in milliseconds. It is not shorter, because each checkpoint
 * makes the copied rows durable, which writes almost the entire tree of random keys. It is not longer, because clients wait for
 * the checkpoint.
 */
const turnLength = 130;

/**
 * Times in milliseconds for a machine that is too busy for both. The copy gets a part of the time, so that it ends, and the
 * served rows get the other part.
 */
const behind = { after: 1_000, length: 10 * turnLength } as const;

/**
 * Holds checkpoints back after an interruption. The source sends a partly stored transaction again, and an earlier transaction
 * must not publish the stored part.
 */
async function holdInterrupted({ writer, source }: Replication): Promise<void> {
  if (writer.isInterrupted) await holdUntilNow({ writer, source });
}

/** Takes an event. Returns a promise only if something must be awaited, because awaiting costs more than most events. */
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
      return isStored(state) ? undefined : takeTruncation(event.sourceIds, state);
    case 'commit':
      position.commit(event);
      return undefined;
    case 'keepalive':
      position.pass(event.position, event.passing === true ? undefined : event);
      if (event.marked) rows.take('changed');
      return undefined;
    default: {
      const table = state.tables.get(event.sourceId);
      if (table === undefined || isStored(state)) return undefined;
      rows.take('changed');
      const change = changeOf(event, table, rows);
      state.beside?.touch(change);
      const isMuch = add(change, pending, replication.rowsAtOnce);
      return isMuch ? store(pending, replication, position.eventOfRows()) : undefined;
    }
  }
}

/** Whether the next event is already stored. This applies to all repeated events if a commit followed them. */
function isStored({ position, replication }: StreamState): boolean {
  return !position.isReunited && !replication.writer.isInterrupted;
}

/** Runs all errands, because the marks that announced them may have arrived together. */
async function runErrands({ replication, rows, survey }: StreamState): Promise<void> {
  while (!rows.isCheckpointDue) {
    const errand = replication.nextErrand();
    if (errand === undefined) return;
    if ((await errand(replication, survey.demand)) !== 'wrote') continue;
    rows.take('overtaken');
    await replication.source.mark();
  }
}
