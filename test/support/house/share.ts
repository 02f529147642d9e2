/**
 * How much is tried of what could be tried without end, or is tried with everything there is: `npm run check`, for which
 * somebody waits, tries a tenth of what `npm test` does.
 */
const share = Number(process.env.HEADWATER_TEST_SHARE ?? 1);

/** Returns the share of random cases that a short run takes. */
export function casesOf(all: number): number {
  return Math.ceil(all * share);
}

/** Returns a share of the list, spread over its whole length. */
export function someOf<T>(all: readonly T[]): readonly T[] {
  return all.filter((_, index) => Math.floor(index * share) !== Math.floor((index - 1) * share));
}

/** Returns the distance between two tried positions of a text. */
export function strideOf(least: number): number {
  return Math.round(least / share);
}
