/** The service as a whole: opens its parts in the order in which they need each other, and closes them in the other. */
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import type { ServiceSettings } from './config/settings.ts';
import { deployConfigured } from './configured.ts';
import { type Deploying, openDeploying } from './deploying.ts';
import { probeFilesIn } from './http/probeFiles.ts';
import { createProbes, type Probes } from './http/probes.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { type Opened, trackOpened } from './opened.ts';
import { openSource, openStorage } from './opening.ts';
import { lagOf } from './replication/lag.ts';
import { createReplicator, type Replicator } from './replication/replicator.ts';
import type { Source } from './replication/source.ts';
import { serve } from './serving.ts';
import type { Storage } from './storage/storage.ts';
import { openSyncConfigs, type SyncConfigs } from './syncConfig.ts';
import type { Clock, World } from './world.ts';

export interface RunningService {
  /** Absent when nothing listens. */
  readonly url?: string;
  readonly port?: number;
  /** Ends streams, stops replication, closes everything. Repeatable. */
  stop(): Promise<void>;
}

/**
 * Resolves when all of it works; fails with a sentence when it cannot.
 *
 * @param folder the working directory, absolute
 */
export async function startService(
  settings: ServiceSettings,
  folder: string,
  world: World,
): Promise<RunningService> {
  const opened = trackOpened(world.log);
  try {
    return await openAll(settings, folder, world, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openAll(
  settings: ServiceSettings,
  folder: string,
  world: World,
  opened: Opened,
): Promise<RunningService> {
  const { clock, log } = world;
  const storage = await openStorage(settings, world);
  opened.add('the storage', storage.close);
  const source = await openSource(settings, folder, world);
  opened.add('the source', source.close);
  const files = settings.probes.files ? { files: probeFilesIn(join(folder, '.probes'), log) } : {};
  const probes = createProbes({ clock, ...files });
  const metrics = createMetrics({ role: settings.role, labels: labelsOf(settings, storage) });
  const configs = openSyncConfigs(source.defaultSchema);
  let replicator: Replicator | undefined;
  const deploying = openDeploying({
    ...{ store: storage.deployments, configs, clock, slotNamePrefix: slotNamePrefixOf(settings) },
    onChange: () => replicator?.wake(),
  });
  const replicates = settings.role !== 'api';
  if (replicates)
    replicator = await prepareReplication({
      settings,
      storage,
      source,
      configs,
      deploying,
      probes,
      metrics,
      world,
    });
  const server = await serve(
    settings,
    {
      ...{ probes, metrics, replicates, world },
      measure: () => measure(storage, metrics),
      api: {
        ...{ store: storage.deployments, source, configs, deploying, clock },
        ...(settings.syncConfig && { configOrigin: settings.syncConfig.origin }),
        debugApi: settings.connection.debugApi,
        jobs: () => replicator?.status() ?? [],
        clients: () => [],
      },
    },
    opened,
  );
  const work = replicator?.run ?? ((signal: AbortSignal) => keepTouching(probes, clock, signal));
  opened.add('replication', untilStopped(work));
  probes.becomeReady();
  opened.add('readiness', async () => probes.becomeUnready());
  return { ...(server && { url: server.url, port: server.port }), stop: opened.close };
}

interface ReplicationParts {
  readonly settings: ServiceSettings;
  readonly storage: Storage;
  readonly source: Source;
  readonly configs: SyncConfigs;
  readonly deploying: Deploying;
  readonly probes: Probes;
  readonly metrics: Metrics;
  readonly world: World;
}

async function prepareReplication(parts: ReplicationParts): Promise<Replicator> {
  const { settings, storage, source, configs, deploying, probes, metrics, world } = parts;
  const { clock, log } = world;
  const content = settings.syncConfig && (await deployConfigured(settings.syncConfig, deploying, log));
  const replicator = createReplicator({
    ...{ source, storage, configs, deploying, clock, log },
    ...(content !== undefined && { onlyPending: content }),
    touch: () => {
      probes.touch();
      const lags = replicator.status().flatMap((job) => lagOf(job, clock.now()) ?? []);
      if (lags.length > 0) metrics.set('powersync_replication_lag_seconds', Math.max(...lags) / 1000);
    },
    onStep: ({ rows = 0, bytes = 0, pages = 0, transactions = 0 }) => {
      metrics.add('powersync_rows_replicated_total', rows);
      metrics.add('powersync_data_replicated_bytes_total', bytes);
      metrics.add('powersync_chunks_replicated_total', pages);
      metrics.add('powersync_transactions_replicated_total', transactions);
    },
  });
  return replicator;
}

async function measure(storage: Storage, metrics: Metrics): Promise<void> {
  const { current, operations, lookups } = await storage.sizes();
  metrics.set('powersync_replication_storage_size_bytes', current);
  metrics.set('powersync_operation_storage_size_bytes', operations);
  metrics.set('powersync_parameter_storage_size_bytes', lookups);
}

/** Where nothing is replicated there is no loop that could hang; what watches the files still wants to see them change. */
const TOUCHED_EVERY = 5000;

async function keepTouching(probes: Probes, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    probes.touch();
    await clock.sleep(TOUCHED_EVERY, signal);
  }
}

/** Begins; returns what stops it and waits for its end. */
function untilStopped(work: (signal: AbortSignal) => Promise<void>): () => Promise<void> {
  const controller = new AbortController();
  const ended = work(controller.signal);
  return () => {
    controller.abort();
    return ended;
  };
}

function labelsOf(
  { connection, storage }: ServiceSettings,
  { instanceId }: Storage,
): Readonly<Record<string, string>> {
  return {
    service_version: manifest.version,
    source_type: connection.type,
    storage_type: storage.type,
    instance_id: instanceId,
  };
}

function slotNamePrefixOf({ connection }: ServiceSettings): string {
  return connection.type === 'postgresql' ? connection.slotNamePrefix : 'powersync_';
}
