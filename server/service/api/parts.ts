/** The parts that the handlers of the runtime and the admin API work on. */

import type { Deployer } from '../deployments/deployer.ts';
import type { SyncConfigs } from '../deployments/syncConfigs.ts';
import type { Clock } from '../ground/world.ts';
import type { SignClientToken } from '../http/auth/clientTokens.ts';
import type { JobStatus } from '../replication/jobs/entry.ts';
import type { Source } from '../replication/source.ts';
import type { Compactor } from '../storage/compactor.ts';
import type { StorageLink } from '../storage/link.ts';
import type { DeploymentStore, Storage } from '../storage/storage.ts';
import type { ConnectedClient } from '../sync/clients.ts';
import type { Verifier } from '../verification/verifier.ts';
import type { WorkerState } from '../workers/crew.ts';
import type { ReplicationError } from './problems.ts';

export interface ApiParts {
  readonly store: DeploymentStore;
  readonly countBuckets: Storage['countBuckets'];
  readonly countRows: Storage['countRows'];
  /** Absent where the storage is in this process. */
  readonly link?: StorageLink;
  /** Absent: nothing is stored on a disk of this machine. */
  readonly dataFolder?: string;
  readonly source: Source;
  readonly configs: SyncConfigs;
  readonly deployer: Deployer;
  readonly compactor: Pick<Compactor, 'now'>;
  readonly verifier: Pick<Verifier, 'begin' | 'find' | 'latest'>;
  /** The place of the sync config according to the service config. Deployments through the API are refused then. */
  readonly configOrigin?: string;
  /** The running program, for callers who compare it with their own. */
  readonly program: { readonly name: string; readonly version: string };
  /** Whether `execute-sql` is allowed. */
  readonly debugApi: boolean;
  /** Jobs of this process; empty if another one replicates. */
  readonly jobs: () => readonly JobStatus[];
  readonly clients: () => readonly ConnectedClient[];
  /** Processes that serve clients; absent where this one does. */
  readonly workers?: () => readonly WorkerState[];
  /** The limits of one client. */
  readonly limits: { readonly buckets: number; readonly results: number };
  readonly storage: Pick<Storage, 'reader' | 'stored' | 'lostConfig'>;
  /** Rows of the service's own database may be written there. */
  readonly hasConsole: boolean;
  /** Present if there is a console, and a secret to sign with. */
  readonly signClientToken?: SignClientToken;
  /** Returns warnings, including those of clients that are not connected. */
  readonly limitWarnings: () => readonly ReplicationError[];
  readonly clock: Clock;
}
