/**
 * The last report about how much data clients receive. The client sends it.
 *
 * 1. Each report has its own number, even a report that cannot be read, so that answers which depend on it are computed again.
 */
import { type KnownLimits, readKnownLimits } from '../../features/limits/knownLimits.ts';

export class LatestLimits {
  #id = 0;
  #known: KnownLimits | undefined;

  get id(): number {
    return this.#id;
  }

  get known(): KnownLimits | undefined {
    return this.#known;
  }

  /** Returns whether the report could be read. */
  take(forecast: unknown): boolean {
    this.#known = readKnownLimits(forecast);
    this.#id += 1;
    return this.#known !== undefined;
  }
}
