/** A sync config that was deployed, and how the records may change. What leads to what is `deployments.ts`' matter. */
import type { Lsn } from '../lsn.ts';
import type { OpId } from './storage.ts';

export type DeploymentState =
  /** Copies, then catches up; no client sees it. At most one. */
  | 'processing'
  /** Replicates and serves. At most one. */
  | 'active'
  /** Serves what it has, but replicates no more. */
  | 'errored'
  /** Waits for its data to be deleted. */
  | 'stopped'
  /** Only the record is left. */
  | 'terminated';

export interface Deployment {
  /** Never used again for another one: bucket names begin with it. */
  readonly id: number;
  readonly state: DeploymentState;
  readonly content: string;
  /** Name of the replication slot, and of the stream in answers: `powersync_3_a1b2`. */
  readonly slotName: string;
  readonly storageVersion: number;
  /** Times in milliseconds since 1970. */
  readonly createdAt: number;
  readonly snapshotDone: boolean;
  readonly lastCheckpoint?: OpId;
  readonly lastCheckpointLsn?: Lsn;
  readonly noCheckpointBefore?: Lsn;
  readonly snapshotLsn?: Lsn;
  readonly lastCheckpointAt?: number;
  readonly lastKeepaliveAt?: number;
  readonly lastError?: DeploymentError;
}

export interface DeploymentError {
  readonly message: string;
  readonly at: number;
}

export type DeploymentChange =
  | {
      readonly kind: 'insert';
      readonly content: string;
      readonly storageVersion: number;
      readonly slotNameOf: (id: number) => string;
      readonly at: number;
    }
  | { readonly kind: 'state'; readonly id: number; readonly state: DeploymentState }
  | { readonly kind: 'error'; readonly id: number; readonly error: DeploymentError | undefined };

/** Pure: it may be asked again when a transaction must be repeated. */
export type Decide = (records: readonly Deployment[]) => readonly DeploymentChange[];
