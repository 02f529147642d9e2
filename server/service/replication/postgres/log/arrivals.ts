/**
 * The messages of the log on their way from the socket to the flow of events.
 *
 * 1. Messages are decoded in the order in which they arrive, each completely or not at all.
 * 2. While a message waits for types, all later messages wait behind it, and the socket is paused.
 * 3. The flow ends at a message that was not understood, so that nothing replaces the message.
 */
import type { Socket } from 'node:net';
import { startAlone } from '../../../ground/unattended.ts';
import type { ChangeEvent } from '../../source.ts';
import type { TypeCatalog } from '../types.ts';
import { Decoder } from './decoder.ts';
import type { Flow } from './flow.ts';
import type { RelationSettings } from './relations.ts';
import type { Visibility } from './visibility.ts';
import { openWalReader } from './walMessages.ts';

export interface ArrivalSettings extends RelationSettings {
  readonly types: TypeCatalog;
  readonly visibility: Visibility;
  /** The version, as in `server_version_num`. */
  readonly version: number;
}

interface ArrivalParts {
  readonly flow: Flow<ChangeEvent>;
  readonly socket: Pick<Socket, 'pause' | 'resume'>;
  readonly closing: AbortSignal;
}

/** The letters that begin messages. */
export const tag = { data: 119, keepalive: 107 } as const;

/** The size of the header: the tag, the positions of the data in the log, and the time of sending. */
const dataHeader = 1 + 8 + 8 + 8;

/** Since this version, messages of `pg_logical_emit_message` reach `pgoutput`. */
export const marksSince = 140_000;

export class Arrivals {
  readonly #settings: ArrivalSettings;
  readonly #parts: ArrivalParts;
  readonly #reader = openWalReader();
  readonly #decoder: Decoder;
  /** Messages that wait, in order, until the preceding ones can be understood. */
  #held: Buffer[] | undefined;
  #bytesOfMessage = 0;

  constructor(settings: ArrivalSettings, parts: ArrivalParts) {
    this.#settings = settings;
    this.#parts = parts;
    const { types, visibility } = settings;
    const emit = (event: ChangeEvent): void => parts.flow.push(event, this.#bytesOfMessage);
    this.#decoder = new Decoder({ types, visibility, settings, emit });
  }

  take(message: Buffer): void {
    // The bytes are copied, because the buffer is only valid during this call.
    if (this.#held !== undefined) {
      this.#held.push(Buffer.from(message));
      return;
    }
    try {
      const missing = this.#decode(message);
      if (missing !== undefined) startAlone('Loading types', () => this.#hold(message, missing));
    } catch (error) {
      this.#parts.flow.end(error);
    }
  }

  #decode(message: Buffer): readonly number[] | undefined {
    this.#reader.open(message);
    this.#bytesOfMessage = message.length;
    if (message[0] === tag.keepalive) return this.#decodeKeepalive();
    if (message[0] !== tag.data) return undefined;
    this.#reader.skip(dataHeader);
    return this.#decoder.decode(this.#reader);
  }

  #decodeKeepalive(): undefined {
    this.#reader.skip(1);
    const lsn = this.#reader.lsn();
    const marked = this.#settings.version < marksSince;
    // Inside of a transaction, the position is ahead of the received data.
    if (!this.#decoder.isInTransaction)
      this.#parts.flow.push({ kind: 'keepalive', position: lsn, marked, passing: true }, 0);
  }

  async #hold(message: Buffer, missing: readonly number[]): Promise<void> {
    const { visibility, types } = this.#settings;
    const { flow, socket, closing } = this.#parts;
    const held = [Buffer.from(message)];
    this.#held = held;
    socket.pause();
    try {
      await visibility.settle(closing);
      await types.load(missing);
    } catch (error) {
      flow.end(error);
      return;
    }
    // The wait was aborted, so the message would be held again, forever.
    if (closing.aborted) return;
    this.#held = undefined;
    for (const waiting of held) this.take(waiting);
    if (this.#held === undefined && !flow.isPaused()) socket.resume();
  }
}
