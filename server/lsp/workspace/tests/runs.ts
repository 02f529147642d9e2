/** Runs access tests. Tests take milliseconds; claims are searched in slices, so that other requests do not wait. */
import {
  type ClaimResult,
  type ClaimsOfFile,
  coverTests,
  openClaims,
  runTests,
  type StreamCoverage,
  type TestOutcome,
  type TestWorld,
} from '../../../engine/index.ts';
import { openTurns } from '../../../shared/turns.ts';
import type { Host } from '../../host/host.ts';
import { inSlices } from '../../host/slices.ts';
import type { TestDocument } from './accessTests.ts';

export interface TestRuns {
  /** Returns undefined if the tests cannot run. */
  readonly outcomesOf: (tests: TestDocument) => readonly TestOutcome[] | undefined;
  readonly coverageOf: (tests: TestDocument) => readonly StreamCoverage[] | undefined;
  /** Returns the results so far. The search for the other claims continues. */
  readonly claimsOf: (tests: TestDocument) => readonly TimedClaim[];
  /** Returns all results, unless there is no judge here, or the file or its config changes during the search. */
  readonly searchClaims: (tests: TestDocument) => Promise<SearchedClaims>;
}

/** The result for a claim, with the duration of its search. */
type TimedClaim = ClaimResult & { readonly milliseconds: number };

type SearchedClaims = readonly TimedClaim[] | 'no judge' | 'changed';

interface Parts {
  readonly host: Pick<Host, 'openJudge' | 'clock'>;
  readonly isCurrent: (tests: TestDocument) => boolean;
  /** Called when a claim of the file has a new result. */
  readonly found: (tests: TestDocument) => void;
}

/** The time limit for each claim, in milliseconds. */
const longestSearch = 2_000;

interface Search {
  readonly results: TimedClaim[];
  readonly done: Promise<SearchedClaims>;
}

export function openRuns({ host, isCurrent, found }: Parts): TestRuns {
  const outcomes = new WeakMap<TestDocument, readonly TestOutcome[]>();
  const coverage = new WeakMap<TestDocument, readonly StreamCoverage[]>();
  const searches = new WeakMap<TestDocument, Search>();
  let opening: ReturnType<NonNullable<Host['openJudge']>> | undefined;
  /** The turns of searches, so that only one runs at a time. */
  const searching = openTurns();

  function searchOf(tests: TestDocument): Search {
    const known = searches.get(tests);
    if (known !== undefined) return known;
    const results: TimedClaim[] = [];
    const done = searching.run(() => searchAll(tests, results));
    // A rejection must not end the process, because some callers read only the results so far.
    done.catch(() => {});
    const search = { results, done };
    searches.set(tests, search);
    return search;
  }

  async function searchAll(tests: TestDocument, results: TimedClaim[]): Promise<SearchedClaims> {
    const { subject, file, seeds } = tests.prepared;
    if (subject === undefined || file.always.length === 0) return results;
    opening ??= host.openJudge?.();
    const opened = await opening;
    if (opened === undefined) return 'no judge';
    if (!isCurrent(tests)) return 'changed';
    const claims = openClaims({ ...tests.prepared, subject }, opened.judge);
    // Claims that the tests have already decided are not searched, which is also how `headwater test` works.
    runTests(file, subject, { seeds, observe: claims.observe });
    for (const claim of file.always) {
      const result = await resultIn(tests, claims, claim);
      if (result === undefined) return 'changed';
      results.push(result);
      found(tests);
    }
    return results;
  }

  async function resultIn(
    tests: TestDocument,
    claims: ClaimsOfFile,
    claim: ClaimResult['claim'],
  ): Promise<TimedClaim | undefined> {
    const { now } = host.clock;
    const start = now();
    const work = claims.resultOf(claim, { isTimeUp: () => now() - start >= longestSearch });
    const result = await inSlices(work, host.clock, () => isCurrent(tests));
    return result && { ...result, milliseconds: now() - start };
  }

  function coveredOf(tests: TestDocument): readonly StreamCoverage[] | undefined {
    const { subject, file } = tests.prepared;
    if (subject === undefined) return undefined;
    const known = coverage.get(tests);
    if (known !== undefined) return known;
    const covered = coverTests(file, subject, worldOf(tests));
    outcomes.set(tests, covered.outcomes);
    coverage.set(tests, covered.streams);
    return covered.streams;
  }

  function worldOf({ prepared: { seeds, findings } }: TestDocument): TestWorld {
    return { seeds, findings, now: host.clock.now };
  }

  return {
    outcomesOf(tests) {
      const { subject, file } = tests.prepared;
      if (subject === undefined) return undefined;
      const run = outcomes.get(tests) ?? runTests(file, subject, worldOf(tests));
      outcomes.set(tests, run);
      return run;
    },
    coverageOf: coveredOf,
    claimsOf: (tests) => searchOf(tests).results,
    searchClaims: (tests) => searchOf(tests).done,
  };
}
