/**
 * One WebSocket that speaks RSocket:
 *
 *   expecting ── SETUP ──► verifying ── the token is good ──► ready ── REQUEST_STREAM ──► streaming
 *       │                      │                               ▲ │                           │ │
 *       │                      │                               └─┼─ COMPLETE, ERROR, CANCEL ─┘ │
 *       │                      │                                 └──── the token expires ──────┤
 *       └── anything else ─────┴── refused: ERROR ──► closed ◄─────────────────────────────────┘
 *
 * A REQUEST_STREAM may arrive while the token is being verified; then it waits. A frame that is not valid in the current state
 * closes the socket. While the token is being verified, nothing more is read from the socket.
 */
import { ServiceError } from '../../ground/errors.ts';
import type { Slices } from '../../ground/slices.ts';
import { startAlone } from '../../ground/unattended.ts';
import type { Clock } from '../../ground/world.ts';
import type { User } from '../../http/route.ts';
import { errorCodes, errorFrame, type Frame, keepaliveFrame, readFrame } from './frames.ts';
import { isPayloadType, mostSetupValues, type PayloadType, readPayload } from './payload.ts';
import { rejectionText, toServiceError } from './rejection.ts';
import { type OpenStream, openSocketStream } from './respond.ts';
import type { SocketParts, Wire } from './wire.ts';

