/** Makes tests that are started from now on run a tenth of their random cases. See test/support/house/share.ts. */
export function useShortForm(): void {
  process.env.HEADWATER_TEST_SHARE ??= '0.1';
}
