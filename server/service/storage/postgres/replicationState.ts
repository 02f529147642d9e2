import { firstPosition, type LogPosition } from '../../ground/logPosition.ts';
import type { Commitable } from '../consistency.ts';
import type { DeploymentState } from '../deployment.ts';
import type { OpId } from '../storage.ts';
import type { Run } from './database.ts';
import { schema } from './schema.ts';

/** The progress of a deployment in its record. All methods run inside of transactions. */
interface ReplicationState extends Commitable {
  /** Whether operations were written without a following commit, because a process ended in between. */
  readonly isInterrupted: boolean;
  readonly isResetting: boolean;
  readonly lastOp: OpId;
}

interface StateRow {
  readonly state: DeploymentState;
  readonly snapshot_done: number;
  readonly last_checkpoint_lsn: LogPosition | null;
  readonly no_checkpoint_before: LogPosition | null;
  readonly last_op: OpId;
  readonly committed_op: OpId;
  readonly resetting: number;
}

export async function loadState(run: Run, deployment: number): Promise<ReplicationState> {
  const [row] = await run<StateRow>(
    `SELECT state, snapshot_done, last_checkpoint_lsn, no_checkpoint_before, last_op, committed_op, resetting
     FROM ${schema}.deployments WHERE id = $1 FOR UPDATE`,
    [deployment],
  );
  if (row === undefined) throw new Error(`There is no deployment ${deployment}`);
  return {
    state: row.state,
    isInterrupted: row.last_op > row.committed_op,
    isResetting: row.resetting === 1,
    lastOp: row.last_op,
    snapshotDone: row.snapshot_done === 1,
    ...(row.last_checkpoint_lsn !== null && { lastCheckpointPosition: row.last_checkpoint_lsn }),
    ...(row.no_checkpoint_before !== null && { noCheckpointBefore: row.no_checkpoint_before }),
  };
}

const raised = 'no_checkpoint_before = greatest(no_checkpoint_before, $2)';

const passes = `acknowledged_lsn = greatest(acknowledged_lsn, $2),
  last_event_mark = CASE WHEN $3::text IS NULL THEN last_event_mark ELSE $4 END,
  last_event_lsn = coalesce($3, last_event_lsn, '${firstPosition}')`;

/** The possible changes of the record: SQL assignments, whose parameters begin at $2. */
const changes = {
  publish: `${passes}, last_checkpoint = greatest(coalesce(last_checkpoint, 0), last_op), last_checkpoint_lsn = $6,
    committed_op = last_op, snapshot_lsn = NULL, last_checkpoint_at = $5, last_keepalive_at = $5, last_error = NULL,
    last_error_at = NULL`,
  keepAlive: `${passes}, committed_op = last_op, last_keepalive_at = $5`,
  beginLog: 'acknowledged_lsn = $2, last_event_lsn = $2, last_event_mark = NULL',
  reads: 'last_event_lsn = $2, last_event_mark = $3',
  belongTo: 'source_system = $2, source_timeline = $3',
  hold: raised,
  finishSnapshot: `${raised}, snapshot_done = 1, snapshot_lsn = $2`,
  beginReset: `resetting = 1, snapshot_done = 0, last_checkpoint = NULL, last_checkpoint_lsn = NULL,
    snapshot_lsn = NULL, no_checkpoint_before = NULL, acknowledged_lsn = NULL, last_event_lsn = NULL, last_event_mark = NULL,
    source_system = NULL, source_timeline = NULL, committed_op = last_op`,
  endReset: 'resetting = 0',
} as const;

/** Returns false if the last operation is not the one that this writer wrote. */
export async function moveLastOp(run: Run, deployment: number, from: OpId, to: OpId): Promise<boolean> {
  const sql = `UPDATE ${schema}.deployments SET last_op = $3 WHERE id = $1 AND last_op = $2 RETURNING 1`;
  return (await run(sql, [deployment, from, to])).length > 0;
}

/** Applies a change, and returns the resulting checkpoint. */
export async function changeState(
  run: Run,
  deployment: number,
  change: keyof typeof changes,
  ...args: readonly (string | number | null)[]
): Promise<OpId> {
  const [row] = await run<{ last_checkpoint: OpId | null }>(
    `UPDATE ${schema}.deployments SET ${changes[change]} WHERE id = $1 RETURNING last_checkpoint`,
    [deployment, ...args],
  );
  return row?.last_checkpoint ?? 0;
}
