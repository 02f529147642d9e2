/** The claims of a file: held against all rows of its tests, then searched for a counterexample, and what came of that in words. */
import type { TestFailure, TestMoment } from '../outcomes.ts';
import type { PreparedTests } from '../prepare.ts';
import { failureOfName } from '../run.ts';
import type { AlwaysClaim } from '../testFile.ts';
import { type ClaimJudge, type ClaimSearch, explainCandidate, searchClaim } from './always.ts';
import { mostRowsOfTests, watchClaim } from './alwaysInTests.ts';
import type { SearchCandidate } from './candidates.ts';
import type { InTurns, SearchLimits } from './search.ts';

export interface ClaimResult {
  readonly claim: AlwaysClaim;
  readonly failure?: TestFailure;
  /** What shows that it does not hold, if the search has found it: the tests have others already. */
  readonly candidate?: SearchCandidate;
  /** How far it was searched. */
  readonly note?: string;
}

export interface ClaimsOfFile {
  /** To be called at each moment of a run of the tests, before any result is asked for. */
  readonly observe: (moment: TestMoment) => void;
  readonly resultOf: (claim: AlwaysClaim, limits: SearchLimits) => InTurns<ClaimResult>;
}

type Runnable = PreparedTests & { readonly subject: NonNullable<PreparedTests['subject']> };

export function openClaims({ file, findings, subject, catalog }: Runnable, judge: ClaimJudge): ClaimsOfFile {
  const watches = new Map(file.always.map((claim) => [claim, watchClaim(claim, subject, catalog, judge)]));
  return {
    observe(moment) {
      for (const watch of watches.values()) watch.observe(moment);
    },
    *resultOf(claim, limits) {
      const misnamed = failureOfName(claim.table.span, findings) ?? failureOfName(claim.holds.span, findings);
      if (misnamed !== undefined) return { claim, failure: misnamed };
      const watch = watches.get(claim);
      const inTests = watch?.result();
      if (inTests !== undefined && 'reason' in inTests) return unreadable(claim, inTests.reason);
      if (inTests !== undefined) {
        const { main } = inTests.candidate;
        return {
          claim,
          failure: failureAt(
            claim.name.span,
            `It does not hold for ${main.table} ${main.id}, which ${inTests.user} gets in the test "${inTests.test}".`,
            explainCandidate(inTests.candidate, claim.table.value, subject),
          ),
        };
      }
      const found = yield* searchClaim(claim, subject, catalog, judge, limits);
      if (found.kind === 'unreadable') return unreadable(claim, found.reason);
      if (found.kind === 'none found')
        return { claim, note: `${noteOf(found)}${watch?.hasSkipped() ? withoutLargeTests : ''}` };
      return {
        claim,
        candidate: found.candidate,
        failure: failureAt(
          claim.name.span,
          `A row of ${claim.table.value} reaches a device although this does not hold for it, through the stream ${found.stream}.`,
          explainCandidate(found.candidate, claim.table.value, subject),
        ),
      };
    },
  };
}

function unreadable(claim: AlwaysClaim, reason: string): ClaimResult {
  const message = `This is not a condition that SQLite can check: ${reason}`;
  return { claim, failure: failureAt(claim.holds.span, message, []) };
}

function failureAt(span: TestFailure['span'], message: string, reasons: TestFailure['reasons']): TestFailure {
  return { span, message, expected: '', actual: '', reasons };
}

const withoutLargeTests = `; not checked on the rows of tests with more than ${mostRowsOfTests.toLocaleString('en-US')} rows`;

/** Nothing is called proven that was not gone through. */
function noteOf({ tried, isExhausted, rows }: ClaimSearch & { kind: 'none found' }): string {
  const count = `${tried.toLocaleString('en-US')} ${tried === 1 ? 'database' : 'databases'}`;
  if (tried === 0)
    return isExhausted ? 'no row of the table can reach a device' : 'not searched: there was no time';
  const size = rows === 1 ? '1 row' : `${rows} rows`;
  return isExhausted
    ? `no counterexample in ${count} of up to ${size}: all combinations of the values were tried`
    : `no counterexample in ${count} of up to ${size}; not all combinations were tried`;
}
