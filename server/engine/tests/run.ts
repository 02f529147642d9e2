/** Runs access tests with the same evaluation that syncs. A failure contains its reasons. */
import { type Finding, messageOf, severityOf } from '../diagnostics/diagnostics.ts';
import { append } from '../ground/append.ts';
import { isPartOf, type Span } from '../text/span.ts';
import { type Asking, deviceOf } from './device.ts';
import { failuresOfExpectation } from './expectations.ts';
import type { TestFailure, TestMoment, TestOutcome } from './outcomes.ts';
import { type RowIndex, type TestedRow, toRowIndex } from './rowIndex.ts';
import { applyStep, startState, storedRow } from './state.ts';
import type { TestSubject } from './subject.ts';
import type { AccessTest, TestExpectation, TestFile, TestUser } from './testFile.ts';

export interface TestWorld {
  /** The rows of the files that `from` names. */
  readonly seeds: readonly TestedRow[];
  /** The findings in the file. A test fails if it contains an error, or if a part that all tests share does. */
  readonly findings?: readonly Finding[];
  readonly observe?: (observed: TestMoment) => void;
  /** Returns the current time in milliseconds. Absent: durations are not measured. */
  readonly now?: () => number;
}

export function sharedDatabase(file: TestFile, subject: TestSubject, seeds: readonly TestedRow[]): RowIndex {
  return toRowIndex([...seeds, ...file.rows.map(storedRow)], subject);
}

export function runTests(
  file: TestFile,
  subject: TestSubject,
  world: TestWorld = { seeds: [] },
): TestOutcome[] {
  const shared = sharedDatabase(file, subject, world.seeds);
  const errors = (world.findings ?? []).filter(({ code }) => severityOf(code) === 'error');
  const sharedError = errors.find(({ span }) => !file.lists.some((list) => isPartOf(span, list)));
  return file.tests.map((test) => {
    const start = world.now?.();
    const own = errors.filter(({ span }) => isPartOf(span, test.span));
    const found = sharedError === undefined ? own : [sharedError, ...own];
    const failures = [
      ...found.map(failureOfFinding),
      // The source may not have the rows of a test with an error, so they prove nothing about it.
      ...runTest(test, file, subject, shared, found.length > 0 ? noObserver : world.observe).filter(
        ({ span }) => !own.some((error) => error.span === span),
      ),
    ];
    const end = world.now?.();
    return {
      test,
      failures: failures.length > 0 ? failures : expectsNothing(test),
      ...(start !== undefined && end !== undefined && { milliseconds: end - start }),
    };
  });
}

function noObserver(): void {}

/** Returns the error about a name that prevents a test or claim from running. */
export function failureOfName(span: Span, findings: readonly Finding[]): TestFailure | undefined {
  const error = findings.find((finding) => finding.span === span && severityOf(finding.code) === 'error');
  return error && failureOfFinding(error);
}

function failureOfFinding(finding: Finding): TestFailure {
  return failure(finding.span, messageOf(finding));
}

/** Returns a failure for a test that expects nothing, because it could never fail. */
function expectsNothing({ name, steps }: AccessTest): readonly TestFailure[] {
  const expects = steps.some((step) => step.kind === 'expect' && step.expectation.users.length > 0);
  const message =
    'This test expects nothing yet. Run `headwater test --update` to write the current rows into it.';
  return expects ? [] : [failure(name.span, message)];
}

function runTest(
  test: AccessTest,
  file: TestFile,
  subject: TestSubject,
  shared: RowIndex,
  observe: TestWorld['observe'],
): readonly TestFailure[] {
  let state = startState(shared);
  const failures: TestFailure[] = [];
  for (const step of test.steps) {
    if (step.kind !== 'expect') {
      const changed = applyStep(state, step, subject);
      state = changed.state;
      for (const { span, message } of changed.problems) failures.push(failure(span, message));
      continue;
    }
    const { expectation } = step;
    append(failures, failedRows(state.database, expectation, subject));
    for (const expected of expectation.users) {
      const user = file.users.find(({ name }) => name.value === expected.user.value);
      if (user === undefined) {
        failures.push(failure(expected.user.span, `There is no user ${expected.user.value}.`));
        continue;
      }
      const asking = askingOf(user, test);
      const device = deviceOf(subject, state.database, asking);
      const { database } = state;
      const situation = { test, user: user.name.value, subject, asking, database, device };
      observe?.(situation);
      append(failures, failuresOfExpectation(expected, situation));
    }
  }
  return failures;
}

export function askingOf({ claims, parameters }: TestUser, { subscriptions }: AccessTest): Asking {
  return {
    claims,
    parameters,
    subscriptions: subscriptions.map(({ stream, parameters: own }) => ({
      stream: stream.value,
      parameters: own,
    })),
  };
}

/** Returns failures for rows on which a rule fails. A service would skip the rule, so the test would prove nothing. */
function failedRows(
  { failures }: RowIndex,
  { span }: TestExpectation,
  subject: TestSubject,
): readonly TestFailure[] {
  return failures.map(({ row, failure: { stream, code, at } }) => ({
    ...failure(
      span,
      `The stream ${stream} fails on ${row.table} ${row.id} with ${code}, so it does not sync this row.`,
    ),
    reasons: [{ text: 'The error occurs here.', span: subject.placeOf(stream, at).span }],
  }));
}

function failure(span: Span, message: string): TestFailure {
  return { span, message, expected: '', actual: '', reasons: [] };
}
