/** Makes the tests that are started from now on try a tenth of their random cases: see test/support/house/share.ts. */
export function useShortForm(): void {
  process.env.HEADWATER_TEST_SHARE ??= '0.1';
}
