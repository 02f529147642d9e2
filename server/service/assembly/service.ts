/** Opens the parts of the service in dependency order, and closes them in reverse order. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import { openLimitWatch } from '../api/limits/limitWatch.ts';
import type { ServiceSettings } from '../config/settings.ts';
import type { ConsoleParts } from '../console/console.ts';
import { openConsoleHosts } from '../console/hosts.ts';
import { openSessions } from '../console/sessions.ts';
import { openDeployer } from '../deployments/deployer.ts';
import { openSyncConfigs } from '../deployments/syncConfigs.ts';
import { createMetrics, type Metrics } from '../ground/metrics.ts';
import { repeat, runUntilStopped } from '../ground/unattended.ts';
import type { Clock, World } from '../ground/world.ts';
import { createAccess } from '../http/auth/access.ts';
import { openClientTokens } from '../http/auth/clientTokens.ts';
import { openUserTokens } from '../http/auth/userTokens.ts';
import { isLoopbackName } from '../http/origins.ts';
import { probeFilesIn } from '../http/probeFiles.ts';
import { createProbes, type Probes } from '../http/probes.ts';
import type { Replicator } from '../replication/jobs/replicator.ts';
import { reportScripts } from '../replication/jobs/scriptReports.ts';
import { openCompactor } from '../storage/compactor.ts';
import { tellingDamage } from '../storage/damage.ts';
import type { Storage } from '../storage/storage.ts';
import type { StorageFailure } from '../storage/storageFailure.ts';
import { openSync } from '../sync/sync.ts';
import { openVerifier } from '../verification/verifier.ts';
import { noteInEventLog, openEventLog } from '../watching/eventLog.ts';
import { openWatching, type Watching } from '../watching/watching.ts';
import { closeInOrder, type OpenParts } from './closeInOrder.ts';
import { openCrewOf, type Workers } from './crew.ts';
import { type InnerDoor, listen, openInside } from './listen.ts';
import { openGuard } from './openGuard.ts';
import { embeddedFolderOf, openSource, openStorage } from './openParts.ts';
import { prepareReplication } from './prepareReplication.ts';
import { readResidentMemory } from './resources.ts';
import type { RouteSources } from './routes.ts';
import { openServed } from './served.ts';

export interface RunningService {
  /** Absent if this process does not listen. */
  readonly url?: string;
  readonly port?: number;
  /** The address of an embedded database for PostgreSQL clients, including the password. */
  readonly database?: string;
  /** Resolves when the storage turns out to be corrupt. The next start replaces it. */
  readonly corrupt: Promise<StorageFailure>;
  /** Ends streams, stops replication and closes everything. May be called repeatedly. */
  stop(): Promise<void>;
}

/**
 * Starts the service. Resolves when all parts work; otherwise, rejects with an explanation.
 *
 * @param folder the working directory, absolute
 * @param workers starts the processes that serve clients; absent if this process serves them
 */
