import { availableParallelism, totalmem } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { patient } from './scripts/run/patience.ts';

/**
 * Files that take longest, in seconds on two processors: they begin first, so that none of them is left over when all
 * else is done. Most of that time they wait.
 */
const long: Readonly<Record<string, number>> = {
  'service/silence': 105,
  'scripts/run/vitest': 100,
  'hostile/hostile': 300,
  'service/replication/embedded/hostile': 130,
  'service/replication/history/putBack': 60,
  'cli/project/layouts': 55,
  'cli/project/projectTables': 90,
  'service/replication/embedded/project': 50,
  'service/replication/rehearsal/rehearse': 50,
  'service/replication/embedded/seedRows': 45,
  'service/replication/history/tables': 40,
  'service/replication/postgres/connection': 37,
  'service/replication/embedded/process': 35,
  'docs/commands': 34,
  'service/deployments/pairs': 33,
  'service/workers/workers': 32,
  'service/storage/postgres': 31,
  'scripts/start': 28,
  'fuzz/fuzz': 23,
  'service/replication/embedded/source': 22,
  'service/ownDatabase': 20,
  // Attacks run with a higher priority, and would leave it no processor.
  'consistency/consistency': 15,
};

const secondsOf = ({ moduleId }: TestSpecification): number =>
  long[/\/test\/(.*)\.live\.test\.ts$/.exec(moduleId)?.[1] ?? ''] ?? 0;

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return others.toSorted((one, other) => secondsOf(other) - secondsOf(one));
  }
}

/**
 * What Windows does not have: a shell and signals as on Linux and macOS, where processes of services are asked to end by them.
 * There, test/windows/ has their place. A PostgreSQL that cannot be had leaves out the tests that need one, on any system.
 */
const notOnWindows = [
  ...['service', 'docs', 'consistency', 'fuzz', 'hostile', 'scripts'].map((room) => `test/${room}/**`),
  ...['container', 'cli/streams', 'cli/service', 'cli/trust', 'cli/project/*'].map(
    (name) => `test/${name}.live.test.ts`,
  ),
];

/** The tests wait for a third of their time, so two run on each processor. One needs up to 1.5 GB of memory. */
const workers = Math.max(1, Math.min(2 * availableParallelism(), 4, Math.floor(totalmem() / 1.5e9)));

/** The files that replace modules, which other files in the same process would also get, and those that observe processes of tests. */
const alone = ['console/cookie', 'service/http/auth/keySet', 'scripts/**/*'].map(
  (name) => `test/${name}.live.test.ts`,
);

const excluded =
  process.platform === 'win32' ? [...configDefaults.exclude, ...notOnWindows] : configDefaults.exclude;

/** Tests with real parts: databases, processes, client SDKs. Too slow for every save; `npm test` runs them. */
export default defineConfig({
  test: {
    globalSetup: 'test/support/house/generated.ts',
    pool: 'forks',
    setupFiles: 'test/support/house/worker.ts',
    maxWorkers: workers,
    sequence: { sequencer: LongestFirst },
    // These end what hangs. No test is judged by its time.
    testTimeout: patient(400_000),
    hookTimeout: patient(400_000),
    expect: { poll: { timeout: patient(90_000), interval: 50 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.live.test.ts'],
          exclude: [...excluded, ...alone],
          // Loading the modules again for each file would take a second of processor time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: alone, exclude: excluded } },
    ],
  },
});
