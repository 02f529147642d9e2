/** One connection and its cost. The rules are at the top of `connections.ts`. */
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

export type ConnectionSocket = Duplex & Partial<Pick<Socket, 'remoteAddress' | 'bytesRead'>>;

const nothing = (): void => {};

export class ClientConnection {
  readonly socket: ConnectionSocket;
  /** The sender of the last valid token. Undefined for a guest. */
  holder: string | undefined;
  /** Whether it was opened after the last check of all guests. An honest guest stays for milliseconds only. */
  isNew = true;
  isStreaming = false;
  readonly #waiting = { requests: 0, headers: 0 };
  /**
   * `cost`: the estimated memory of its requests, in bytes. `settledAt`: the bytes received up to the last time without a
   * request.
   */
  readonly #memory = { cost: 0, settledAt: 0 };
  /** For how many seconds the client has not read any of `bytes`. */
  readonly #unread = { seconds: 0, bytes: 0 };
  #leave = nothing;

  constructor(socket: ConnectionSocket) {
    this.socket = socket;
  }

  /** Requests without a complete answer. */
  get requests(): number {
    return this.#waiting.requests;
  }

  /** The size of the headers of requests that wait for another request, in bytes. */
  get waitingHeaders(): number {
    return this.#waiting.headers;
  }

  get unreadSeconds(): number {
    return this.#unread.seconds;
  }

  get cost(): number {
    return this.#memory.cost;
  }

  /** The cost, including the headers received so far of an incomplete request, because Node keeps them in memory. */
  get wholeCost(): number {
    const { cost, settledAt } = this.#memory;
    return cost + (this.requests === 0 ? (this.socket.bytesRead ?? 0) - settledAt : 0);
  }

  begin(): void {
    this.#waiting.requests += 1;
  }

  wait(headers: number): void {
    this.#waiting.headers += headers;
  }

  /** Called when a request has been answered. */
  end(headers: number): void {
    this.#waiting.requests -= 1;
    this.#waiting.headers -= headers;
  }

  spend(bytes: number): void {
    this.#memory.cost += bytes;
  }

  /** Called when no request costs anything any more. */
  settle(): void {
    this.#memory.cost = 0;
    this.#memory.settledAt = this.socket.bytesRead ?? 0;
  }

  /** @param leave releases the place */
  enter(leave: () => void): void {
    this.#leave = leave;
  }

  leave(): void {
    this.#leave();
    this.#leave = nothing;
  }

  /** Checks for unread bytes. Called once a second. */
  look(): void {
    this.isNew = false;
    const bytes = this.socket.writableLength;
    const isStuck = bytes > 0 && bytes >= this.#unread.bytes;
    this.#unread.bytes = bytes;
    this.#unread.seconds = isStuck ? this.#unread.seconds + 1 : 0;
  }
}
