import { defineConfig } from 'vitest/config';

/** Tests with real parts: databases, processes, client SDKs. Too slow for every save; `npm test` runs them. */
export default defineConfig({
  test: {
    include: ['test/**/*.live.test.ts'],
    globalSetup: 'test/support/house/generated.ts',
    pool: 'forks',
    // The parts use the processor themselves.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
