/** The parts of the service that the handlers of the runtime API and the admin API use. */

import type { Deployer } from '../deployments/deployer.ts';
import type { SyncConfigs } from '../deployments/syncConfigs.ts';
import type { Clock } from '../ground/world.ts';
import type { SignClientToken } from '../http/auth/clientTokens.ts';
import type { KeyCheck } from '../http/auth/keyCheck.ts';
import type { JobStatus } from '../replication/jobs/entry.ts';
import type { Source } from '../replication/source.ts';
import type { Compactor } from '../storage/compactor.ts';
import type { StorageLink } from '../storage/link.ts';
import type { DeploymentStore, Storage } from '../storage/storage.ts';
import type { ConnectedClient } from '../sync/clients.ts';
import type { Verifier } from '../verification/verifier.ts';
import type { WorkerState } from '../workers/worker.ts';
import type { ReplicationError } from './problems.ts';

export interface ApiParts {
  readonly store: DeploymentStore;
  readonly countBuckets: Storage['countBuckets'];
  readonly countRows: Storage['countRows'];
  /** Absent if the storage is in this process. */
  readonly link?: StorageLink;
  /** Absent if nothing is stored on a disk of this machine. */
  readonly dataFolder?: string;
  readonly source: Source;
  readonly configs: SyncConfigs;
  readonly deployer: Deployer;
  readonly compactor: Pick<Compactor, 'now'>;
  readonly verifier: Pick<Verifier, 'begin' | 'find' | 'latest'>;
  /** The place of the sync config, if the service config names one. In that case, deploys through the API are refused. */
  readonly configOrigin?: string;
  /** The running program. Callers compare it with their own. */
  readonly program: { readonly name: string; readonly version: string };
  /** Whether `execute-sql` is allowed. */
  readonly debugApi: boolean;
  /** The jobs of this process; empty if another process replicates. */
  readonly jobs: () => readonly JobStatus[];
  readonly clients: () => readonly ConnectedClient[];
  /** The processes that serve clients; absent if this process serves them. */
  readonly workers?: () => readonly WorkerState[];
  /** The limits of one client. */
  readonly limits: { readonly buckets: number; readonly results: number };
  readonly storage: Pick<Storage, 'reader' | 'stored' | 'lostConfig'>;
  /** Whether there is a console. The console may write rows of the service's own database. */
  readonly hasConsole: boolean;
  /** Present if there is a console and a secret for signing. */
  readonly signClientToken?: SignClientToken;
  /** Fetches the keys that verify client tokens. */
  readonly checkClientKeys: () => Promise<KeyCheck>;
  /** Returns warnings about limits, which include clients that are not connected. */
  readonly limitWarnings: () => readonly ReplicationError[];
  readonly clock: Clock;
}
