import { firstPosition, type LogPosition } from '../../ground/logPosition.ts';
import type { Commitable } from '../consistency.ts';
import type { DeploymentState, PassedEvent, Provenance } from '../deployment.ts';
import type { OpId } from '../storage.ts';
import type { Database } from './database.ts';

/** The progress of a deployment in its record. All methods run inside of transactions. */
interface ReplicationState {
  load(): Commitable;
  /** Whether operations were written without a following commit, because a process ended in between. */
  isInterrupted(): boolean;
  written(last: OpId): void;
  /** Returns the checkpoint. */
  publish(position: LogPosition, at: number, passed: PassedNow): OpId;
  keepAlive(at: number, passed: PassedNow): void;
  reads(event: PassedEvent): void;
  beginLog(position: LogPosition): void;
  belongTo(origin: Provenance): void;
  hold(until: LogPosition): void;
  finishSnapshot(position: LogPosition): void;
  beginReset(): void;
  isResetting(): boolean;
  endReset(): void;
}

interface PassedNow {
  readonly acknowledges: LogPosition;
  readonly last: PassedEvent | undefined;
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

export function openReplicationState({ writing }: Database, deployment: number): ReplicationState {
  const select = writing.prepare(
    `SELECT state, snapshot_done, last_checkpoint_lsn, no_checkpoint_before, last_op, committed_op, resetting
     FROM deployments WHERE id = ?`,
  );
  const update = (assignments: string) =>
    writing.prepare(`UPDATE deployments SET ${assignments} WHERE id = ?`);
  const setLast = update('last_op = ?');
  const passes = `acknowledged_lsn = max(coalesce(acknowledged_lsn, ''), ?),
     last_event_mark = CASE WHEN ? IS NULL THEN last_event_mark ELSE ? END,
     last_event_lsn = coalesce(?, last_event_lsn, '${firstPosition}')`;
  const lastOf = ({ acknowledges, last }: PassedNow) =>
    [acknowledges, last?.position ?? null, last?.mark ?? null, last?.position ?? null] as const;
  const publish = update(
    `${passes}, last_checkpoint = max(coalesce(last_checkpoint, 0), last_op), last_checkpoint_lsn = ?, committed_op = last_op,
     snapshot_lsn = NULL, last_checkpoint_at = ?, last_keepalive_at = ?, last_error = NULL, last_error_at = NULL`,
  );
  const selectCheckpoint = writing.prepareRows('SELECT last_checkpoint FROM deployments WHERE id = ?');
  const keepAlive = update(`${passes}, committed_op = last_op, last_keepalive_at = ?`);
  const beginLog = update('acknowledged_lsn = ?, last_event_lsn = ?, last_event_mark = NULL');
  const reads = update('last_event_lsn = ?, last_event_mark = ?');
  const belongTo = update('source_system = ?, source_timeline = ?');
  const raised = "no_checkpoint_before = max(coalesce(no_checkpoint_before, ''), ?)";
  const hold = update(raised);
  const finish = update(`${raised}, snapshot_done = 1, snapshot_lsn = ?`);
  const beginReset = update(
    `resetting = 1, snapshot_done = 0, last_checkpoint = NULL, last_checkpoint_lsn = NULL, snapshot_lsn = NULL,
     no_checkpoint_before = NULL, acknowledged_lsn = NULL, last_event_lsn = NULL, last_event_mark = NULL,
     source_system = NULL, source_timeline = NULL, committed_op = last_op`,
  );
  const endReset = update('resetting = 0');
  const load = () => select.get(deployment) as unknown as StateRow;
  return {
    load: () => {
      const row = load();
      return {
        state: row.state,
        snapshotDone: row.snapshot_done === 1,
        ...(row.last_checkpoint_lsn !== null && { lastCheckpointPosition: row.last_checkpoint_lsn }),
        ...(row.no_checkpoint_before !== null && { noCheckpointBefore: row.no_checkpoint_before }),
      };
    },
    isInterrupted: () => load().last_op > load().committed_op,
    written: (last) => {
      setLast.run(last, deployment);
    },
    publish: (position, at, passed) => {
      publish.run(...lastOf(passed), position, at, at, deployment);
      return (selectCheckpoint.get(deployment) as unknown as [OpId])[0];
    },
    keepAlive: (at, passed) => {
      keepAlive.run(...lastOf(passed), at, deployment);
    },
    reads: ({ position, mark = null }) => {
      reads.run(position, mark, deployment);
    },
    beginLog: (position) => {
      beginLog.run(position, position, deployment);
    },
    belongTo: ({ system, branch = null }) => {
      belongTo.run(system, branch, deployment);
    },
    hold: (until) => {
      hold.run(until, deployment);
    },
    finishSnapshot: (position) => {
      finish.run(position, position, deployment);
    },
    beginReset: () => {
      beginReset.run(deployment);
    },
    isResetting: () => load().resetting === 1,
    endReset: () => {
      endReset.run(deployment);
    },
  };
}
