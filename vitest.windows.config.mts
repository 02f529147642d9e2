import { defineConfig } from 'vitest/config';

/** The product on Windows, in one Windows after the other: see test/windows/. */
export default defineConfig({
  test: {
    include: ['test/windows/**/*.test.ts'],
    globalSetup: ['test/support/house/generated.ts', 'test/support/windows/setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // When the whole of Wine stands still, each test would wait for its time.
    bail: 5,
  },
});
