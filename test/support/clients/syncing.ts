/** The sync side with a real storage, real replication from a source in memory, and a real HTTP server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ApiSettings } from '../../../server/service/config/settings.ts';
import { openSyncConfigs } from '../../../server/service/deployments/syncConfigs.ts';
import { systemClock } from '../../../server/service/ground/clock.ts';
import { ServiceError } from '../../../server/service/ground/errors.ts';
import { silentLog } from '../../../server/service/ground/log.ts';
import type { Clock } from '../../../server/service/ground/world.ts';
import type { Connections } from '../../../server/service/http/connections.ts';
import type { Route, User } from '../../../server/service/http/route.ts';
import { type RunningServer, startServer } from '../../../server/service/http/server.ts';
import { openEmbeddedStorage } from '../../../server/service/storage/embedded/storage.ts';
import type { Storage } from '../../../server/service/storage/storage.ts';
import { openSync, type Sync, type SyncDeps } from '../../../server/service/sync/sync.ts';
import { recordLog } from '../processes/http.ts';
import { createMemorySource, type MemorySource } from '../service/memorySource.ts';
import { createReplicating, type Replicating } from '../service/replication.ts';
import { openStream, type StreamOptions, type SyncStream } from './syncStream.ts';

export interface Syncing {
  readonly source: MemorySource;
  readonly storage: Storage;
  readonly replicating: Replicating;
  readonly sync: Sync;
  readonly server: RunningServer;
  readonly log: ReturnType<typeof recordLog>;
  readonly metrics: ReadonlyMap<string, number>;
  /** The tokens of users, by user id. All other users have a token that is valid for an hour. */
  readonly users: Map<string, Partial<User>>;
  deploy(config: string): Promise<void>;
  /** Opens a stream, which is closed when the test ends. */
  stream(options?: StreamOptions): Promise<SyncStream>;
}

export interface SyncingOptions {
  readonly config?: string;
  readonly tables?: readonly string[];
  readonly settings?: Partial<ApiSettings>;
  readonly clock?: Clock;
  /** The encoding that replaces the `accept` header of each request. */
  readonly acceptOnly?: string;
  readonly connections?: Connections;
  /** Wraps the storage for the sync side. */
  readonly through?: (storage: Storage) => SyncDeps['storage'];
}

/** Each user gets their own lists. Further streams can be appended to this config. */
export const ownLists = `
config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner = auth.user_id()
`;

const usualSettings: ApiSettings = {
  tokens: [],
  maxConcurrentConnections: 200,
  maxDataFetchConcurrency: 10,
  maxBucketsPerConnection: 1000,
  maxParameterQueryResults: 1000,
  overLimit: 'stream',
  checkpointRequestRetentionMinutes: 60,
  bucketCountCacheTtlMinutes: 60,
};

export async function startSyncing(options: SyncingOptions = {}): Promise<Syncing> {
  const { config, tables = ['lists', 'todos'], clock = systemClock } = options;
  const folder = mkdtempSync(join(tmpdir(), 'headwater-sync-'));
  const storage = await openEmbeddedStorage(folder, { log: silentLog });
  const source = createMemorySource({ pageSize: 1000, transactionsPerChunk: 1000 });
  for (const name of tables) source.createTable({ name });
  const replicating = createReplicating({ source, storage });
  const configs = openSyncConfigs('public');
  const log = recordLog();
  const metrics = new Map<string, number>();
  const users = new Map<string, Partial<User>>();
  const verifyUser = async (authorization: string | undefined): Promise<User> => {
    const id = /^(?:Token|Bearer) (\S+)$/.exec(authorization ?? '')?.[1];
    if (id === undefined || id === 'wrong') throw new ServiceError('SVC_S2106');
    const expiresAt = Math.floor(clock.now() / 1000) + 3600;
    return { id, claims: JSON.stringify({ sub: id }), expiresAt, ...users.get(id) };
  };
  const sync = openSync({
    storage: options.through?.(storage) ?? storage,
    source: async () => source,
    served: async () => {
      const records = await storage.deployments.all();
      const record = records.findLast(({ state }) => state === 'active' || state === 'errored');
      if (record === undefined) return undefined;
      const { plans, evaluator } = configs.of(record);
      return { deployment: record.id, revision: record.revision, plans, evaluator };
    },
    verifyUser,
    settings: { ...usualSettings, ...options.settings },
    metrics: {
      add: (name, amount) => metrics.set(name, (metrics.get(name) ?? 0) + amount),
      set: (name, value) => metrics.set(name, value),
    },
    world: { clock, log },
  });
  const routes = sync.routes.map(
    (route): Route => ({
      ...route,
      answer: (call) => {
        if (options.acceptOnly !== undefined) call.request.headers.accept = options.acceptOnly;
        return route.answer(call);
      },
    }),
  );
  const server = await startServer(
    {
      host: '127.0.0.1',
      port: 0,
      routes,
      onUpgrade: sync.upgrade,
      access: { admin: () => {}, user: verifyUser },
      ...(options.connections && { connections: options.connections }),
      maxStreams: options.settings?.maxConcurrentConnections ?? usualSettings.maxConcurrentConnections,
    },
    { clock, log },
  );
  const deploy = async (content: string): Promise<void> => {
    await replicating.deployer.deploy(content);
    const isActive = () =>
      replicating.records().some((record) => record.state === 'active' && record.content === content);
    await replicating.until(isActive, 'it is active');
  };
  onTestFinished(async () => {
    await server.stop();
    await sync.close();
    await replicating.stop();
    await storage.close();
    rmSync(folder, { recursive: true });
  });
  replicating.start();
  if (config !== undefined) await deploy(config);
  return {
    source,
    storage,
    replicating,
    sync,
    server,
    log,
    metrics,
    users,
    deploy,
    stream: async (streamOptions = {}) => {
      const stream = await openStream(server.port, streamOptions);
      onTestFinished(stream.close);
      return stream;
    },
  };
}
