/** Decides when a position of the source may become a checkpoint, and which operations it publishes. */
import type { Lsn } from '../ground/lsn.ts';
import type { Deployment } from './deployment.ts';

export type Commitable = Pick<
  Deployment,
  'state' | 'snapshotDone' | 'lastCheckpointLsn' | 'noCheckpointBefore'
>;

/**
 * Whether the deployment may publish a checkpoint at this position. Rows of a copy were read at unknown moments before a certain
 * position. Only when the stream has passed that position do all rows have their state at the same position. A replaced
 * deployment publishes nothing more, because clients have moved on.
 */
export function mayPublish(deployment: Commitable, lsn: Lsn): boolean {
  const { state, snapshotDone, lastCheckpointLsn, noCheckpointBefore } = deployment;
  if (!snapshotDone || state === 'stopped' || state === 'terminated') return false;
  if (lastCheckpointLsn !== undefined && lastCheckpointLsn > lsn) return false;
  return noCheckpointBefore === undefined || noCheckpointBefore <= lsn;
}
