/** The results of a file of access tests, with places for people and programs. */
import {
  type ClaimJudge,
  type ClaimResult,
  type ClaimVerdict,
  type CoveredCondition,
  coverTests,
  finish,
  openClaims,
  type Position,
  positionsIn,
  runTests,
  type StreamCoverage,
  type TestFailure,
  type TestFile,
  writeTest,
} from '../../../server/engine/index.ts';
import { diagnosticsOf, type FoundDiagnostic } from '../validate/checkText.ts';
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
  /** The verdict on a claim. */
  readonly verdict?: ClaimVerdict;
  /** How far the search for a claim went. */
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
  /** Rows of SQL files: `run` by a database, or `read` without one. */
  readonly from?: { readonly kind: 'run' | 'read'; readonly rows: number };
  /** Problems of the test file itself. */
  readonly diagnostics: readonly FoundDiagnostic[];
  readonly results: readonly Result[];
  readonly coverage?: readonly CoveredStream[];
}

interface ResultChoice {
  /** A part of the name of the tests to run. */
  readonly filter?: string | undefined;
  readonly withCoverage?: true;
  /** Whether a claim that is not proven fails. */
  readonly requires?: 'proven' | undefined;
}

/** The surroundings of claims. */
export interface ClaimWorld {
  readonly judge: ClaimJudge;
  /** Called for each claim when its search begins. */
  readonly startClock: () => { readonly isTimeUp: () => boolean };
}

export function resultsOf(
  loaded: LoadedTests,
  wanted: ResultChoice,
  claims: ClaimWorld | undefined,
): FileResults {
  const { path, text, file, findings, subject, config, seeds, seedsAre } = loaded;
  const here = placesIn(path, text);
  const diagnostics = diagnosticsOf(findings, text);
  if (subject === undefined || config === undefined) return { path, text, diagnostics, results: [] };
  const chosen = chosenOf(file, wanted);
  const opened = claims && openClaims({ ...loaded, file: chosen, subject }, claims.judge);
  const world = { seeds, findings, ...(opened && { observe: opened.observe }) };
  const covered = wanted.withCoverage && coverTests(chosen, subject, world);
  const outcomes = covered?.outcomes ?? runTests(chosen, subject, world);
  const there = placesIn(config.path, config.text);
  const toFailure = ({ span, reasons, ...failure }: TestFailure): Failure => ({
    ...failure,
    place: here(span),
    reasons: reasons.map((reason) => ({
      text: reason.text,
      ...(reason.span && { place: there(reason.span) }),
    })),
  });
  const results = outcomes.map(({ test, failures }) => ({
    name: test.name.value,
    place: here(test.name.span),
    failures: failures.map(toFailure),
  }));
  const always = chosen.always.map((claim): Result => {
    const named = { name: claim.name.value, place: here(claim.name.span) };
    if (claims === undefined || opened === undefined)
      return { ...named, failures: [{ ...noJudge, place: named.place }] };
    const result = finish(opened.resultOf(claim, claims.startClock()));
    const { failure, verdict, note } = result;
    if (failure === undefined) {
      const isRefused = wanted.requires === 'proven' && verdict !== 'proven';
      const failures = isRefused
        ? [{ ...notProven, message: `Not proven: ${note}`, place: named.place }]
        : [];
      return { ...named, verdict, failures, ...(note !== undefined && { note }) };
    }
    const described = toFailure(failure);
    return {
      ...named,
      verdict,
      failures: [{ ...described, reasons: [...described.reasons, ...testLines(result)] }],
    };
  });
  return {
    path,
    text,
    config: config.path,
    ...(seedsAre && { from: { kind: seedsAre, rows: seeds.length } }),
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

const notProven = { expected: '', actual: '', reasons: [] };
const noJudge = { ...notProven, message: 'Claims are not checked here.' };

function placesIn(path: string, text: string): (span: TestFailure['span']) => TestPlace {
  const positionAt = positionsIn(text);
  return ({ start, end }) => ({ path, start: positionAt(start), end: positionAt(end) });
}

function chosenOf(file: TestFile, { filter }: ResultChoice): TestFile {
  if (filter === undefined) return file;
  return {
    ...file,
    tests: file.tests.filter(({ name }) => name.value.includes(filter)),
    always: file.always.filter(({ name }) => name.value.includes(filter)),
  };
}

function testLines({ claim, candidate, clientTable }: ClaimResult): Failure['reasons'] {
  if (candidate === undefined) return [];
  const { user, lines } = writeTest(claim.name.value, clientTable ?? claim.table.value, candidate);
  return [
    { text: 'The same as a test, for `users` and `tests`:' },
    { text: `  ${user}` },
    ...lines.map((line, index) => ({ text: `${index === 0 ? '- ' : '  '}${line}` })),
  ];
}
