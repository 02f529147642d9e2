/** A process that runs the tests of one order, with mutated sources that exist only in its memory. */
import { join } from 'node:path';
import { createVitest, type TestModule, type TestSpecification } from 'vitest/node';
import { root } from '../root.ts';
import { instrument, withEvaluation } from './instrument.ts';
import { mutate } from './mutants.ts';
import { type Change, type FileReport, notRun, type Order } from './protocol.ts';

const configs = { unit: 'vitest.config.mts', live: 'vitest.live.config.mts' };

process.once('message', async (order: Order) => {
  try {
    await run(order);
    process.exit();
  } catch (error) {
    console.error(error);
    process.exit(notRun);
  }
});

async function run({ kind, files, change, workers, folder }: Order): Promise<void> {
  globalThis.headwaterText = textsWith(change);
  process.env.HEADWATER_FUZZ_INPUTS = join(folder, 'inputs');
  const paths = files.map((file) => join(root, file));
  const isTrial = change.kind === 'mutate';
  const vitest = await createVitest('test', {
    config: join(root, 'scripts/mutants', configs[kind]),
    watch: false,
    silent: true,
    maxWorkers: workers,
    experimental: { fsModuleCache: true, fsModuleCachePath: join(folder, 'modules') },
    bail: isTrial ? 1 : 0,
    sequence: { sequencer: inOrderOf(paths) },
    reporters: [{ onTestModuleEnd: send }],
  });
  if (isTrial)
    for (const { config } of vitest.projects)
      Object.assign(config, { testTimeout: change.testTimeoutMs, hookTimeout: change.testTimeoutMs });
  await vitest.start(paths);
}

function textsWith(change: Change): typeof globalThis.headwaterText {
  if (change.kind === 'mutate') {
    const { mutant } = change;
    return (file, text) => (file === mutant.file ? mutate(text, mutant) : text);
  }
  const numbered = [...change.mutants.entries()];
  return (file, text) => {
    if (!/^(?:client|server)\/.*\.tsx?$/.test(file)) return text;
    const own = numbered.filter(([, mutant]) => mutant.file === file);
    return own.length === 0 ? withEvaluation(text) : instrument(text, own);
  };
}

function inOrderOf(paths: readonly string[]) {
  const rank = ({ moduleId }: TestSpecification) => paths.indexOf(moduleId);
  return class {
    async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      return specifications.toSorted((one, other) => rank(one) - rank(other));
    }

    async shard(specifications: TestSpecification[]): Promise<TestSpecification[]> {
      return specifications;
    }
  };
}

function send(module: TestModule): void {
  process.send?.(reportOf(module));
}

function reportOf(module: TestModule): FileReport {
  const tests = [...module.children.allTests()];
  const suites = [...module.children.allSuites()];
  const { duration, collectDuration, setupDuration } = module.diagnostic();
  const failed = tests.find((test) => test.result().state === 'failed')?.fullName;
  const failure = failed ?? [module, ...suites].flatMap((each) => each.errors())[0]?.message;
  return {
    file: module.relativeModuleId,
    milliseconds: duration + collectDuration + setupDuration,
    slowestTestMs: Math.max(0, ...tests.map((test) => test.diagnostic()?.duration ?? 0)),
    executed: module.meta().executed ?? { byTests: [], byModules: [] },
    ...(failure !== undefined && { failure }),
  };
}
