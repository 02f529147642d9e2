/** Decides when a position of the source may become a checkpoint, and which operations it publishes. */
import type { LogPosition } from '../ground/logPosition.ts';
import type { Deployment } from './deployment.ts';

export type Commitable = Pick<
  Deployment,
  'state' | 'snapshotDone' | 'lastCheckpointPosition' | 'noCheckpointBefore'
>;

/**
 * Whether the deployment may publish a checkpoint at this position. Rows of a copy were read at unknown moments before a certain
 * position. Only when the stream has passed that position do all rows have their state at the same position. A replaced
 * deployment publishes nothing more, because clients have moved on.
 */
export function mayPublish(deployment: Commitable, position: LogPosition): boolean {
  const { state, snapshotDone, lastCheckpointPosition, noCheckpointBefore } = deployment;
  if (!snapshotDone || state === 'stopped' || state === 'terminated') return false;
  if (lastCheckpointPosition !== undefined && lastCheckpointPosition > position) return false;
  return noCheckpointBefore === undefined || noCheckpointBefore <= position;
}
