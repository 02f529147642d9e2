import { defineConfig } from 'vitest/config';
import { patient } from './scripts/run/patience.ts';

const slow = ['test/e2e/**', 'test/integration/**', 'test/web/**', 'test/windows/**', '**/*.live.test.ts'];

export default defineConfig({
  test: {
    globalSetup: 'test/support/house/generated.ts',
    setupFiles: 'test/support/house/noSockets.ts',
    pool: 'threads',
    // Nothing here waits: this ends what hangs.
    testTimeout: patient(120_000),
    hookTimeout: patient(120_000),
    expect: { poll: { timeout: patient(30_000), interval: 20 } },
    // Usually one is left for the terminal.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          include: ['test/**/*.test.ts'],
          exclude: [...slow, 'test/client/**'],
          // Files share loaded modules: half of the time was loading them again for each file.
          isolate: false,
        },
      },
      // Here each file has a stand-in for VS Code of its own.
      { extends: true, test: { name: 'client', include: ['test/client/**/*.test.ts'], exclude: slow } },
    ],
  },
});
