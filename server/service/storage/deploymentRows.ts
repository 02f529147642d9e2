/** Converts records of deployments to rows of a database and back. */
import type { LogPosition } from '../ground/logPosition.ts';
import {
  type Deployment,
  type DeploymentState,
  type Pace,
  type StoredText,
  servingOf,
} from './deployment.ts';
import type { Checkpoint, CommitResult } from './storage.ts';

export interface DecidedChange {
  readonly records: readonly Deployment[];
  readonly isChanged: boolean;
  /** The deployment that serves from now on, if it is another one than before or has another content. */
  readonly activated?: Deployment;
}

export function changedFrom(before: readonly Deployment[], records: readonly Deployment[]): DecidedChange {
  const serving = servingOf(records);
  const former = servingOf(before);
  const isOther = serving?.id !== former?.id || serving?.revision !== former?.revision;
  return { records, isChanged: true, ...(serving && isOther && { activated: serving }) };
}

/** The outcome of a commit for the deployments. Every checkpoint of the active deployment is announced. */
export function outcomeOf(
  { records, isChanged }: DecidedChange,
  isActive: boolean,
): Pick<CommitResult, 'changed' | 'putOff'> {
  if (isChanged) return { changed: records };
  return isActive ? {} : { putOff: true };
}

/** Returns the database value for a pace; null: no limit. */
export function textOfPace(pace: Pace | undefined): string | null {
  return pace === undefined ? null : JSON.stringify(pace);
}

type Row = Readonly<Record<string, unknown>>;

export function deploymentsOf(rows: readonly Row[]): Deployment[] {
  return rows.map(deploymentOf);
}

function deploymentOf(row: Row): Deployment {
  const number = (name: string) => Number(row[name]);
  const text = (name: string) => String(row[name]);
  const has = (name: string) => row[name] !== null;
  return {
    id: number('id'),
    state: text('state') as DeploymentState,
    content: text('content'),
    ...(has('stored_content') && { storedContent: text('stored_content') }),
    ...(has('stored_texts') && { storedTexts: JSON.parse(text('stored_texts')) as readonly StoredText[] }),
    ...(has('base') && { base: number('base') }),
    ...(has('anew') && { anew: JSON.parse(text('anew')) as readonly string[] }),
    ...(row.has_rest === 1 && { hasRest: true }),
    ...(has('pace') && { pace: JSON.parse(text('pace')) as Pace }),
    revision: number('revision'),
    deploymentName: text('slot_name'),
    storageVersion: number('storage_version'),
    createdAt: number('created_at'),
    ...(has('deployed_by') && { deployedBy: text('deployed_by') }),
    snapshotDone: row.snapshot_done === 1,
    ...(has('last_checkpoint') && { lastCheckpoint: number('last_checkpoint') }),
    ...(has('last_checkpoint_lsn') && { lastCheckpointPosition: text('last_checkpoint_lsn') as LogPosition }),
    ...(has('no_checkpoint_before') && { noCheckpointBefore: text('no_checkpoint_before') as LogPosition }),
    ...(has('snapshot_lsn') && { snapshotPosition: text('snapshot_lsn') as LogPosition }),
    ...(has('last_checkpoint_at') && { lastCheckpointAt: number('last_checkpoint_at') }),
    ...(has('last_keepalive_at') && { lastKeepaliveAt: number('last_keepalive_at') }),
    ...(has('acknowledged_lsn') && {
      passed: {
        acknowledged: text('acknowledged_lsn') as LogPosition,
        last: text('last_event_lsn') as LogPosition,
        ...(has('last_event_mark') && { mark: text('last_event_mark') }),
      },
    }),
    ...(has('source_system') && {
      origin: {
        system: text('source_system'),
        ...(has('source_timeline') && { branch: text('source_timeline') }),
      },
    }),
    ...(has('reason') && { reason: text('reason') }),
    ...(has('last_error') && { lastError: { message: text('last_error'), at: number('last_error_at') } }),
  };
}

export function checkpointOf(record: Deployment): Checkpoint | undefined {
  const { lastCheckpoint: opId, lastCheckpointPosition: position } = record;
  return opId === undefined || position === undefined ? undefined : { opId, position };
}
