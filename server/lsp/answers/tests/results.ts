/** Converts access tests and their results for clients. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { ClaimResult, TestFailure } from '../../../engine/index.ts';
import { explainTests, messageOf, type StreamCoverage, severityOf } from '../../../engine/index.ts';
import type { Span } from '../../../engine/text/span.ts';
import type {
  CoveredStreamOfTests,
  ListedTest,
  ListedTestFile,
  RunTestsParams,
  RunTestsResult,
  TestName,
  TestResult,
  TestResultFailure,
} from '../../../protocol.ts';
import { splitPath } from '../../../shared/uri.ts';
import type { TestDocument } from '../../workspace/tests/accessTests.ts';
import type { TestRuns } from '../../workspace/tests/runs.ts';
import { toRange } from '../convert.ts';

export function listedTests({ document, prepared }: TestDocument): ListedTestFile {
  const { file, findings, subject } = prepared;
  const toListed = (kind: TestName['kind'], { value: name, span }: ListedName): ListedTest => ({
    kind,
    name,
    range: toRange(document, span),
  });
  const why = findings.find(({ code }) => severityOf(code) === 'error');
  return {
    uri: document.uri,
    tests: [
      ...file.tests.map(({ name }) => toListed('test', name)),
      ...file.always.map(({ name }) => toListed('claim', name)),
    ],
    ...(subject === undefined && why && { problem: messageOf(why) }),
  };
}

type ListedName = { readonly value: string; readonly span: Span };

/** Returns 'changed' if the file has changed during the run. */
export async function resultsOfRun(
  tests: TestDocument,
  { only, withCoverage, withReasons }: RunTestsParams,
  runs: TestRuns,
): Promise<RunTestsResult | 'changed'> {
  const covered = withCoverage && runs.coverageOf(tests);
  const outcomes = runs.outcomesOf(tests);
  if (outcomes === undefined) return null;
  const isWanted = (kind: TestName['kind'], name: string): boolean =>
    only === undefined || only.some((each) => each.kind === kind && each.name === name);
  const toFailure = failureIn(tests);
  const ofTests = outcomes
    .filter(({ test }) => isWanted('test', test.name.value))
    .map(
      ({ test, failures, milliseconds: duration }): TestResult => ({
        kind: 'test',
        name: test.name.value,
        failures: failures.map(toFailure),
        ...(duration !== undefined && { duration }),
      }),
    );
  const claims = tests.prepared.file.always.filter(({ name }) => isWanted('claim', name.value));
  const found = claims.length === 0 ? [] : await runs.searchClaims(tests);
  if (found === 'changed') return found;
  const ofClaims = claims.map(({ name: { value: name } }): TestResult => {
    const result = found === 'no judge' ? undefined : found.find(({ claim }) => claim.name.value === name);
    return result === undefined
      ? { kind: 'claim', name, failures: [], skipped: noJudge }
      : { kind: 'claim', name, duration: result.milliseconds, ...resultOfClaim(result, toFailure) };
  });
  return {
    results: [...ofTests, ...ofClaims],
    ...(covered && tests.configDocument && { coverage: coverageIn(tests.configDocument, covered) }),
    ...(withReasons && { reasons: reasonsIn(tests, (name) => isWanted('test', name)) }),
  };
}

/** Returns the rows that each user has or does not have, each with the condition that decided it. */
function reasonsIn({ prepared, configDocument }: TestDocument, isWanted: (name: string) => boolean): string {
  const { file, subject, seeds } = prepared;
  if (subject === undefined) return '';
  const chosen = { ...file, tests: file.tests.filter(({ name }) => isWanted(name.value)) };
  const placeOf = (span: Span | undefined): string => {
    if (span === undefined || configDocument === undefined) return '';
    const { line, character } = toRange(configDocument, span).start;
    return ` ${splitPath(configDocument.uri).name}:${line + 1}:${character + 1}`;
  };
  const lines = explainTests(chosen, subject, { seeds }).flatMap(({ test, user, rows, isCut }) => [
    `${test}: ${user}`,
    ...rows.flatMap(({ table, id, isGiven, reasons }) => [
      `  ${isGiven ? 'gets' : 'does not get'} ${table} ${id}`,
      ...reasons.map(({ text, span }) => `    ${text}${placeOf(span)}`),
    ]),
    ...(isCut ? ['  …'] : []),
    '',
  ]);
  return lines.join('\n');
}

const noJudge =
  'Claims are checked only where SQLite is available: in VS Code on the desktop, and by `headwater test`.';

function resultOfClaim(
  { failure, note, verdict }: ClaimResult,
  toFailure: (failure: TestFailure) => TestResultFailure,
): Pick<TestResult, 'failures' | 'note' | 'isNotRefuted'> {
  return {
    failures: failure ? [toFailure(failure)] : [],
    ...(note !== undefined && { note }),
    ...(failure === undefined && verdict === 'not refuted' && { isNotRefuted: true }),
  };
}

function failureIn({ document, configDocument }: TestDocument): (failure: TestFailure) => TestResultFailure {
  return ({ span, reasons, ...failure }) => ({
    ...failure,
    range: toRange(document, span),
    reasons: reasons.map(({ text, span: at }) => ({
      text,
      ...(at && configDocument && { place: { uri: configDocument.uri, range: toRange(configDocument, at) } }),
    })),
  });
}

function coverageIn(
  document: TextDocument,
  streams: readonly StreamCoverage[],
): { readonly uri: string; readonly streams: readonly CoveredStreamOfTests[] } {
  return {
    uri: document.uri,
    streams: streams.map(({ stream, span, given, refused, conditions }) => ({
      name: stream,
      range: toRange(document, span),
      given,
      refused,
      conditions: conditions.map(({ span: at, ...condition }) => ({
        ...condition,
        range: toRange(document, at),
      })),
    })),
  };
}
