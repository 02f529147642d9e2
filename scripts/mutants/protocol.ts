/** The messages between `npm run mutants`, a process that runs tests, and the test files in that process. */
import type { Mutant } from './mutants.ts';

export type TestKind = 'unit' | 'live';

/** The tests that a process runs. */
export interface Order {
  readonly kind: TestKind;
  /** The paths relative to the root, in the order in which they run. */
  readonly files: readonly string[];
  readonly change: Change;
  readonly workers: number;
  /** Holds transformed modules, so that the process of a mutant needs to transform only one file, and the inputs that the fuzzer writes. */
  readonly folder: string;
}

export type Change =
  /** The product behaves as usual, and reports which of these mutants are executed. */
  | { readonly kind: 'record'; readonly mutants: readonly Mutant[] }
  /** The product contains this mutant. The run ends with the first test that fails. */
  | { readonly kind: 'mutate'; readonly mutant: Mutant; readonly testTimeoutMs: number };

/** The exit code of a process that could not run the tests. It must not count as a detected mutant. */
export const notRun = 2;

export interface FileReport {
  readonly file: string;
  readonly milliseconds: number;
  readonly slowestTestMs: number;
  /** The first failed test, or another reason why the file failed. */
  readonly failure?: string;
  readonly executed: Hits;
}

/** The numbers of the mutants that a test file executed. */
interface Hits {
  readonly byTests: readonly number[];
  /** The mutants that ran while a module was evaluated. Modules are not evaluated again for later test files in the same thread. */
  readonly byModules: readonly number[];
}

/** The object that instrumented modules call. */
interface Recorder {
  readonly hit: (mutant: number) => void;
  /** Called with +1 when the evaluation of a module begins, and with -1 when it ends. */
  readonly evaluate: (step: number) => void;
}

declare global {
  /** The recorder. It exists in the thread of a test. */
  var headwaterRecorder: Recorder | undefined;
  /** Returns the text of a file for tests. It exists in the process of Vitest. */
  var headwaterText: ((file: string, text: string) => string) | undefined;
}

declare module 'vitest' {
  interface TaskMeta {
    executed?: Hits;
  }
}
