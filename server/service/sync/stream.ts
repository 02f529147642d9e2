/**
 * Runs the session of one connection. While a client has everything, it waits in a cohort, and shared output is sent to all
 * clients of the cohort: see `cohorts/`.
 */
import type { SyncRequest } from '../../engine/plan/evaluate/requests.ts';
import type { Alarms } from '../ground/clock.ts';
import { startAlone } from '../ground/unattended.ts';
import { blockOf, type Sink } from '../http/block.ts';
import type { User } from '../http/route.ts';
import type { StorageLink } from '../storage/link.ts';
import { writeCheckpointKey } from '../storage/writeCheckpointKeys.ts';
import type { ServedConfig } from './buckets.ts';
import type { ConnectedClient } from './clients.ts';
import { goAlone, type LoneClient, type LoneParts } from './cohorts/alone.ts';
import type { CohortSeat, Cohorts } from './cohorts/cohorts.ts';
import type { Leaving } from './cohorts/seats.ts';
import type { Encoder } from './encode/encoder.ts';
import { sentenceForExcess } from './failures.ts';
import { nextAlarm, secondsLeft } from './keepalive.ts';
import type { Excess } from './overLimit.ts';
import { requestWithClaims, type StreamRequest } from './request.ts';
import { type SyncSession, startSession } from './session.ts';

/** The parts that all connections of a process share. */
export interface SyncParts extends LoneParts {
  readonly cohorts: Cohorts;
  readonly alarms: Alarms;
  /** Absent if the storage is in this process. */
  readonly link?: StorageLink;
}

export interface StreamConnection {
  readonly transport: ConnectedClient['transport'];
  readonly user: User;
  readonly served: ServedConfig;
  readonly request: StreamRequest;
  readonly sync: SyncRequest;
  readonly encoder: Encoder;
  /** The interval of signs of life in milliseconds. Absent: the transport has its own. */
  readonly keepalive?: number;
  /** Aborted when the client is gone or the service stops. */
  readonly signal: AbortSignal;
}

/** The functions that end a stream. One of them is called, once. */
interface StreamEnd {
  /** Ends the stream normally. */
  readonly finish: () => void;
  /** Breaks off the stream. */
  readonly fail: (reason: unknown) => void;
}

/** The reason of an abort, which is never read. Without a reason, Node would create an exception for each client. */
const ended = 'The stream has ended.';

/**
 * Runs a stream. There may be thousands of clients, most of which only wait. While a client waits, no async function is pending,
 * and data that can be created again is not kept.
 */
export function runStream(
  connection: StreamConnection,
  sink: Sink,
  parts: SyncParts,
  { finish, fail }: StreamEnd,
): void {
  const { served, user, encoder, keepalive, signal } = connection;
  if (signal.aborted) {
    finish();
    return;
  }
  const { alarms, clients, cohorts, metrics } = parts;
  const { clock, log } = parts.world;
  const { clientId, sync } = connection.request;
  const key = writeCheckpointKey(user.id, clientId);
  /** The session of a client that is served separately. For other clients, the seat has the session. */
  let session: SyncSession | undefined;
  let alone: AbortController | undefined;
  let seat: CohortSeat | undefined;
  let alarm = nextAlarm(clock.now(), user.expiresAt, keepalive);
  let ringsAt = 0;
  let lastRefused = '';

  const stop = (): void => {
    alone?.abort(ended);
    if (seat !== undefined) cohorts.quit(seat);
  };
  const endWith = (end: () => void): void => {
    stop();
    alarms.drop(ringsAt, soundAlarm);
    leaveLink?.();
    clients.delete(client);
    signal.removeEventListener('abort', stop);
    end();
  };
  const goOn = (from: Leaving, request: SyncRequest = requestWithClaims({ sync }, user)): void => {
    seat = undefined;
    session = from.session;
    if (session.kind === 'ended') {
      endWith(finish);
      return;
    }
    const over = new AbortController();
    alone = over;
    goAlone(loneClient(request), from, over.signal, parts).then(
      (state) => state === 'over' && endWith(finish),
      (error) => endWith(() => fail(error)),
    );
  };
  const loneClient = (request: SyncRequest): LoneClient => ({
    served,
    sync: request,
    writeCheckpointKey: key,
    encoder,
    sink,
    onSession: (next) => {
      session = next;
    },
    onSwitched: stop,
    onRefusals: sayRefused,
    onLevel: (level, given) => {
      session = undefined;
      alone = undefined;
      seat = cohorts.join({ served, encoder }, { writeCheckpointKey: key, sink, leave: goOn }, level, given);
    },
  });
  const sayRefused = (refusals: readonly Excess[]): void => {
    const [first] = refusals;
    const refused = [...new Set(refusals.map(({ reason }) => reason.stream))].sort().join(', ');
    if (first !== undefined && refused !== lastRefused) {
      const message = `A client is over a limit, so it does not get all of ${refused}. ${sentenceForExcess(first)}`;
      log.write('warn', message, { user_id: user.id, client_id: clientId });
    }
    lastRefused = refused;
  };
  const say = (token_expires_in: number): void => {
    const block = blockOf([encoder.line({ token_expires_in })]);
    metrics.add('powersync_data_synced_bytes_total', block.size);
    startAlone('Sending the lifetime of a token', () => sink.send(block));
  };
  const watchToken = (): void => {
    alarm = nextAlarm(clock.now(), user.expiresAt, keepalive);
    ringsAt = clock.steady() + alarm.at - clock.now();
    alarms.set(ringsAt, soundAlarm);
  };
  const soundAlarm = (): void => {
    const isExpired = alarm.kind === 'expired';
    say(isExpired ? 0 : secondsLeft(clock.now(), user.expiresAt));
    if (isExpired) stop();
    else watchToken();
  };
  const client = clientOf(connection, clock.now(), () => {
    const now = seat?.session ?? session;
    return now === undefined || now.kind === 'ended' ? undefined : now;
  });

  signal.addEventListener('abort', stop);
  // The stream ends when the link to the storage is lost. Otherwise, signs of life would make the client believe that it shows
  // the newest state.
  const leaveLink = parts.link?.watch(stop);
  clients.add(client);
  if (user.expiresAt * 1000 <= clock.now()) {
    say(0);
    endWith(finish);
    return;
  }
  watchToken();
  goOn({ session: startSession(connection.request.positions) }, connection.sync);
}

function clientOf(
  { transport, user, request }: StreamConnection,
  since: number,
  sessionOf: () => Exclude<SyncSession, { kind: 'ended' }> | undefined,
): ConnectedClient {
  const { clientId, appMetadata, sync } = request;
  return {
    userId: user.id,
    clientId,
    appMetadata,
    claims: user.claims,
    connection: sync.connection,
    subscriptions: sync.subscriptions,
    transport,
    since,
    position: () => {
      const session = sessionOf();
      if (session?.told.view === undefined) return undefined;
      const { opId, buckets } = session.told.view;
      return { opId, buckets: [...buckets.keys()], complete: session.kind === 'waiting' };
    },
    share: () => {
      const view = sessionOf()?.told.view;
      if (view === undefined) return { buckets: 0, failing: [] };
      return { buckets: view.buckets.size, failing: view.streams.filter(({ errors }) => errors.length > 0) };
    },
  };
}
