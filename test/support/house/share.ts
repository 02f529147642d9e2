/**
 * How much is tried of what could be tried without end, or is tried with everything there is: `npm run check`, for which
 * somebody waits, tries a tenth of what `npm test` does.
 */
const share = Number(process.env.HEADWATER_TEST_SHARE ?? 1);

/** Of random cases. */
export function casesOf(all: number): number {
  return Math.ceil(all * share);
}

/** Of what is listed, from its beginning to its end. */
export function someOf<T>(all: readonly T[]): readonly T[] {
  return all.filter((_, index) => Math.floor(index * share) !== Math.floor((index - 1) * share));
}

/** From one position in a text to the next. */
export function strideOf(least: number): number {
  return Math.round(least / share);
}
