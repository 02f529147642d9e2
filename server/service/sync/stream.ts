/**
 * Runs the session of one connection: looks up, reads, encodes, sends and waits, as the session's states tell. It waits
 * with others, and is sent with them what all of them get: `cohorts/`.
 */
import type { SyncRequest } from '../../engine/plan/evaluate/requests.ts';
import { ServiceError } from '../ground/errors.ts';
import type { Metrics } from '../ground/metrics.ts';
import type { World } from '../ground/world.ts';
import { blockOf, type Sink } from '../http/block.ts';
import type { User } from '../http/route.ts';
import type { StorageLink } from '../storage/link.ts';
import type { BucketReader } from '../storage/storage.ts';
import { writeCheckpointKey } from '../storage/writeCheckpointKeys.ts';
import type { BucketGrant, ServedConfig } from './buckets.ts';
import type { Checksums } from './checksums.ts';
import type { ChunkSource } from './chunks.ts';
import { type ConnectedClient, type ConnectedClients, pauseFor } from './clients.ts';
import type { CohortSeat, Cohorts, Leaving } from './cohorts/cohorts.ts';
import { openConcern } from './concern.ts';
import type { Encoder } from './encode/encoder.ts';
import { sentenceForExcess } from './failures.ts';
import type { Feed } from './feed.ts';
import { nextAlarm, secondsLeft } from './keepalive.ts';
import type { Turn } from './limit.ts';
import type { Excess, Limits } from './overLimit.ts';
import type { StreamRequest } from './request.ts';
import {
  isLevel,
  type Level,
  nextOfSession,
  type SessionEvent,
  type SyncSession,
  startSession,
} from './session.ts';
import { type ClientSight, openViewer } from './view.ts';
import type { WriteCheckpointFeed } from './writeCheckpoints.ts';

/** What all connections of a process share. */
export interface SyncParts {
  readonly world: Pick<World, 'clock' | 'log'>;
  readonly readerOf: (deployment: number) => BucketReader;
  readonly feed: Feed;
  readonly checksums: Checksums;
  readonly chunks: ChunkSource;
  readonly cohorts: Cohorts;
  readonly writeCheckpoints: WriteCheckpointFeed;
  readonly clients: ConnectedClients;
  readonly readTurn: Turn;
  readonly limits: Limits;
  /** Absent where the storage is in this process. */
  readonly link?: StorageLink;
  readonly metrics: Pick<Metrics, 'add' | 'set'>;
}

export interface StreamConnection {
  readonly transport: ConnectedClient['transport'];
  readonly user: User;
  readonly served: ServedConfig;
  readonly request: StreamRequest;
  readonly sync: SyncRequest;
  readonly encoder: Encoder;
  /** Milliseconds between signs of life; without it the transport has its own. */
  readonly keepalive?: number;
  /** Aborted when the client is gone or the service stops. */
  readonly signal: AbortSignal;
}

