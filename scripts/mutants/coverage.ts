/** Measures in one run of the unchanged product which test files execute which mutants, and how long they take. */
import { reachableFrom, type Source } from '../../test/support/house/imports.ts';
import { patient } from '../run/patience.ts';
import type { Mutant } from './mutants.ts';
import type { FileReport, TestKind } from './protocol.ts';
import { runTests } from './testRun.ts';

export interface Coverage {
  readonly of: (mutant: Mutant) => Trial;
  /** Test files that fail with the unchanged product, with the reason. They are not used. */
  readonly failing: ReadonlyMap<string, string>;
  readonly measured: number;
}

interface Trial {
  readonly kind: TestKind;
  /** The test files that execute the mutant. Fast files and those of a near room are first, because they probably detect it soon. */
  readonly files: readonly string[];
  /** The time limit in milliseconds, after which the mutant is assumed to run forever. */
  readonly limitMs: number;
  readonly testTimeoutMs: number;
}

/** The tests to measure. */
export interface Tests {
  readonly kind: TestKind;
  readonly files: readonly string[];
}

interface Measurement {
  readonly tests: Tests;
  readonly sources: readonly Source[];
  readonly workers: number;
}

const measurementLimitMs = 1_200_000;
const startLimitMs = 30_000;

export async function measureCoverage(
  mutants: readonly Mutant[],
  { tests, sources, workers }: Measurement,
): Promise<Coverage> {
  const reached = new Map<string, ReadonlySet<string>>();
  for (const test of tests.files) {
    const files = reachableFrom([test], sources);
    if (mutants.some(({ file }) => files.has(file))) reached.set(test, files);
  }
  const files = [...reached.keys()];
  const order = { kind: tests.kind, files, change: { kind: 'record', mutants }, workers } as const;
  const { reports, end, printed } = await runTests(order, patient(measurementLimitMs));
  if (end === 'late' || reports.length < reached.size)
    throw new Error(`The tests of the unchanged product could not be run.\n${printed}`);
  const good = reports.filter(({ failure }) => failure === undefined);
  const byModules = new Set(good.flatMap(({ executed }) => executed.byModules));
  const executes = ({ file, executed }: FileReport, number: number): boolean =>
    executed.byTests.includes(number) ||
    (byModules.has(number) && (reached.get(file)?.has(mutants[number]?.file ?? '') ?? false));
  return {
    of: (mutant) => {
      const number = mutants.indexOf(mutant);
      const cost = ({ file, milliseconds }: FileReport) => milliseconds / 10 ** nearness(mutant.file, file);
      const executing = good
        .filter((report) => executes(report, number))
        .toSorted((one, other) => cost(one) - cost(other));
      const total = executing.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
      const slowest = Math.max(0, ...executing.map(({ slowestTestMs }) => slowestTestMs));
      return {
        kind: tests.kind,
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

/** Returns the number of folders that a file of the product and a test share below `server` and `test`. */
function nearness(file: string, test: string): number {
  const [folders = [], others = []] = [file, test].map((path) => path.split('/').slice(1, -1));
  const end = folders.findIndex((folder, index) => folder !== others[index]);
  return end < 0 ? folders.length : end;
}

export function unitTestsIn(sources: readonly Source[]): Tests {
  return testsIn(sources, 'unit', /^test\/(?!e2e|integration|web|windows).*(?<!\.live)\.test\.ts$/);
}

/** @param path the start of the paths of the tests */
export function liveTestsIn(sources: readonly Source[], path: string): Tests {
  const { kind, files } = testsIn(sources, 'live', /^test\/.*\.live\.test\.ts$/);
  return { kind, files: files.filter((file) => file.startsWith(path)) };
}

function testsIn(sources: readonly Source[], kind: TestKind, pattern: RegExp): Tests {
  return { kind, files: sources.map(({ path }) => path).filter((path) => pattern.test(path)) };
}
