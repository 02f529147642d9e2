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
import { beginState, holdUntilNow, isRepeated, lastEventOf, pass, type StreamState } from './stream/state.ts';
import { takeTable, takeTruncation } from './stream/tableEvents.ts';

/**
 * @param onActivated a checkpoint has changed the deployments; returns what to go on with, if that is something else
 */
export async function followChanges(
  first: Replication,
  onActivated: (records: readonly Deployment[]) => Replication | undefined,
): Promise<void> {
  const { signal } = first;
  let replication = first;
  await holdInterrupted(replication);
  const state = await beginState(replication);
  await state.survey.begin();
  for await (const next of turnsOf(state, () => replication)) {
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
      const records = await settle(state, replication);
      const next = records && onActivated(records);
      if (next !== undefined) {
        replication = next;
        await changeOver(state, replication);
      }
      await runErrands(state, replication);
    }
  }
}

/** Changes, and what else there is to do. */
async function* turnsOf(
  state: StreamState,
  present: () => Replication,
): AsyncGenerator<ChangeChunk | Chore, void> {
  const { stream, signal, clock, clearing } = present();
  const stop = new AbortController();
  const abort = () => stop.abort();
  signal.addEventListener('abort', abort);
  const hasChores = state.beside !== undefined || clearing !== undefined;
  const chores = choresOf(state, present, stop.signal);
  const changes = stream.changes(signal);
  const isAwaited = () => state.needsCheckpoint;
  const inTurns = { clock, length: turnLength, behind, isAwaited, stopOther: abort };
  const turns = hasChores ? interleave(changes, chores, inTurns) : changes;
  try {
    yield* turns;
  } finally {
    signal.removeEventListener('abort', abort);
    abort();
  }
}

/** They begin when what was read before has come again. What is copied beside leaves a rest when it is served. */
async function* choresOf(
  state: StreamState,
  present: () => Replication,
  signal: AbortSignal,
): AsyncGenerator<Chore, void> {
  const { clock } = present();
  while (!state.belongs && !signal.aborted) await clock.sleep(reunionLookedAtEvery, signal);
  if (!signal.aborted && state.beside !== undefined) yield* state.beside.chores(signal);
  if (!signal.aborted) yield* choresOfClearing(present(), signal);
}

/** In milliseconds. */
const reunionLookedAtEvery = 50;

/**
 * In milliseconds: how long a copy goes on before the stream's changes. Each checkpoint makes durable what was copied before
 * it, which writes the tree of random keys almost as a whole; and clients wait for the checkpoint.
 */
const turnLength = 130;

/**
 * In milliseconds. A machine that is too busy to do both leaves the copy a part of its time, so that it comes to its end, and the
 * rest to what is served.
 */
const behind = { after: 1_000, length: 10 * turnLength } as const;

/** A transaction that is stored in part comes again: an earlier one must not publish what is there of it. */
async function holdInterrupted({ writer, source }: Replication): Promise<void> {
  if (writer.isInterrupted) await holdUntilNow({ writer, source });
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
      return isMuch ? store(state.pending, replication, lastEventOf(state)) : undefined;
    }
  }
}

/** All of them: the marks by which they were announced may have come together. */
async function runErrands(state: StreamState, replication: Replication): Promise<void> {
  while (!state.needsCheckpoint) {
    const errand = replication.nextErrand();
    if (errand === undefined) return;
    if ((await errand(replication)) !== 'wrote') continue;
    state.needsCheckpoint = true;
    state.exact = false;
    await replication.source.mark();
  }
}
