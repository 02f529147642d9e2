/**
 * The last report of how much clients get, which the client sends.
 *
 * 1. Each report has a number of its own, also one that cannot be read: answers that depend on the report change with it.
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
