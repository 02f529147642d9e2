/**
 * The share of cases that random and exhaustive tests try. `npm run check` tries a tenth, because a developer is waiting for it.
 * `npm test` tries exhaustive cases in full, and a third of the random ones. `npm run properties` tries all of them.
 */
const share = Number(process.env.HEADWATER_TEST_SHARE ?? 1);
const randomShare = Math.min(share, Number(process.env.HEADWATER_RANDOM_SHARE ?? 1));

/** Returns the number of random cases to try. */
export function casesOf(all: number): number {
  return Math.ceil(all * randomShare);
}

/** Returns a size, or the least number of cases that an exhaustive test has to find. */
export function sizeOf(all: number): number {
  return Math.ceil(all * share);
}

/** Returns the share of the list to try, spread over its whole length. */
export function someOf<T>(all: readonly T[]): readonly T[] {
  return all.filter((_, index) => Math.floor(index * share) !== Math.floor((index - 1) * share));
}

/** Returns the distance between two positions to try in a text. */
export function strideOf(least: number): number {
  return Math.round(least / share);
}
