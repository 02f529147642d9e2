/** Measures in one run of the unchanged product which test files execute which mutants, and how long they take. */
import { reachableFrom, type Source } from '../../test/support/house/imports.ts';
import { patient } from '../run/patience.ts';
import type { Mutant } from './mutants.ts';
import type { FileReport } from './protocol.ts';
import { runTests } from './testRun.ts';

export interface Coverage {
  readonly of: (mutant: Mutant) => Trial;
  /** Test files that fail with the unchanged product, with the reason. They are not used. */
  readonly failing: ReadonlyMap<string, string>;
  readonly measured: number;
}

interface Trial {
  /** The test files that execute the mutant, fastest first. */
  readonly files: readonly string[];
  /** The time limit in milliseconds, after which the mutant is assumed to run forever. */
  readonly limitMs: number;
  readonly testTimeoutMs: number;
}

const measurementLimitMs = 1_200_000;
const startLimitMs = 30_000;

export async function measureCoverage(
  mutants: readonly Mutant[],
  { sources, workers }: { readonly sources: readonly Source[]; readonly workers: number },
): Promise<Coverage> {
  const reached = new Map<string, ReadonlySet<string>>();
  for (const test of unitTestsIn(sources)) {
    const files = reachableFrom([test], sources);
    if (mutants.some(({ file }) => files.has(file))) reached.set(test, files);
  }
  const order = { files: [...reached.keys()], change: { kind: 'record', mutants }, workers } as const;
  const { reports, end, printed } = await runTests(order, patient(measurementLimitMs));
  if (end === 'late' || reports.length < reached.size)
    throw new Error(`The tests of the unchanged product could not be run.\n${printed}`);
  const good = reports.filter(({ failure }) => failure === undefined);
  const byModules = new Set(good.flatMap(({ executed }) => executed.byModules));
  const executes = ({ file, executed }: FileReport, number: number): boolean =>
    executed.byTests.includes(number) ||
    (byModules.has(number) && (reached.get(file)?.has(mutants[number]?.file ?? '') ?? false));
  const fastestFirst = good.toSorted((one, other) => one.milliseconds - other.milliseconds);
  return {
    of: (mutant) => {
      const number = mutants.indexOf(mutant);
      const executing = fastestFirst.filter((report) => executes(report, number));
      const total = executing.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
      const slowest = Math.max(0, ...executing.map(({ slowestTestMs }) => slowestTestMs));
      return {
        files: executing.map(({ file }) => file),
        limitMs: patient(startLimitMs) + 10 * total,
        testTimeoutMs: patient(5_000) + 10 * slowest,
      };
    },
    failing: new Map(
      reports.flatMap(({ file, failure }) => (failure === undefined ? [] : [[file, failure]])),
    ),
    measured: reports.length,
  };
}

function unitTestsIn(sources: readonly Source[]): readonly string[] {
  return sources
    .map(({ path }) => path)
    .filter((path) => /^test\/(?!e2e|integration|web|windows).*(?<!\.live)\.test\.ts$/.test(path));
}
