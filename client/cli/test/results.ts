/** The results of a file of access tests, with places that people and programs read. */
import {
  type ClaimJudge,
  type ClaimSearch,
  type CoveredCondition,
  coverTests,
  explainCandidate,
  messageOf,
  type Position,
  positionsIn,
  runTests,
  type SearchCandidate,
  type StreamCoverage,
  searchClaim,
  severityOf,
  type TestFile,
  type TestMoment,
  type TestSubject,
  watchClaim,
  writeTest,
} from '../../../server/engine/index.ts';
import type { Diagnostic } from '../validate/check.ts';
import { countNoun } from '../validate/text.ts';
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
  /** Of a claim: how far it was searched. */
  readonly note?: string;
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

/** What claims need. */
export interface ClaimWorld {
  readonly judge: ClaimJudge;
  /** For each claim, made when its search begins. */
  readonly startClock: () => { readonly isTimeUp: () => boolean };
}

export function resultsOf(
  { path, text, file, findings, tested, seeds }: LoadedTests,
  wanted: ResultChoice,
  claims: ClaimWorld | undefined,
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
          always: file.always.filter(({ name }) => name.value.includes(filter)),
        };
  const { subject, catalog } = tested;
  const watches = claims
    ? chosen.always.map((claim) => watchClaim(claim, subject, catalog, claims.judge))
    : [];
  const observe = (moment: TestMoment): void => {
    for (const watch of watches) watch.observe(moment);
  };
  const covered = wanted.withCoverage && coverTests(chosen, subject, { seeds, observe });
  const outcomes = covered?.outcomes ?? runTests(chosen, subject, { seeds, observe });
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
  const always = chosen.always.map((claim, index): Result => {
    const place = here(claim.name.span);
    const fail = (message: string, counterexample?: SearchCandidate, at = place): Result => ({
      name: claim.name.value,
      place,
      failures: [
        {
          message,
          place: at,
          expected: '',
          actual: '',
          reasons: counterexample === undefined ? [] : reasonsOf(claim, counterexample, subject, there),
        },
      ],
    });
    const inTests = watches[index]?.result();
    if (claims === undefined) return fail('No claim is checked here.');
    if (inTests !== undefined)
      return 'reason' in inTests
        ? fail(
            `This is no condition that SQLite can check: ${inTests.reason}`,
            undefined,
            here(claim.holds.span),
          )
        : fail(
            `It does not hold for ${inTests.candidate.main.table} ${inTests.candidate.main.id} in the test "${inTests.test}".`,
          );
    const searched = searchClaim(claim, subject, catalog, claims.judge, claims.startClock());
    if (searched.kind === 'unreadable')
      return fail(
        `This is no condition that SQLite can check: ${searched.reason}`,
        undefined,
        here(claim.holds.span),
      );
    if (searched.kind === 'counterexample')
      return fail(
        `A row of ${claim.table.value} reaches a device although this does not hold for it, through the stream ${searched.stream}.`,
        searched.candidate,
      );
    return { name: claim.name.value, place, failures: [], note: noteOf(searched) };
  });
  return {
    path,
    text,
    config: tested.path,
    diagnostics,
    results: [...results, ...always],
    ...(covered && {
      coverage: covered.streams.map(({ span, conditions, ...stream }) => ({
        ...stream,
        place: there(span),
        conditions: conditions.map(({ span: at, ...condition }) => ({ ...condition, place: there(at) })),
      })),
    }),
  };
}

/** The rows and the user as a test, and the queries that it went through. */
function reasonsOf(
  { name, table }: TestFile['always'][number],
  candidate: SearchCandidate,
  subject: TestSubject,
  there: (span: { start: number; end: number }) => TestPlace,
): Failure['reasons'] {
  const { user, lines } = writeTest(name.value, table.value, candidate);
  return [
    ...explainCandidate(candidate, table.value, subject).map(({ text, span }) => ({
      text,
      ...(span && { place: there(span) }),
    })),
    { text: 'As a test, for `users` and `tests`:' },
    { text: `  ${user}` },
    ...lines.map((line, index) => ({ text: `${index === 0 ? '- ' : '  '}${line}` })),
  ];
}

/** Nothing is called proven that was not gone through. */
function noteOf({ tried, isExhausted, rows }: ClaimSearch & { kind: 'none found' }): string {
  const count = `${tried.toLocaleString('en-US')} ${tried === 1 ? 'database' : 'databases'}`;
  if (tried === 0) return 'no row of the table can reach a device';
  return isExhausted
    ? `no counterexample in ${count} of up to ${countNoun(rows, 'row')}, which are all that matter over their values`
    : `no counterexample among ${count} of up to ${countNoun(rows, 'row')}; there are more`;
}
