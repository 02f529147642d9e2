/**
 * How much of what could be tried without end is tried: `npm run check`, for which somebody waits, tries a third of what
 * `npm test` does.
 */
const share = Number(process.env.HEADWATER_TEST_SHARE ?? 1);

/** Of random cases. */
export function casesOf(all: number): number {
  return Math.ceil(all * share);
}

/** From one position in a text to the next. */
export function strideOf(least: number): number {
  return Math.round(least / share);
}
