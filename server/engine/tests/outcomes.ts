/** The results of a run of access tests. */
import type { Span } from '../text/span.ts';
import type { Asking, Device } from './device.ts';
import type { RowIndex } from './rowIndex.ts';
import type { TestSubject } from './subject.ts';
import type { AccessTest } from './testFile.ts';

/** A fact that helps to understand a failure. */
export interface FailureReason {
  readonly text: string;
  /** The span in the config under test. */
  readonly span?: Span;
}

export interface TestFailure {
  /** The span in the test file. */
  readonly span: Span;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly reasons: readonly FailureReason[];
}

export interface TestOutcome {
  readonly test: AccessTest;
  readonly failures: readonly TestFailure[];
  /** The duration of the test, if the run was given a clock. */
  readonly milliseconds?: number;
}

/** A user's device at one step of a test. */
export interface TestMoment {
  readonly test: AccessTest;
  /** The name of the user. */
  readonly user: string;
  readonly subject: TestSubject;
  readonly asking: Asking;
  readonly database: RowIndex;
  readonly device: Device;
}
