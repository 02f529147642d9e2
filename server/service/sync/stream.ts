/**
 * Runs the session of one connection: looks up, reads, encodes, sends and waits, as the session's states tell. It waits
 * with others, and is sent with them what all of them get: `cohorts/`.
 */
import type { SyncRequest } from '../../engine/plan/evaluate/requests.ts';
import { blockOf, type Sink } from '../http/block.ts';
import type { User } from '../http/route.ts';
import type { StorageLink } from '../storage/link.ts';
import { writeCheckpointKey } from '../storage/writeCheckpointKeys.ts';
import type { ServedConfig } from './buckets.ts';
import type { ConnectedClient } from './clients.ts';
import { goAlone, type LoneClient, type LoneParts } from './cohorts/alone.ts';
import type { CohortSeat, Cohorts, Leaving } from './cohorts/cohorts.ts';
import type { Encoder } from './encode/encoder.ts';
import { sentenceForExcess } from './failures.ts';
import { nextAlarm, secondsLeft } from './keepalive.ts';
import type { StreamRequest } from './request.ts';
import { type SyncSession, startSession } from './session.ts';

/** What all connections of a process share. */
export interface SyncParts extends LoneParts {
  readonly cohorts: Cohorts;
  /** Absent where the storage is in this process. */
  readonly link?: StorageLink;
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
export function runStream(connection: StreamConnection, sink: Sink, parts: SyncParts): Promise<void> {
  if (connection.signal.aborted) return Promise.resolve();
  return new Promise((resolve, reject) => openRun(connection, sink, parts, { resolve, reject }));
}

interface RunEnd {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Nobody asks for the reason; without one, an exception would be made for each client. */
const ended = 'The stream has ended.';

/** No asynchronous function runs while a client only waits: there may be thousands of them. */
function openRun(
  connection: StreamConnection,
  sink: Sink,
  parts: SyncParts,
  { resolve, reject }: RunEnd,
): void {
  const { clock } = parts.world;
  const { served, sync, user, encoder, keepalive, signal } = connection;
  const { clientId } = connection.request;
  const key = writeCheckpointKey(user.id, clientId);
  const over = new AbortController();
  let session = startSession(connection.request.positions);
  let seat: CohortSeat | undefined;
  let lastRefused = '';

  const stop = (): void => {
    over.abort(ended);
    seat?.quit();
  };
  const finish = (end: () => void): void => {
    stop();
    leaveLink?.();
    leaveClients();
    signal.removeEventListener('abort', stop);
    end();
  };
  const goOn = (from: Leaving): void => {
    seat = undefined;
    session = from.session;
    if (session.kind === 'ended') finish(resolve);
    else
      goAlone(client, from, over.signal, parts).then(
        (state) => state === 'over' && finish(resolve),
        (error) => finish(() => reject(error)),
      );
  };
  const client: LoneClient = {
    served,
    sync,
    writeCheckpointKey: key,
    encoder,
    sink,
    onSession: (next) => {
      session = next;
    },
    onSwitched: stop,
    onRefusals: (refusals) => {
      const [first] = refusals;
      const refused = [...new Set(refusals.map(({ reason }) => reason.stream))].sort().join(', ');
      if (first !== undefined && refused !== lastRefused) {
        const message = `A client is over a limit, so it does not get all of ${refused}. ${sentenceForExcess(first)}`;
        parts.world.log.write('warn', message, { user_id: user.id, client_id: clientId });
      }
      lastRefused = refused;
    },
    onLevel: (level, given) => {
      seat = parts.cohorts.join(
        { served, writeCheckpointKey: key, encoder, sink, leave: goOn },
        level,
        given,
      );
    },
  };
  const say = (token_expires_in: number): void => {
    const block = blockOf([encoder.line({ token_expires_in })]);
    parts.metrics.add('powersync_data_synced_bytes_total', block.size);
    void sink.send(block);
  };
  const watchToken = (): void => {
    const alarm = nextAlarm(clock.now(), user.expiresAt, keepalive);
    void clock.sleep(alarm.at - clock.now(), over.signal).then(() => {
      if (over.signal.aborted) return;
      say(alarm.kind === 'expired' ? 0 : secondsLeft(clock.now(), user.expiresAt));
      if (alarm.kind === 'expired') stop();
      else watchToken();
    });
  };

  signal.addEventListener('abort', stop);
  // A client that still hears that its token is valid believes that it is connected, and that it shows the newest state.
  const leaveLink = parts.link?.watch(stop);
  const leaveClients = parts.clients.add(clientOf(connection, clock.now(), () => seat?.session() ?? session));
  if (user.expiresAt * 1000 <= clock.now()) {
    say(0);
    finish(resolve);
    return;
  }
  watchToken();
  goOn({ session });
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
