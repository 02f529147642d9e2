/**
 * The sync side of a process. It opens the parts that all connections share. `session.ts` is one connection, over any transport:
 * HTTP with lines of JSON or BSON (`http.ts`), or `rsocket/`.
 */
import type { ApiSettings } from '../config/settings.ts';
import { openAlarms } from '../ground/clock.ts';
import type { Metrics } from '../ground/metrics.ts';
import type { World } from '../ground/world.ts';
import type { Route, User } from '../http/route.ts';
import type { Upgrade } from '../http/server.ts';
import type { Storage } from '../storage/storage.ts';
import type { ServedConfig } from './buckets.ts';
import { rememberChecksums } from './checksums.ts';
import { openChunks } from './chunks.ts';
import { type ConnectedClients, openClients } from './clients.ts';
import { Cohorts } from './cohorts/cohorts.ts';
import { openFeed } from './feed.ts';
import { syncRoutes } from './http.ts';
import { limitConcurrency } from './limit.ts';
import { openSockets } from './rsocket/sockets.ts';
import { openWriteCheckpointFeed, type Positions } from './writeCheckpoints.ts';

export interface SyncDeps {
  readonly storage: Pick<Storage, 'reader' | 'watch' | 'writeCheckpoints' | 'link'>;
  /** Fails if there is no source or it cannot be reached. */
  readonly source: () => Promise<Positions>;
  /** Returns the active config, or undefined if there is none. */
  readonly served: () => Promise<ServedConfig | undefined>;
  /** Checks a token in the form of an `Authorization` header. */
  readonly verifyUser: (authorization: string | undefined) => Promise<User>;
  readonly settings: ApiSettings;
  /** Returns the number of WebSocket clients in other processes of the service. Absent: there are none. */
  readonly socketsElsewhere?: () => number;
  readonly metrics: Pick<Metrics, 'add' | 'set'>;
  readonly world: Pick<World, 'clock' | 'log'>;
}

export interface Sync {
  readonly routes: readonly Route[];
  /** Handles streams over WebSocket. */
  readonly upgrade: Upgrade;
  readonly clients: ConnectedClients;
  close(): Promise<void>;
}

/** The time in milliseconds that a client waits for its turn to read. */
const readPatience = 30_000;

export function openSync(deps: SyncDeps): Sync {
  const { storage, source, served, settings, metrics, world } = deps;
  const { clock } = world;
  const alarms = openAlarms(clock);
  const readerOf = (deployment: number) => storage.reader(deployment);
  const feed = openFeed(storage);
  const clients = openClients((size) => metrics.set('powersync_concurrent_connections', size));
  const lifetime = settings.bucketCountCacheTtlMinutes * 60_000;
  const shared = {
    feed,
    clients,
    metrics,
    checksums: rememberChecksums(readerOf, feed, { clock, lifetime }),
    chunks: openChunks(readerOf, feed, { clock, isShared: () => clients.size > 1 }),
    writeCheckpoints: openWriteCheckpointFeed({ store: storage.writeCheckpoints, source, feed, clock }),
    readTurn: limitConcurrency(settings.maxDataFetchConcurrency, readPatience, { clock, alarms }),
  };
  const parts = {
    ...shared,
    world,
    readerOf,
    source,
    served,
    ...(storage.link && { link: storage.link }),
    cohorts: new Cohorts({ ...shared, clock }),
    alarms,
    limits: settings,
  };
  const sockets = openSockets(
    { ...parts, verifyUser: deps.verifyUser },
    { maxConnections: settings.maxConcurrentConnections, elsewhere: deps.socketsElsewhere ?? (() => 0) },
  );
  return {
    routes: syncRoutes(parts),
    upgrade: sockets.upgrade,
    clients,
    close: async () => {
      feed.close();
      await sockets.close();
    },
  };
}
