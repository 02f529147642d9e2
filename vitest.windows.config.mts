import { defineConfig } from 'vitest/config';
import { patient } from './scripts/run/patience.ts';

/** The product on Windows, in one Windows after the other: see test/windows/. */
export default defineConfig({
  test: {
    include: ['test/windows/**/*.test.ts'],
    globalSetup: ['test/support/house/generated.ts', 'test/support/windows/setup.ts'],
    pool: 'forks',
    maxWorkers: 2,
    isolate: false,
    testTimeout: patient(180_000),
    hookTimeout: patient(180_000),
    expect: { poll: { timeout: patient(100_000), interval: 50 } },
    // When the whole of Wine stands still, each test would wait for its time.
    bail: 5,
  },
});