/** Resolves when the stream has come to its normal end; fails when it must be broken off. */
export async function runStream(connection: StreamConnection, sink: Sink, parts: SyncParts): Promise<void> {
  const { clock } = parts.world;
  const { served, request, user, encoder } = connection;
  const end = new AbortController();
  let seat: CohortSeat | undefined;
  const stop = (): void => {
    end.abort();
    seat?.quit();
  };
  if (connection.signal.aborted) return;
  connection.signal.addEventListener('abort', stop);
  const ownKey = writeCheckpointKey(user.id, request.clientId);
  const concernOf = { served, writeCheckpointKey: ownKey, onSwitched: stop };
  let concern = openConcern(parts.feed, parts.writeCheckpoints, concernOf);
  // A client that goes on hearing that its token is valid takes itself for connected, and what it shows for the newest.
  const leaveLink = parts.link?.watch(stop);
  const reader = parts.readerOf(served.deployment);
  const openSight = (before?: ClientSight) =>
    openViewer(served, connection.sync, ownKey, { ...parts, reader }, before);
  let viewer = openSight();
  let given: BucketGrant | undefined;
  let session = startSession(request.positions);
  const leave = parts.clients.add(clientOf(connection, clock.now(), () => seat?.session() ?? session));

  const send = async (lines: readonly Uint8Array[]): Promise<void> => {
    if (end.signal.aborted || lines.length === 0) return;
    const block = blockOf(lines);
    parts.metrics.add('powersync_data_synced_bytes_total', block.size);
    const taken = sink.send(block);
    // A client that takes nothing must not keep its stream from ending.
    if (taken !== undefined) await unlessAborted(taken, end.signal);
  };
  const watchToken = async (): Promise<void> => {
    for (;;) {
      const alarm = nextAlarm(clock.now(), user.expiresAt, connection.keepalive);
      await clock.sleep(alarm.at - clock.now(), end.signal);
      if (end.signal.aborted) return;
      const token_expires_in = alarm.kind === 'expired' ? 0 : secondsLeft(clock.now(), user.expiresAt);
      void send([encoder.line({ token_expires_in })]);
      if (alarm.kind === 'expired') stop();
    }
  };
  let lastRefused = '';
  const logRefusals = (refusals: readonly Excess[]): void => {
    const [first] = refusals;
    const refused = [...new Set(refusals.map(({ reason }) => reason.stream))].sort().join(', ');
    if (first !== undefined && refused !== lastRefused) {
      const message = `A client is over a limit, so it does not get all of ${refused}. ${sentenceForExcess(first)}`;
      parts.world.log.write('warn', message, { user_id: user.id, client_id: request.clientId });
    }
    lastRefused = refused;
  };
  const resolve = async (): Promise<SessionEvent> => {
    const news = concern.take();
    const checkpoint = await parts.feed.newest(served.deployment);
    if (checkpoint === undefined) throw new ServiceError('SVC_S2302');
    const look = await viewer.look(checkpoint, news);
    given = look.given;
    concern.follow(look.interests);
    logRefusals(look.refusals);
    return { kind: 'view', view: look.view };
  };
  const fetch = async ({ told, groups }: SyncSession & { kind: 'fetching' }) => {
    const from = (groups[0]?.pending ?? []).map((bucket) => ({
      bucket,
      after: told.positions.get(bucket) ?? 0,
    }));
    const query = { deployment: served.deployment, at: told.view?.opId ?? 0, from, encoder };
    return parts.readTurn(() => parts.chunks.read(query));
  };
  /** Where the client goes on by itself. Nothing that happens is missed: its concern is open until it has a place, and from then on when it leaves it. */
  const waitWithOthers = (level: Level, grant: BucketGrant): Promise<Leaving> =>
    new Promise((resolve) => {
      const member = { served, writeCheckpointKey: ownKey, encoder, sink };
      const goOn = (leaving: Leaving): void => {
        seat = undefined;
        session = leaving.session;
        const { given: grant, view, news } = leaving;
        if (grant !== undefined && view !== undefined && news !== undefined) {
          const interests = { buckets: view.buckets, lookups: grant.lookups };
          concern = openConcern(parts.feed, parts.writeCheckpoints, concernOf, { news, interests });
          given = grant;
          viewer = openSight({ given: grant, view });
        }
        resolve(leaving);
      };
      seat = parts.cohorts.join({ ...member, leave: goOn }, level, grant);
      concern.stop();
    });

  try {
    if (user.expiresAt * 1000 <= clock.now()) {
      await send([encoder.line({ token_expires_in: 0 })]);
      return;
    }
    void watchToken();
    while (session.kind !== 'ended') {
      const bytes: Uint8Array[] = [];
      let event: SessionEvent;
      switch (session.kind) {
        case 'resolving':
          event = await resolve();
          break;
        case 'fetching': {
          const chunks = await fetch(session);
          for (const chunk of chunks) {
            bytes.push(chunk.bytes);
            parts.metrics.add('powersync_operations_synced_total', chunk.count);
          }
          event = { kind: 'batch', chunks, newer: concern.hasNews };
          break;
        }
        case 'waiting':
          if (isLevel(session) && !concern.hasNews && given !== undefined && !end.signal.aborted) {
            const { taken } = await waitWithOthers(session, given);
            if (taken !== undefined) await unlessAborted(taken, end.signal);
            continue;
          }
          await clock.sleep(pauseFor(parts.clients.size), end.signal);
          await concern.wait(session.told.open ? 'any notice' : 'news', end.signal);
          event = { kind: 'concerned' };
          break;
      }
      if (end.signal.aborted) event = { kind: 'end' };
      const step = nextOfSession(session, event);
      session = step.session;
      // Nothing is read for a client before it has taken what was read last.
      await send([...bytes, ...step.lines.map(encoder.line)]);
    }
  } finally {
    stop();
    concern.stop();
    leaveLink?.();
    leave();
    connection.signal.removeEventListener('abort', stop);
  }
}

/** Unlike a race, it leaves nothing behind at the signal, which lives as long as the stream. */
function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve();
    signal.addEventListener('abort', stop);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function clientOf(
  { transport, user, request, sync }: StreamConnection,
  since: number,
  sessionOf: () => SyncSession,
): ConnectedClient {
  return {
    userId: user.id,
    clientId: request.clientId,
    appMetadata: request.appMetadata,
    claims: sync.claims,
    connection: sync.connection,
    subscriptions: request.sync.subscriptions,
    transport,
    since,
    position: () => {
      const session = sessionOf();
      if (session.kind === 'ended' || session.told.view === undefined) return undefined;
      const { opId, buckets } = session.told.view;
      return { opId, buckets: [...buckets.keys()], complete: session.kind === 'waiting' };
    },
    share: () => {
      const session = sessionOf();
      const view = session.kind === 'ended' ? undefined : session.told.view;
      if (view === undefined) return { buckets: 0, failing: [] };
      return { buckets: view.buckets.size, failing: view.streams.filter(({ errors }) => errors.length > 0) };
    },
  };
}
