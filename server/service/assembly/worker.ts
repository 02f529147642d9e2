/** Runs a worker. It serves clients and gets everything else from the primary. */
import type { ApiSettings } from '../config/settings.ts';
import { openSyncConfigs } from '../deployments/syncConfigs.ts';
import type { World } from '../ground/world.ts';
import { createAccess } from '../http/auth/access.ts';
import { openUserTokens } from '../http/auth/userTokens.ts';
import { type RunningServer, startServer } from '../http/server.ts';
import { readersTellingDamage } from '../storage/damage.ts';
import type { Notice, ServingStorage, WriteCheckpointStore } from '../storage/storage.ts';
import { openSync } from '../sync/sync.ts';
import { openClientReports } from '../workers/clientReports.ts';
import { type ClientCounts, openCounts, watchClients } from '../workers/counts.ts';
import { openForward } from '../workers/forward.ts';
import type { ProcessLine } from '../workers/line.ts';
import type { PrimaryProcedures, WorkerOrders, WorkerProcedures } from '../workers/procedures.ts';
import type { Tunnel } from '../workers/tunnels.ts';
import { closeInOrder, type OpenParts } from './closeInOrder.ts';
import { originsFor, portKeyOf } from './listen.ts';
import { openGuard } from './openGuard.ts';
import { openServed } from './served.ts';

/** The worker's end of its channel to the primary. */
export interface WorkerLine {
  readonly ask: ProcessLine<PrimaryProcedures>['ask'];
  readonly tell: ProcessLine<PrimaryProcedures>['tell'];
  /** Returns the number of clients of the other workers. */
  readonly elsewhere: () => ClientCounts;
  readonly openTunnel: (address: string, admit: () => void) => Tunnel;
  readonly published: { readonly watch: (listener: (notice: Notice) => void) => () => void };
  readonly doubt: { readonly watch: (listener: () => void) => () => void };
  readonly writeCheckpoints: { readonly watch: NonNullable<WriteCheckpointStore['watch']> };
}

export interface RunningWorker extends Pick<RunningServer, 'url' | 'port'> {
  readonly report: WorkerProcedures['report'];
  stop(): Promise<void>;
}

export async function startWorker(
  orders: WorkerOrders,
  line: WorkerLine,
  outside: World,
): Promise<RunningWorker> {
  const opened = closeInOrder(outside.log);
  try {
    return await openAll(orders, line, outside, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function openAll(
  orders: WorkerOrders,
  line: WorkerLine,
  world: World,
  opened: OpenParts,
): Promise<RunningWorker> {
  const { settings, workers, defaultSchema } = orders;
  const { clock } = world;
  const reports = openClientReports(() => sync.clients.all());
  const storage = await openServingStorage(orders, line, world);
  opened.add('the storage', storage.close);
  const counts = openCounts((some) => line.tell('count', some), clock);
  opened.add('counts', async () => counts.flush());
  const connections = openGuard(counts, world, opened);
  const configs = openSyncConfigs(defaultSchema);
  const access = createAccess(settings.api.tokens, openUserTokens(settings.clientAuth, world));
  const api: ApiSettings = {
    ...settings.api,
    maxDataFetchConcurrency: Math.ceil(settings.api.maxDataFetchConcurrency / workers),
  };
  const onSize = watchClients(
    () => sync.clients.all(),
    (clients) => line.tell('connected', clients),
    clock,
  );
  const sync = openSync({
    storage: {
      ...storage,
      reader: readersTellingDamage(storage, (id, { message }) => line.tell('damaged', id, message)),
    },
    metrics: { add: counts.add, set: onSize },
    world,
    settings: api,
    socketsElsewhere: () => line.elsewhere().websocket,
    verifyUser: access.user,
    source: async () => ({ position: () => line.ask('position'), mark: () => line.ask('mark') }),
    served: openServed(storage, configs),
  });
  opened.add('streams', sync.close);
  const server = await startServer(
    {
      host: settings.host,
      port: settings.port,
      portKey: portKeyOf(settings),
      routes: sync.routes,
      onUpgrade: sync.upgrade,
      access,
      connections,
      origins: originsFor(settings.api, settings.clientAuth),
      maxStreams: api.maxConcurrentConnections,
      streamsElsewhere: () => line.elsewhere().http,
      forward: openForward({ openTunnel: line.openTunnel, clock }),
    },
    world,
  );
  opened.add(`the HTTP server on port ${server.port}`, server.stop);
  return {
    url: server.url,
    port: server.port,
    report: () => {
      counts.flush();
      return reports();
    },
    stop: opened.close,
  };
}

async function openServingStorage(
  { settings: { storage }, instanceId }: WorkerOrders,
  { ask, tell, published, doubt, writeCheckpoints: { watch } }: WorkerLine,
  world: World,
): Promise<ServingStorage> {
  // Write checkpoints are created by the primary, because only the primary may write. It also notifies the other workers.
  const writeCheckpoints: Pick<WriteCheckpointStore, 'create' | 'request' | 'watch'> = {
    create: (key, position) => ask('createWriteCheckpoint', key, position),
    request: (key, id, position, at) => ask('requestWriteCheckpoint', key, id, position, at),
    watch,
  };
  if (storage.type === 'embedded') {
    const { openSharedStorage } = await import('../storage/embedded/shared.ts');
    const onCorrupt = ({ message }: Error): void => tell('corrupt', message);
    const owner = { instanceId, writeCheckpoints, onCorrupt };
    const shared = openSharedStorage(storage.path, owner, world.log);
    published.watch(shared.tell);
    doubt.watch(shared.doubt);
    return shared;
  }
  const { openPostgresStorage } = await import('../storage/postgres/storage.ts');
  const own = await openPostgresStorage(storage, world, { automatic: false });
  return { ...own, writeCheckpoints: { ...own.writeCheckpoints, ...writeCheckpoints } };
}
