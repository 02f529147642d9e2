/**
 * Reports to the source, which tell it that this side is alive, and the position before which it may drop its log.
 *
 * 1. Nothing is reported after the stream was closed.
 * 2. Only the acknowledged position is ever reported as flushed.
 */
import type { Socket } from 'node:net';
import type { LogPosition } from '../../../ground/logPosition.ts';
import { repeat } from '../../../ground/unattended.ts';
import type { Clock } from '../../../ground/world.ts';
import { receivedUpdate, statusUpdate } from './walMessages.ts';

export interface ReportSettings {
  /** The silence in milliseconds after which the source ends the connection; 0: never. */
  readonly senderTimeoutMs: number;
  readonly clock: Clock;
  /** Returns the position to report to the source; undefined: nothing new yet. */
  readonly acknowledged: () => LogPosition | undefined;
}

/** The maximum interval of reports to the source, in milliseconds. */
const reportEvery = 10_000;

/**
 * If the source asks again within this time in milliseconds, it is shutting down. Normally, it asks once in half of its
 * `wal_sender_timeout`.
 */
const askedAgainWithin = 1_000;

export class Reports {
  readonly #settings: ReportSettings;
  readonly #socket: Pick<Socket, 'write'>;
  readonly #closing: AbortSignal;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(settings: ReportSettings, socket: Pick<Socket, 'write'>, closing: AbortSignal) {
    this.#settings = settings;
    this.#socket = socket;
    this.#closing = closing;
  }

  report(wantsAnswer = false): void {
    const { acknowledged, clock } = this.#settings;
    if (!this.#closing.aborted) this.#socket.write(statusUpdate(acknowledged(), clock.now(), wantsAnswer));
  }

  /** Answers the server. A server that shuts down keeps asking until everything that it has sent is reported as received. */
  answer(sent: LogPosition): void {
    const now = this.#settings.clock.now();
    const isAgain = now - this.#askedAt < askedAgainWithin;
    this.#askedAt = now;
    this.report();
    if (isAgain && !this.#closing.aborted) this.#socket.write(receivedUpdate(sent, now));
  }

  /** Reports until the stream is closed. The server's answer to a report is a sign of life. */
  async keepReporting(): Promise<void> {
    const { senderTimeoutMs, clock } = this.#settings;
    const every = Math.min(reportEvery, senderTimeoutMs > 0 ? senderTimeoutMs / 3 : reportEvery);
    await repeat('Acknowledging', { every, clock, signal: this.#closing }, () => this.report(true));
  }
}
