/** Prepares the replicating side of a process: deploys the configured sync config, and replicates deployments. */
import type { ServiceSettings } from '../config/settings.ts';
import { deployAtStart } from '../deployments/deployAtStart.ts';
import type { Deployer } from '../deployments/deployer.ts';
import { situationOf } from '../deployments/lifecycle.ts';
import type { SyncConfigs } from '../deployments/syncConfigs.ts';
import type { Metrics } from '../ground/metrics.ts';
import type { World } from '../ground/world.ts';
import type { Probes } from '../http/probes.ts';
import { createReplicator, type Replicator } from '../replication/jobs/replicator.ts';
import type { Source } from '../replication/source.ts';
import type { Storage } from '../storage/storage.ts';
import { compareHistories } from './compareHistories.ts';

interface ReplicatingParts {
  readonly settings: Pick<ServiceSettings, 'syncConfig' | 'connection'>;
  readonly storage: Storage;
  readonly source: Source;
  readonly configs: SyncConfigs;
  readonly deployer: Deployer;
  readonly probes: Pick<Probes, 'touch'>;
  readonly metrics: Pick<Metrics, 'add' | 'set'>;
  readonly world: World;
}

export async function prepareReplication(parts: ReplicatingParts): Promise<Replicator> {
  const { settings, storage, source, configs, deployer, probes, metrics, world } = parts;
  const { clock, log } = world;
  const content = settings.syncConfig && (await deployAtStart(settings.syncConfig, deployer, log));
  await compareHistories(parts);
  // A failure here is ignored, because each deploy meets and reports it again.
  noteUnfitSource(parts).catch(() => {});
  const replicator = createReplicator({
    source,
    storage,
    configs,
    deployer,
    clock,
    log,
    ...(content !== undefined && { onlyPending: content }),
    heartbeat: heartbeatOf(settings),
    touch: () => {
      probes.touch();
      const lags = replicator.lags();
      if (lags.length > 0) metrics.set('powersync_replication_lag_seconds', Math.max(...lags) / 1000);
    },
    onStep: ({ rows = 0, bytes = 0, pages = 0, transactions = 0 }) => {
      metrics.add('powersync_rows_replicated_total', rows);
      metrics.add('powersync_data_replicated_bytes_total', bytes);
      metrics.add('powersync_chunks_replicated_total', pages);
      metrics.add('powersync_transactions_replicated_total', transactions);
    },
  });
  storage.deployments.watch(replicator.wake);
  return replicator;
}

/** Logs why the source cannot be replicated. Before the first deploy, no job would report this. */
async function noteUnfitSource({ storage, source, world: { log } }: ReplicatingParts): Promise<void> {
  if (source.type === 'embedded') return;
  const { serving, pending } = situationOf(await storage.deployments.all());
  if (serving !== undefined || pending !== undefined) return;
  for (const { message } of (await source.health()).problems)
    log.write('warn', `The source is not ready to be replicated: ${message}`, { source: source.uri });
}

function heartbeatOf({ connection }: Pick<ServiceSettings, 'connection'>): number {
  return 1000 * (connection.type === 'postgresql' ? connection.heartbeatSeconds : 60);
}
