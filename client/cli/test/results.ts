/** The results of a file of access tests, with places that people and programs read. */
import {
  type CoveredCondition,
  coverTests,
  messageOf,
  type Position,
  positionsIn,
  runTests,
  type StreamCoverage,
  severityOf,
} from '../../../server/engine/index.ts';
import type { Diagnostic } from '../validate/check.ts';
import type { LoadedTests } from './load.ts';

export interface TestPlace {
  readonly path: string;
  readonly start: Position;
  readonly end: Position;
}

export interface Failure {
  readonly message: string;
  readonly place: TestPlace;
  readonly expected: string;
  readonly actual: string;
  readonly reasons: readonly { readonly text: string; readonly place?: TestPlace }[];
}

export interface Result {
  readonly name: string;
  readonly place: TestPlace;
  readonly failures: readonly Failure[];
}

export interface CoveredStream extends Omit<StreamCoverage, 'span' | 'conditions'> {
  readonly place: TestPlace;
  readonly conditions: readonly (Omit<CoveredCondition, 'span'> & { readonly place: TestPlace })[];
}

export interface FileResults {
  readonly path: string;
  readonly text: string;
  readonly config?: string;
  /** What is wrong with the file itself. */
  readonly diagnostics: readonly Diagnostic[];
  readonly results: readonly Result[];
  readonly coverage?: readonly CoveredStream[];
}

interface ResultChoice {
  /** Part of the name. */
  readonly filter?: string | undefined;
  readonly withCoverage?: true;
}

export function resultsOf(
  { path, text, file, findings, tested, seeds }: LoadedTests,
  wanted: ResultChoice,
): FileResults {
  const positionAt = positionsIn(text);
  const placeIn =
    (at: string, positions: typeof positionAt) =>
    (span: { start: number; end: number }): TestPlace => ({
      path: at,
      start: positions(span.start),
      end: positions(span.end),
    });
  const here = placeIn(path, positionAt);
  const diagnostics = findings.map((finding) => ({
    severity: severityOf(finding.code),
    code: finding.code,
    message: messageOf(finding),
    range: { start: positionAt(finding.span.start), end: positionAt(finding.span.end) },
  }));
  if (tested === undefined) return { path, text, diagnostics, results: [] };
  const { filter } = wanted;
  const chosen =
    filter === undefined
      ? file
      : {
          ...file,
          tests: file.tests.filter(({ name }) => name.value.includes(filter)),
        };
  const covered = wanted.withCoverage && coverTests(chosen, tested.subject, { seeds });
  const outcomes = covered?.outcomes ?? runTests(chosen, tested.subject, { seeds });
  const there = placeIn(tested.path, positionsIn(tested.text));
  const results = outcomes.map(({ test, failures }) => ({
    name: test.name.value,
    place: here(test.name.span),
    failures: failures.map(({ span, reasons, ...failure }) => ({
      ...failure,
      place: here(span),
      reasons: reasons.map((reason) => ({
        text: reason.text,
        ...(reason.span && { place: there(reason.span) }),
      })),
    })),
  }));
  return {
    path,
    text,
    config: tested.path,
    diagnostics,
    results,
    ...(covered && {
      coverage: covered.streams.map(({ span, conditions, ...stream }) => ({
        ...stream,
        place: there(span),
        conditions: conditions.map(({ span: at, ...condition }) => ({ ...condition, place: there(at) })),
      })),
    }),
  };
}
