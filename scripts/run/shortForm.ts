/** The shares of cases that tests try. See test/support/house/share.ts. */

/** Makes tests that are started from now on try a tenth of their random and exhaustive cases. */
export function useShortForm(): void {
  process.env.HEADWATER_TEST_SHARE ??= '0.1';
}

/** Makes tests that are started from now on try a third of their random cases. */
export function useFewerRandomCases(): void {
  process.env.HEADWATER_RANDOM_SHARE ??= '0.34';
}
