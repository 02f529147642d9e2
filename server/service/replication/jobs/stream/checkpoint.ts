/** Handles the end of a transaction: the stored changes become a checkpoint as soon as they are a state of the source. */
import type { LogPosition } from '../../../ground/logPosition.ts';
import type { Deployment } from '../../../storage/deployment.ts';
import type { CommitResult } from '../../../storage/storage.ts';
import { storeProblems } from '../../rows/rowReports.ts';
import { closeTransaction, store } from '../pending.ts';
import { catchUpAt, hasWaitedEnough, reasonToWait } from './catchUp.ts';
import { doubt, settleDifferences } from './copyWhole.ts';
import { refetch } from './refetch.ts';
import type { StreamState } from './state.ts';

/** Whether the due checkpoint can be left to a later end of a transaction, which has already arrived. */
export function mayWait({ replication, times }: StreamState): boolean {
  return replication.stream.endsAgain() && times.mayWait();
}

/** Returns the deployments if the checkpoint has changed them. */
export async function settle(state: StreamState): Promise<readonly Deployment[] | undefined> {
  const { replication, position, rows, times } = state;
  const { stream, source, progress, signal } = replication;
  times.settle();
  // The changes are stored together with the checkpoint, so that there is only one wait for the disk.
  await store(state.pending, replication, position.eventOfRows());
  await refetch(state);
  await doubt(state);
  await settleDifferences(state);
  // An interrupted copy may leave outdated rows, which no checkpoint may show.
  if (signal.aborted) return undefined;
  await storeProblems(replication);
  if (!(await position.join(() => replication.continuity.belong()))) return undefined;
  // A position that is not stored must not be acknowledged either.
  const isRecorded = rows.isCheckpointDue || times.isRecordDue;
  const acknowledges = position.forgettable();
  const result = isRecorded ? await commit(state, acknowledges) : undefined;
  if (isRecorded) stream.acknowledge(acknowledges);
  progress.settled(position.end);
  if (result?.putOff && !stream.endsAgain() && (await times.mark(signal))) await source.mark();
  return result?.changed;
}

async function commit(state: StreamState, acknowledges: LogPosition): Promise<CommitResult> {
  const { replication, position, rows, times, pending } = state;
  const { deploymentName, writer, decisions, progress, clock, log } = replication;
  const { activate, activateAnyway, takeOver } = decisions;
  const begun = clock.steady();
  const hasAll = state.beside?.isCompleteAt(position.end);
  const look = () => catchUpAt(position.end, times.catchUp, replication);
  const waited = times.catchUp && (await look());
  const isOverdue = waited !== undefined && hasWaitedEnough(waited, begun);
  const result = await writer.commit(position.end, {
    activate: isOverdue ? activateAnyway : activate,
    ...(hasAll && takeOver && { takeOver }),
    at: clock.now(),
    acknowledges,
    ...(position.last !== undefined && { last: position.last }),
  });
  times.record(begun);
  closeTransaction(pending);
  rows.take(result.putOff ? 'put off' : result.published ? 'published' : 'held back');
  if (result.putOff) {
    times.catchUp = waited ?? (await look());
    progress.waiting(reasonToWait(times.catchUp, begun));
  } else if (result.changed !== undefined) progress.waiting(undefined);
  if (isOverdue && result.changed !== undefined) {
    const message =
      'A deployment did not catch up with the active one in time: clients may briefly get older rows';
    log.write('warn', message, { slot: deploymentName });
  }
  return result;
}
