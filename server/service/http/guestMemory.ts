/**
 * The memory of all guests together: rule 5 of `connections.ts`.
 *
 * 1. The total is the sum of the costs of all guests.
 * 2. A guest that leaves, or that shows a token, is settled first, and costs nothing from then on.
 */
import type { ClientConnection } from './clientConnection.ts';

/** The maximum memory of all guests, in bytes. */
const guestMemory = 32 * 1024 * 1024;

export class GuestMemory {
  readonly #all: ReadonlySet<ClientConnection>;
  readonly #close: (guest: ClientConnection) => void;
  #total = 0;

  constructor(all: ReadonlySet<ClientConnection>, close: (guest: ClientConnection) => void) {
    this.#all = all;
    this.#close = close;
  }

  charge(connection: ClientConnection, bytes: number): void {
    connection.spend(bytes);
    if (connection.holder !== undefined) return;
    this.#total += bytes;
    if (this.#total > guestMemory) this.#shrink(this.#total, ({ cost }) => cost);
  }

  settle(connection: ClientConnection): void {
    if (connection.holder === undefined) this.#total -= connection.cost;
    connection.settle();
  }

  look(): void {
    let total = 0;
    for (const { holder, wholeCost } of this.#all) if (holder === undefined) total += wholeCost;
    if (total > guestMemory) this.#shrink(total, ({ wholeCost }) => wholeCost);
  }

  /** Closes the most expensive guests until the others fit. */
  #shrink(total: number, costOf: (guest: ClientConnection) => number): void {
    const costs = [...this.#all]
      .filter(({ holder }) => holder === undefined)
      .map((guest) => [guest, costOf(guest)] as const)
      .sort(([, a], [, b]) => b - a);
    let left = total;
    for (const [guest, cost] of costs) {
      if (left <= guestMemory) return;
      left -= cost;
      this.#close(guest);
    }
  }
}
