/** Where a transaction ends: what is stored becomes a checkpoint, as soon as it is the source's state. */
import type { Lsn } from '../../../ground/lsn.ts';
import type { Deployment } from '../../../storage/deployment.ts';
import type { CommitResult } from '../../../storage/storage.ts';
import { storeProblems } from '../copy.ts';
import { closeTransaction, store } from '../pending.ts';
import type { Replication } from '../replication.ts';
import { catchUpAt, hasWaitedEnough, reasonToWait } from './catchUp.ts';
import { copyDue, doubt } from './copyWhole.ts';
import { refetch } from './refetch.ts';
import { forgettable, lastEventOf, recordedEvery, type StreamState } from './state.ts';

/**
 * How long a checkpoint may be delayed, in milliseconds, if transactions of the next one have already arrived: this many
 * times the duration of the last checkpoint, so that checkpoints take at most a twentieth of the time.
 */
const wait = { times: 20, least: 20, most: 500 } as const;

/** In milliseconds: how often the log is marked while a deployment catches up, so that an idle source goes on, too. */
const markEvery = 100;

/** Whether the checkpoint that is due here can be left to a later end, which has arrived, too. */
export function mayWait(state: StreamState, { stream, clock }: Replication): boolean {
  if (!stream.endsAgain()) return false;
  state.dueSince ??= clock.now();
  const longest = Math.min(wait.most, Math.max(wait.least, wait.times * state.took));
  return clock.now() - state.dueSince < longest;
}

/** Returns the deployments if they have changed by it. */
export async function settle(
  state: StreamState,
  replication: Replication,
): Promise<readonly Deployment[] | undefined> {
  const { stream, progress, clock } = replication;
  state.dueSince = undefined;
  // Together with its checkpoint it waits for the disk once.
  await store(state.pending, replication, lastEventOf(state));
  await refetch(state, replication);
  await doubt(state, replication);
  await copyDue(state, replication);
  await storeProblems(replication);
  if (!state.reunion.isOver()) return undefined;
  if (!state.belongs) await replication.belong();
  state.belongs = true;
  // Where nothing of ours has happened, no record is written, except now and then: with the storage in the same database, each
  // record would be a new event of the source. A position that is not stored is not acknowledged either.
  const isRecorded = state.needsCheckpoint || clock.now() - state.recordedAt >= recordedEvery;
  const acknowledges = forgettable(state, clock.now());
  const result = isRecorded ? await commit(state, acknowledges, replication) : undefined;
  if (isRecorded) stream.acknowledge(acknowledges);
  progress.settled(state.position);
  if (result?.putOff && !stream.endsAgain()) await markForNext(state, replication);
  return result?.changed;
}

async function commit(
  state: StreamState,
  acknowledges: Lsn,
  replication: Replication,
): Promise<CommitResult> {
  const { slot, writer, activate, activateAnyway, takeOver, progress, clock, log } = replication;
  const at = clock.now();
  const hasAll = state.beside?.isCompleteAt(state.position);
  const look = () => catchUpAt(state.position, state.catchUp, replication);
  const waited = state.catchUp && (await look());
  const isOverdue = waited !== undefined && hasWaitedEnough(waited, at);
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
  if (result.putOff) {
    state.catchUp = waited ?? (await look());
    progress.waiting(reasonToWait(state.catchUp, at));
  } else if (result.changed !== undefined) progress.waiting(undefined);
  if (isOverdue && result.changed !== undefined) {
    const message =
      'A deployment did not catch up with the active one in time: clients may go back for a moment';
    log.write('warn', message, { slot });
  }
  return result;
}

async function markForNext(state: StreamState, { source, clock, signal }: Replication): Promise<void> {
  await clock.sleep(state.markedAt + markEvery - clock.now(), signal);
  if (signal.aborted) return;
  state.markedAt = clock.now();
  await source.mark();
}
