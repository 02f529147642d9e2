/** Opens the parts of the service in dependency order, and closes them in reverse order. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../../package.json' with { type: 'json' };
import type { ServiceSettings } from '../config/settings.ts';
import type { ConsoleParts } from '../console/console.ts';
import { openConsoleHosts } from '../console/hosts.ts';
import { openSessions } from '../console/sessions.ts';
import type { Clock, World } from '../ground/world.ts';
import { createAccess } from '../http/auth/access.ts';
import { openClientTokens } from '../http/auth/clientTokens.ts';
import { openUserTokens } from '../http/auth/userTokens.ts';
import { isLoopbackName } from '../http/origins.ts';
import type { Replicator } from '../replication/jobs/replicator.ts';
import type { StorageFailure } from '../storage/storageFailure.ts';
import { openSync } from '../sync/sync.ts';
import { openWatching, type Watching } from '../watching/watching.ts';
import { apiPartsOf } from './apiParts.ts';
import { runInBackground, watchReadiness } from './background.ts';
import { closeInOrder, type OpenParts } from './closeInOrder.ts';
import { openCrewOf, type Workers } from './crew.ts';
import { type Beginning, openFoundation } from './foundation.ts';
import { type InnerDoor, listen, openInside } from './listen.ts';
import { openGuard } from './openGuard.ts';
import { prepareReplication } from './prepareReplication.ts';
import { readResidentMemory } from './resources.ts';
import type { RouteSources } from './routes.ts';
import { openServed } from './served.ts';
import { openUpkeep } from './upkeep.ts';

export interface RunningService {
  /** Absent if this process does not listen. */
  readonly url?: string;
  readonly port?: number;
  /** The address of an embedded database for PostgreSQL clients, including the password. */
  readonly database?: string;
  /** Resolves when only the next start can make the storage usable. The next start replaces a corrupt storage. */
  readonly unusable: Promise<StorageFailure>;
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
    return await openAll({ settings, folder, world }, opened, workers);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openAll(
  begun: Beginning,
  opened: OpenParts,
  workers: Workers | undefined,
): Promise<RunningService> {
  let replicator: Replicator | undefined;
  let watching: Watching | undefined;
  let inside: InnerDoor | undefined;
  const onDeploy = (): void => {
    replicator?.wake();
    watching?.wake();
  };
  const foundation = await openFoundation({ ...begun, hasWorkers: workers !== undefined, onDeploy }, opened);
  const { settings, storage, source, configs, probes, metrics, measure, timeline, world } = foundation;
  const { clock } = world;
  const connections = openGuard(metrics, world, opened);
  if (settings.role !== 'api') replicator = await prepareReplication(foundation);
  const jobs = () => replicator?.status() ?? [];
  const upkeep = openUpkeep(foundation, replicator, opened);
  const console = consoleOf(settings, clock);
  const access = {
    ...createAccess(settings.api.tokens, openUserTokens(settings.clientAuth, world)),
    ...(console && { console: console.sessions }),
  };
  const crew =
    workers && openCrewOf(workers, { ...foundation, take: (...tunnel) => inside?.take(...tunnel) });
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
    jobs,
    source: source.link,
    measure,
    memory: readResidentMemory,
    version: manifest.version,
    clock,
  });
  const signClientToken = console && openClientTokens(settings.clientAuth, clock);
  const parts: RouteSources = {
    watching,
    probes,
    metrics,
    measure,
    world,
    replicates: replicator !== undefined,
    ...(console && { console }),
    sync,
    api: {
      ...apiPartsOf(foundation, upkeep),
      jobs,
      clients: clients.all,
      ...(crew && { workers: crew.states }),
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
  runInBackground({ foundation, upkeep, replicator, watching }, opened);
  watchReadiness(foundation, opened);
  return {
    ...(server && { url: server.url, port: server.port }),
    ...(source.clientUri !== undefined && { database: source.clientUri }),
    unusable: foundation.unusable,
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
