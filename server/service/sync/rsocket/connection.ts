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

/** Opens the connection of a WebSocket that was just accepted. */
export function openSocketConnection(
  wire: Wire,
  parts: SocketParts,
  options: SocketOptions,
): Pick<SocketConnection, 'receive' | 'lost'> {
  const connection = new SocketConnection(wire, parts, options);
  connection.begin();
  return connection;
}

/**
 * 1. After `closed`, nothing is sent and nothing changes.
 * 2. After `closed`, no timer runs, and the connection no longer waits for the stop of the service.
 */
class SocketConnection {
  readonly #wire: Wire;
  readonly #parts: SocketParts;
  readonly #options: SocketOptions;
  readonly #over = new AbortController();
  readonly #answerKeepalive: ReturnType<typeof keepaliveAnswers>;
  #state: State = { kind: 'expecting' };
  #payloadType: PayloadType = 'application/json';
  /** The time of the last message, in milliseconds of the steady clock. */
  #lastHeard: number;

  constructor(wire: Wire, parts: SocketParts, options: SocketOptions) {
    this.#wire = wire;
    this.#parts = parts;
    this.#options = options;
    this.#answerKeepalive = keepaliveAnswers(wire, parts.world.clock);
    this.#lastHeard = parts.world.clock.steady();
  }

  begin(): void {
    const { stopping } = this.#options;
    stopping.addEventListener('abort', this.#leave, { once: true });
    if (stopping.aborted) startAlone(socketWork, this.#leave);
    startAlone(socketWork, () => this.#expectSetup());
  }

  receive(message: Buffer): void {
    if (this.#state.kind === 'closed') return;
    this.#lastHeard = this.#parts.world.clock.steady();
    const frame = readFrame(message);
    if (frame === undefined) this.#close(closeCodes.protocolError, 'Not an RSocket frame.');
    else this.#receiveFrame(frame);
  }

  /** Called when the socket is closed. Frees everything. */
  lost(): void {
    const state = this.#state;
    if (state.kind === 'closed') return;
    if (state.kind === 'streaming') state.open.cancel();
    this.#state = { kind: 'closed' };
    this.#over.abort(ended);
    this.#options.stopping.removeEventListener('abort', this.#leave);
  }

  #close(code: number, reason: string): void {
    this.lost();
    this.#wire.close(code, reason);
  }

  /** Ends the stream as if it were complete, so that the client connects again. */
  readonly #leave = async (): Promise<void> => {
    if (this.#state.kind === 'streaming') await this.#state.open.end();
    this.#close(closeCodes.goingAway, 'The service is shutting down.');
  };

  #refuse(error: unknown): void {
    const text = rejectionText(toServiceError(error, this.#parts.world.log));
    startAlone(socketWork, () => this.#wire.write(errorFrame(0, errorCodes.rejectedSetup, text)));
    this.#close(closeCodes.normal, '');
  }

  #receiveFrame(frame: Frame): void {
    const state = this.#state;
    if (state.kind === 'expecting' && frame.kind !== 'setup') {
      this.#close(closeCodes.protocolError, 'The first frame must be a setup.');
      return;
    }
    switch (frame.kind) {
      case 'setup':
        if (state.kind === 'expecting') startAlone(socketWork, () => this.#setUp(frame));
        else this.#close(closeCodes.protocolError, 'A second setup.');
        return;
      case 'request stream':
        this.#request(frame);
        return;
      case 'request n':
        if (state.kind === 'streaming' && state.stream === frame.stream) state.open.grant(frame.n);
        return;
      case 'cancel':
        if (state.kind !== 'streaming' || state.stream !== frame.stream) return;
        state.open.cancel();
        this.#state = { kind: 'ready', user: state.user };
        return;
      case 'keepalive':
        if (!this.#answerKeepalive(frame))
          this.#close(closeCodes.protocolError, 'Too many keepalives, or too large ones.');
        return;
      case 'other':
        this.#close(closeCodes.protocolError, 'Unknown frame type.');
    }
  }

  async #setUp(frame: Setup): Promise<void> {
    this.#state = { kind: 'verifying' };
    const lifetime = Math.min(Math.max(frame.lifetime, leastLifetime), mostLifetime);
    startAlone(socketWork, () => this.#watchSilence(lifetime));
    try {
      this.#payloadType = payloadTypeOf(frame);
      this.#wire.pause();
      const user = await this.#parts.verifyUser(tokenIn(frame)).finally(this.#wire.resume);
      const verified = this.#stateNow();
      if (verified.kind !== 'verifying') return;
      if (!this.#options.admit(user))
        throw new ServiceError('SVC_S2304', 'Close other connections, or try again later.');
      this.#state = { kind: 'ready', user };
      startAlone(socketWork, () => this.#watchToken(user));
      if (verified.waiting !== undefined) this.#start(user, verified.waiting);
    } catch (error) {
      if (this.#stateNow().kind === 'verifying') this.#refuse(error);
    }
  }

  /** Returns the state, which may have changed during a wait. */
  #stateNow(): State {
    return this.#state;
  }

  #request(frame: RequestStream): void {
    const state = this.#state;
    if (state.kind === 'ready') this.#start(state.user, frame);
    else if (state.kind === 'verifying' && state.waiting === undefined)
      this.#state = { ...state, waiting: frame };
    else this.#close(closeCodes.protocolError, 'Only one stream at a time is possible, after the setup.');
  }

  #start(user: User, { stream, initial, metadata, data }: RequestStream): void {
    const [about, body] = [metadata, data].map((bytes) => readPayload(this.#payloadType, bytes));
    const open = openSocketStream({ user, stream, initial, about, body }, this.#wire, this.#parts);
    this.#state = { kind: 'streaming', user, stream, open };
    startAlone(socketWork, async () => {
      await open.ended;
      const state = this.#stateNow();
      if (state.kind === 'streaming' && state.open === open) this.#state = { kind: 'ready', user };
    });
  }

  async #expectSetup(): Promise<void> {
    await this.#parts.world.clock.sleep(setupPatience, this.#over.signal);
    // Clients that connected together also reach the time limit together, so they are closed in slices.
    this.#options.slices.add(() => {
      if (this.#state.kind === 'expecting') this.#close(closeCodes.protocolError, 'There was no setup.');
    });
  }

  async #watchSilence(lifetime: number): Promise<void> {
    const { clock } = this.#parts.world;
    while (!this.#over.signal.aborted) {
      const left = this.#lastHeard + lifetime - clock.steady();
      if (left > 0) await clock.sleep(left, this.#over.signal);
      else this.#close(closeCodes.goingAway, 'The client has not responded for too long.');
    }
  }

  async #watchToken({ expiresAt }: User): Promise<void> {
    const { clock } = this.#parts.world;
    await clock.sleep(expiresAt * 1000 + expiryPatience - clock.now(), this.#over.signal);
    if (!this.#over.signal.aborted) this.#close(closeCodes.normal, 'The token has expired.');
  }
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
