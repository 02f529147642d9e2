/** What the handlers of the runtime and the admin API work on. */
import type { Compacting } from '../../compacting.ts';
import type { Deploying } from '../../deploying.ts';
import type { JobStatus } from '../../replication/replicator.ts';
import type { Source } from '../../replication/source.ts';
import type { StorageLink } from '../../storage/link.ts';
import type { DeploymentStore, Storage } from '../../storage/storage.ts';
import type { ConnectedClient } from '../../sync/clients.ts';
import type { SyncConfigs } from '../../syncConfig.ts';
import type { Verifying } from '../../verification/verifying.ts';
import type { Clock } from '../../world.ts';

export interface ApiParts {
  readonly store: DeploymentStore;
  readonly countBuckets: Storage['countBuckets'];
  /** Absent where the storage is in this process. */
  readonly link?: StorageLink;
  readonly source: Source;
  readonly configs: SyncConfigs;
  readonly deploying: Deploying;
  readonly compacting: Pick<Compacting, 'now'>;
  readonly verifying: Pick<Verifying, 'begin' | 'find' | 'latest'>;
  /** Where the service config says that the sync config is; deployments through the API are refused then. */
  readonly configOrigin?: string;
  /** Whether `execute-sql` is allowed. */
  readonly debugApi: boolean;
  /** Of this process; empty where another one replicates. */
  readonly jobs: () => readonly JobStatus[];
  readonly clients: () => readonly ConnectedClient[];
  readonly clock: Clock;
}
