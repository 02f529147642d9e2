/** The side of a process that replicates: what is configured is deployed, and what is deployed is replicated. */
import type { ServiceSettings } from '../config/settings.ts';
import { deployAtStart } from '../deployments/deployAtStart.ts';
import type { Deployer } from '../deployments/deployer.ts';
import { situationOf } from '../deployments/lifecycle.ts';
import type { SyncConfigs } from '../deployments/syncConfigs.ts';
import type { Metrics } from '../ground/metrics.ts';
import type { World } from '../ground/world.ts';
import type { Probes } from '../http/probes.ts';
import { checkHistory } from '../replication/jobs/history.ts';
import { createReplicator, type Replicator } from '../replication/jobs/replicator.ts';
import { type Source, SourceFailure } from '../replication/source.ts';
import { isServing } from '../storage/deployment.ts';
import type { Storage } from '../storage/storage.ts';

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
  await checkHistories(parts);
  // What fails here fails again where something is deployed.
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

/**
 * Milliseconds. If a server does not answer in time, the service still starts; the embedded database starts
 * with us, and answers as soon as it is ready.
 */
const looksFor = { postgresql: 3_000, embedded: 30_000 } as const;

/**
 * Before clients are let in: what is stored may be older than what they have. What was pending then may be what they were
 * served from since.
 */
async function checkHistories({ storage, source, deployer, world }: ReplicatingParts): Promise<void> {
  const { clock, log } = world;
  const over = new AbortController();
  const look = async () => {
    for (const record of await storage.deployments.all()) {
      const { state, base } = record;
      if (!isServing(state) && (state !== 'processing' || base !== undefined)) continue;
      const failure = await checkHistory(source, storage.deployments, record).catch(asOutdated);
      if (failure === undefined) continue;
      log.write('error', failure.message, { deployment: record.id, slot: record.slotName });
      const error = { message: failure.message, at: clock.now() };
      await deployer.tell({ kind: 'storage outdated', id: record.id, error });
      return;
    }
  };
  const looked = look().finally(() => over.abort());
  await Promise.race([looked, clock.sleep(looksFor[source.type], over.signal)]);
  looked.catch((error: unknown) =>
    log.write('warn', 'What is stored could not be compared with the source', { error: String(error) }),
  );
}

/** Until something is deployed, no job would say so. */
async function noteUnfitSource({ storage, source, world: { log } }: ReplicatingParts): Promise<void> {
  if (source.type === 'embedded') return;
  const { serving, pending } = situationOf(await storage.deployments.all());
  if (serving !== undefined || pending !== undefined) return;
  for (const { message } of (await source.health()).problems)
    log.write('warn', `The source is not ready to be replicated: ${message}`, { source: source.uri });
}

/** Everything else is for the job, which meets it again. */
function asOutdated(error: unknown): SourceFailure | undefined {
  return error instanceof SourceFailure && error.kind === 'storage-outdated' ? error : undefined;
}

function heartbeatOf({ connection }: Pick<ServiceSettings, 'connection'>): number {
  return 1000 * (connection.type === 'postgresql' ? connection.heartbeatSeconds : 60);
}
