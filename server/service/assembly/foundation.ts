/** Opens the parts that all other parts of the service use. */
import { join } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import type { ServiceSettings } from '../config/settings.ts';
import { type Deployer, openDeployer } from '../deployments/deployer.ts';
import { openSyncConfigs, type SyncConfigs } from '../deployments/syncConfigs.ts';
import { createMetrics, type Metrics } from '../ground/metrics.ts';
import type { World } from '../ground/world.ts';
import { probeFilesIn } from '../http/probeFiles.ts';
import { createProbes, type Probes } from '../http/probes.ts';
import type { Source } from '../replication/source.ts';
import { tellingDamage } from '../storage/damage.ts';
import type { Storage } from '../storage/storage.ts';
import type { StorageFailure } from '../storage/storageFailure.ts';
import { type EventLog, noteInEventLog, openEventLog } from '../watching/eventLog.ts';
import type { OpenParts } from './closeInOrder.ts';
import { openSource, openStorage } from './openParts.ts';

export interface Beginning {
  readonly settings: ServiceSettings;
  /** The working directory, absolute. */
  readonly folder: string;
  readonly world: World;
}

export interface Foundation extends Beginning {
  readonly timeline: EventLog;
  readonly storage: Storage;
  readonly source: Source;
  readonly configs: SyncConfigs;
  readonly deployer: Deployer;
  readonly probes: Probes;
  readonly metrics: Metrics;
  /** Updates the metrics of the storage. */
  readonly measure: () => Promise<void>;
  /** Records that a part of a deployment's data is corrupt. */
  readonly damaged: (id: number, message: string) => void;
  /** Resolves when the storage is corrupt or cannot be written, so that only opening it again can help. */
  readonly unusable: Promise<StorageFailure>;
}

interface FoundationParts extends Beginning {
  /** Whether other processes serve the clients, and read the storage. */
  readonly hasWorkers: boolean;
  readonly onDeploy: () => void;
}

export async function openFoundation(
  { settings, folder, world: outside, hasWorkers, onDeploy }: FoundationParts,
  opened: OpenParts,
): Promise<Foundation> {
  const { clock } = outside;
  const timeline = openEventLog(clock);
  const log = noteInEventLog(outside.log, timeline);
  const world = { ...outside, log };
  const tellDamage = (id: number, message: string): void => {
    log.write('error', message, { deployment: id });
    const error = { message, at: clock.now() };
    deployer.tell({ kind: 'damaged', id, error }).catch((failure: unknown) => {
      log.write('error', 'Could not record storage corruption', { deployment: id, reason: String(failure) });
    });
  };
  let onUnusable: (failure: StorageFailure) => void = () => {};
  const unusable = new Promise<StorageFailure>((resolve) => {
    onUnusable = resolve;
  });
  const storage = tellingDamage(
    await openStorage(settings, world, { onUnusable, isShared: hasWorkers }),
    (id, { message }) => tellDamage(id, message),
  );
  opened.add('the storage', storage.close);
  const source = await openSource(settings, folder, world);
  opened.add('the source', source.close);

  const files = settings.probes.files ? { files: probeFilesIn(join(folder, '.probes'), log) } : {};
  const probes = createProbes({ clock, ...files });
  const metrics = createMetrics({ role: settings.role, labels: labelsOf(settings, storage) });
  const configs = openSyncConfigs(source.defaultSchema);
  const deployer = openDeployer({
    store: storage.deployments,
    configs,
    clock,
    namePrefix: namePrefixOf(settings),
    defaultStorageVersion: settings.defaultStorageVersion,
    onChange: onDeploy,
  });
  return {
    settings,
    folder,
    world,
    timeline,
    storage,
    source,
    configs,
    deployer,
    probes,
    metrics,
    measure: () => measure(storage, metrics),
    damaged: tellDamage,
    unusable,
  };
}

async function measure(storage: Storage, metrics: Metrics): Promise<void> {
  const { current, operations, lookups } = await storage.sizes();
  metrics.set('powersync_replication_storage_size_bytes', current);
  metrics.set('powersync_operation_storage_size_bytes', operations);
  metrics.set('powersync_parameter_storage_size_bytes', lookups);
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

function namePrefixOf({ connection }: ServiceSettings): string {
  return connection.type === 'postgresql' ? connection.slotNamePrefix : 'powersync_';
}