interface SocketOptions {
  /** Admits a client whose token is valid. Returns false if there are too many clients; then this client gets an error. */
  readonly admit: (user: User) => boolean;
  readonly slices: Slices;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

interface SocketConnection {
  receive(message: Buffer): void;
  /** Called when the socket is closed. Frees everything. */
  lost(): void;
}

type State =
  | { readonly kind: 'expecting' }
  | { readonly kind: 'verifying'; readonly waiting?: RequestStream }
  | { readonly kind: 'ready'; readonly user: User }
  | { readonly kind: 'streaming'; readonly user: User; readonly stream: number; readonly open: OpenStream }
  | { readonly kind: 'closed' };

type Setup = Frame & { readonly kind: 'setup' };
type RequestStream = Frame & { readonly kind: 'request stream' };

/** The time limit for the first frame, and the bounds for the lifetime that a client announces, in milliseconds. */
const setupPatience = 10_000;
const leastLifetime = 1_000;
const mostLifetime = 600_000;
/** The maximum size of a KEEPALIVE in bytes, because the answer repeats its data. SDKs send none. */
const mostKeepalive = 1024;
/** The maximum number of KEEPALIVEs within a number of milliseconds. SDKs send one in 20 s. */
const keepaliveRate = { most: 100, within: 10_000 };
/** The time in milliseconds that a client has to close the socket after its token has expired. Its stream has ended already. */
const expiryPatience = 12_000;

/** The name under which failures of a socket are reported. */
const socketWork = 'A socket';

/** The reason of an abort, which is never read. Without a reason, Node would create an exception for each socket. */
const ended = 'The socket is closed.';

/** The codes of WebSocket. */
const closeCodes = { normal: 1000, goingAway: 1001, protocolError: 1002 } as const;

export function openSocketConnection(
  wire: Wire,
  parts: SocketParts,
  options: SocketOptions,
): SocketConnection {
  const { clock, log } = parts.world;
  const over = new AbortController();
  let state: State = { kind: 'expecting' };
  let payloadType: PayloadType = 'application/json';
  let lastHeard = clock.steady();
  const answerKeepalive = keepaliveAnswers(wire, clock);

  const finish = (): void => {
    if (state.kind === 'closed') return;
    if (state.kind === 'streaming') state.open.cancel();
    state = { kind: 'closed' };
    over.abort(ended);
    options.stopping.removeEventListener('abort', leave);
  };
  const close = (code: number, reason: string): void => {
    finish();
    wire.close(code, reason);
  };
  /** Ends the stream as if it were complete, so that the client connects again. */
  const leave = async (): Promise<void> => {
    if (state.kind === 'streaming') await state.open.end();
    close(closeCodes.goingAway, 'The service is shutting down.');
  };
  const refuse = (error: unknown): void => {
    const text = rejectionText(toServiceError(error, log));
    startAlone(socketWork, () => wire.write(errorFrame(0, errorCodes.rejectedSetup, text)));
    close(closeCodes.normal, '');
  };

  const watchSilence = async (lifetime: number): Promise<void> => {
    while (!over.signal.aborted) {
      const left = lastHeard + lifetime - clock.steady();
      if (left > 0) await clock.sleep(left, over.signal);
      else close(closeCodes.goingAway, 'The client has not responded for too long.');
    }
  };
  const setUp = async (frame: Setup): Promise<void> => {
    state = { kind: 'verifying' };
    const lifetime = Math.min(Math.max(frame.lifetime, leastLifetime), mostLifetime);
    startAlone(socketWork, () => watchSilence(lifetime));
    try {
      payloadType = payloadTypeOf(frame);
      wire.pause();
      const user = await parts.verifyUser(tokenIn(frame)).finally(wire.resume);
      const { waiting } = state as State & { kind: 'verifying' };
      if ((state as State).kind !== 'verifying') return;
      if (!options.admit(user))
        throw new ServiceError('SVC_S2304', 'Close other connections, or try again later.');
      state = { kind: 'ready', user };
      startAlone(socketWork, () => watchToken(user));
      if (waiting !== undefined) start(user, waiting);
    } catch (error) {
      if ((state as State).kind === 'verifying') refuse(error);
    }
  };
  const watchToken = async ({ expiresAt }: User): Promise<void> => {
    await clock.sleep(expiresAt * 1000 + expiryPatience - clock.now(), over.signal);
    if (!over.signal.aborted) close(closeCodes.normal, 'The token has expired.');
  };
  const start = (user: User, { stream, initial, metadata, data }: RequestStream): void => {
    const [about, body] = [metadata, data].map((bytes) => readPayload(payloadType, bytes));
    const open = openSocketStream({ user, stream, initial, about, body }, wire, parts);
    state = { kind: 'streaming', user, stream, open };
    startAlone(socketWork, async () => {
      await open.ended;
      if (state.kind === 'streaming' && state.open === open) state = { kind: 'ready', user };
    });
  };
  const request = (frame: RequestStream): void => {
    if (state.kind === 'ready') start(state.user, frame);
    else if (state.kind === 'verifying' && state.waiting === undefined) state = { ...state, waiting: frame };
    else close(closeCodes.protocolError, 'Only one stream at a time is possible, after the setup.');
  };
  const receive = (frame: Frame): void => {
    if (state.kind === 'expecting' && frame.kind !== 'setup') {
      close(closeCodes.protocolError, 'The first frame must be a setup.');
      return;
    }
    switch (frame.kind) {
      case 'setup':
        if (state.kind === 'expecting') startAlone(socketWork, () => setUp(frame));
        else close(closeCodes.protocolError, 'A second setup.');
        return;
      case 'request stream':
        request(frame);
        return;
      case 'request n':
        if (state.kind === 'streaming' && state.stream === frame.stream) state.open.grant(frame.n);
        return;
      case 'cancel':
        if (state.kind !== 'streaming' || state.stream !== frame.stream) return;
        state.open.cancel();
        state = { kind: 'ready', user: state.user };
        return;
      case 'keepalive':
        if (!answerKeepalive(frame))
          close(closeCodes.protocolError, 'Too many keepalives, or too large ones.');
        return;
      case 'other':
        close(closeCodes.protocolError, 'Unknown frame type.');
    }
  };
  const expectSetup = async (): Promise<void> => {
    await clock.sleep(setupPatience, over.signal);
    // Clients that connected together also reach the time limit together, so they are closed in slices.
    options.slices.add(() => {
      if (state.kind === 'expecting') close(closeCodes.protocolError, 'There was no setup.');
    });
  };

  options.stopping.addEventListener('abort', leave, { once: true });
  if (options.stopping.aborted) startAlone(socketWork, leave);
  startAlone(socketWork, expectSetup);
  return {
    receive: (message) => {
      if (state.kind === 'closed') return;
      lastHeard = clock.steady();
      const frame = readFrame(message);
      if (frame === undefined) close(closeCodes.protocolError, 'Not an RSocket frame.');
      else receive(frame);
    },
    lost: finish,
  };
}

/** Sends one answer at a time. One more may wait, and a newer one replaces it. Returns false if the client sends too many. */
function keepaliveAnswers(
  wire: Pick<Wire, 'write'>,
  clock: Pick<Clock, 'steady'>,
): (frame: Frame & { readonly kind: 'keepalive' }) => boolean {
  let waiting: Buffer | undefined;
  let isWriting = false;
  let window = { since: clock.steady(), count: 0 };
  const writeAll = async (): Promise<void> => {
    isWriting = true;
    for (let data = waiting; data !== undefined; data = waiting) {
      waiting = undefined;
      await wire.write(keepaliveFrame(data));
    }
    isWriting = false;
  };
  return ({ respond, data }) => {
    const now = clock.steady();
    if (now - window.since >= keepaliveRate.within) window = { since: now, count: 0 };
    window.count++;
    if (data.length > mostKeepalive || window.count > keepaliveRate.most) return false;
    if (respond) waiting = data;
    if (!isWriting) startAlone(socketWork, writeAll);
    return true;
  };
}

function payloadTypeOf({ metadataType, dataType }: Setup): PayloadType {
  if (isPayloadType(dataType) && metadataType === dataType) return dataType;
  const details = 'Metadata and data must both be application/json, or both application/bson.';
  throw new ServiceError('SVC_S2004', details);
}

function tokenIn({ metadata, dataType }: Setup): string | undefined {
  const token = readPayload(dataType as PayloadType, metadata, mostSetupValues)?.token;
  return typeof token === 'string' ? token : undefined;
}