export async function startService(
  settings: ServiceSettings,
  folder: string,
  world: World,
  workers?: Workers,
): Promise<RunningService> {
  const opened = closeInOrder(world.log);
  try {
    return await openAll(settings, folder, world, opened, workers);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openAll(
  settings: ServiceSettings,
  folder: string,
  outside: World,
  opened: OpenParts,
  workers: Workers | undefined,
): Promise<RunningService> {
  const { clock } = outside;
  const timeline = openEventLog(clock);
  const log = noteInEventLog(outside.log, timeline);
  const world = { ...outside, log };
  const { role } = settings;
  const tellDamage = (id: number, message: string): void => {
    log.write('error', message, { deployment: id });
    const error = { message, at: clock.now() };
    deployer.tell({ kind: 'damaged', id, error }).catch((failure: unknown) => {
      log.write('error', 'Could not record storage corruption', { deployment: id, reason: String(failure) });
    });
  };
  let onCorrupt: (failure: StorageFailure) => void = () => {};
  const corrupt = new Promise<StorageFailure>((resolve) => {
    onCorrupt = resolve;
  });
  const storage = tellingDamage(await openStorage(settings, world, onCorrupt), (id, { message }) =>
    tellDamage(id, message),
  );
  opened.add('the storage', storage.close);
  const source = await openSource(settings, folder, world);
  opened.add('the source', source.close);

  const files = settings.probes.files ? { files: probeFilesIn(join(folder, '.probes'), log) } : {};
  const probes = createProbes({ clock, ...files });
  const metrics = createMetrics({ role, labels: labelsOf(settings, storage) });
  const connections = openGuard(metrics, world, opened);
  const configs = openSyncConfigs(source.defaultSchema);
  let replicator: Replicator | undefined;
  let watching: Watching | undefined;
  let inside: InnerDoor | undefined;
  const store = storage.deployments;
  const deployer = openDeployer({
    store,
    configs,
    clock,
    slotNamePrefix: slotNamePrefixOf(settings),
    defaultStorageVersion: settings.defaultStorageVersion,
    onChange: () => {
      replicator?.wake();
      watching?.wake();
    },
  });
  const replicates = role !== 'api';
  if (replicates)
    replicator = await prepareReplication({
      settings,
      storage,
      source,
      configs,
      deployer,
      probes,
      metrics,
      world,
    });

  const compactor = openCompactor({
    storage,
    clock,
    log,
    requestRetentionMinutes: settings.api.checkpointRequestRetentionMinutes,
  });
  opened.add('compaction', compactor.close);
  const verifier = openVerifier({
    storage,
    store,
    source,
    configs,
    deployer,
    clock,
    log,
    share: settings.verification.share,
    send: replicator?.send ?? (async () => false),
    onVerified: ({ missing, stale, extra }) => {
      metrics.add('headwater_tables_verified_total', 1);
      metrics.add('headwater_wrong_rows_total', missing + stale + extra);
    },
  });
  opened.add('verification', verifier.close);
  const console = consoleOf(settings, clock);
  const access = {
    ...createAccess(settings.api.tokens, openUserTokens(settings.clientAuth, world)),
    ...(console && { console: console.sessions }),
  };
  const signClientToken = console && openClientTokens(settings.clientAuth, clock);
  const crew =
    workers &&
    openCrewOf(workers, {
      settings,
      storage,
      source,
      metrics,
      timeline,
      damaged: tellDamage,
      take: (...tunnel) => inside?.take(...tunnel),
      world,
    });
  const serving =
    crew ??
    openSync({
      storage,
      metrics,
      world,
      settings: settings.api,
      verifyUser: access.user,
      source: async () => source,
      served: openServed(storage, configs),
    });
  const { clients } = serving;
  const sync = 'upgrade' in serving ? serving : undefined;
  if (sync !== undefined) opened.add('streams', sync.close);
  watching = openWatching({
    timeline,
    storage,
    configs,
    metrics,
    clients,
    jobs: () => replicator?.status() ?? [],
    source: source.link,
    measure: () => measure(storage, metrics),
    memory: readResidentMemory,
    version: manifest.version,
    clock,
  });
  const limits = {
    buckets: settings.api.maxBucketsPerConnection,
    results: settings.api.maxParameterQueryResults,
  };
  const { countRows } = storage;
  const dataFolder = embeddedFolderOf(settings, folder);
  const limitWatch = openLimitWatch({ store, configs, storage, countRows, limits, clock, log, metrics });
  const parts: RouteSources = {
    watching,
    probes,
    metrics,
    replicates,
    ...(console && { console }),
    sync,
    world,
    measure: () => measure(storage, metrics),
    api: {
      store,
      source,
      configs,
      deployer,
      compactor,
      verifier,
      clock,
      countBuckets: storage.countBuckets,
      countRows,
      ...(dataFolder !== undefined && { dataFolder }),
      ...(storage.link && { link: storage.link }),
      ...(settings.syncConfig && { configOrigin: settings.syncConfig.origin }),
      program: { name: 'Headwater', version: manifest.version },
      debugApi: settings.connection.debugApi,
      jobs: () => replicator?.status() ?? [],
      clients: clients.all,
      ...(crew && { workers: crew.states }),
      limits,
      limitWarnings: limitWatch.warnings,
      storage,
      hasConsole: console !== undefined,
      ...(signClientToken && { signClientToken }),
    },
  };
  const own = await listen(settings, parts, { access, connections }, opened);
  if (crew !== undefined) {
    inside = openInside(settings, parts, access, crew.clients);
    opened.add('the server for workers', inside.stop);
    opened.add('workers', crew.stop);
  }
  const server = crew === undefined ? own : await crew.begin();

  const work = replicator?.run ?? ((signal: AbortSignal) => keepTouching(probes, clock, signal));
  const stopWork = runUntilStopped('Replication', work, clock);
  opened.add('replication', async () => {
    const stopped = stopWork();
    const patience = new AbortController();
    const over = () => patience.abort();
    stopped.then(over, over);
    await clock.sleep(stopsWithin, patience.signal);
    if (!patience.signal.aborted) await source.close();
    await stopped;
  });
  if (replicator !== undefined) {
    const reporting = { source, storage, replicator, clock, log };
    const report = (signal: AbortSignal) => reportScripts(reporting, signal);
    opened.add('reports of scripts', runUntilStopped('Reporting scripts', report, clock));
  }
  opened.add('watching', runUntilStopped('Watching the service', watching.run, clock));
  if (replicates) {
    const scheduled = {
      compaction: compactor.run,
      verification: verifier.run,
      'counting for clients': limitWatch.run,
    };
    for (const [name, run] of Object.entries(scheduled))
      opened.add(`scheduled ${name}`, runUntilStopped(`Scheduled ${name}`, run, clock));
  }
  const links = [storage.link, source.link].flatMap((link) => link ?? []);
  const judge = (): void =>
    links.some((link) => link.isLost()) ? probes.becomeUnready() : probes.becomeReady();
  const unwatch = links.map((link) => link.watch(judge));
  judge();
  // The database is abandoned before the parts that may be waiting for it are closed.
  opened.add('a database that is not complete yet', async () => source.own?.abandon());
  opened.add('readiness', async () => {
    for (const forget of unwatch) forget();
    probes.becomeUnready();
  });
  return {
    ...(server && { url: server.url, port: server.port }),
    ...(source.clientUri !== undefined && { database: source.clientUri }),
    corrupt,
    stop: opened.close,
  };
}

/**
 * Returns the console, whose user signs in with a link and is an admin from then on. By default, it exists only if other machines
 * cannot reach it.
 */
function consoleOf(
  { console, consoleHosts = [], host }: Pick<ServiceSettings, 'console' | 'consoleHosts' | 'host'>,
  clock: Clock,
): ConsoleParts | undefined {
  const folder = consoleFolders.find(existsSync);
  if (!(console ?? isLoopbackName(host)) || folder === undefined) return undefined;
  const hosts = openConsoleHosts({ host, hosts: consoleHosts });
  return { folder, hosts, sessions: openSessions(clock, hosts) };
}

/** The possible folders of the console: next to the bundle, or the build folder if the sources run unbundled. */
const consoleFolders = [
  join(import.meta.dirname, 'console'),
  join(import.meta.dirname, '../../../dist/console'),
];

/**
 * The time limit for stopping, in milliseconds. A stop that takes longer is waiting for a silent source, whose connections are
 * then closed.
 */
const stopsWithin = 3_000;

async function measure(storage: Storage, metrics: Metrics): Promise<void> {
  const { current, operations, lookups } = await storage.sizes();
  metrics.set('powersync_replication_storage_size_bytes', current);
  metrics.set('powersync_operation_storage_size_bytes', operations);
  metrics.set('powersync_parameter_storage_size_bytes', lookups);
}

/**
 * The interval of liveness files, in milliseconds. A process without replication has no loop that could hang, but probes expect
 * the files to change.
 */
const touchedEvery = 5000;

async function keepTouching(probes: Probes, clock: Clock, signal: AbortSignal): Promise<void> {
  probes.touch();
  await repeat('Showing that the process runs', { every: touchedEvery, clock, signal }, probes.touch);
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
