/** Judges the claims of a file: checks them against all rows of its tests, searches for counterexamples, and words the results. */
import type { TestFailure, TestMoment } from '../outcomes.ts';
import type { PreparedTests } from '../prepare.ts';
import { failureOfName } from '../run.ts';
import type { AlwaysClaim } from '../testFile.ts';
import { type ClaimJudge, explainCandidate, type SearchedClaim, searchClaim } from './always.ts';
import { mostRowsOfTests, watchClaim } from './alwaysInTests.ts';
import { doubtAbout } from './asStored.ts';
import type { SearchCandidate } from './candidates.ts';
import { limitsText } from './model.ts';
import type { InTurns, SearchLimits } from './search.ts';

/** The verdict. A claim that is *not refuted* may still be false. */
export type ClaimVerdict = 'proven' | 'refuted' | 'not refuted';

export interface ClaimResult {
  readonly claim: AlwaysClaim;
  readonly failure?: TestFailure;
  /** The client table in which the candidate's row arrives. */
  readonly clientTable?: string;
  /** The counterexample that the search found. Absent if it is from the tests, which already contain it. */
  readonly candidate?: SearchCandidate;
  /** The verdict: it holds for every database, fails for one of them, or is not refuted. */
  readonly verdict: ClaimVerdict;
  /** The extent of the search. If the claim was not refuted, also the reason why it is not proven. */
  readonly note?: string;
}

export interface ClaimsOfFile {
  /** Must be called at each moment of a test run, before the first result is requested. */
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
      if (misnamed !== undefined) return { claim, verdict: 'not refuted', failure: misnamed };
      const watch = watches.get(claim);
      const inTests = watch?.result();
      if (inTests !== undefined && 'reason' in inTests) return unreadable(claim, inTests.reason);
      if (inTests !== undefined) {
        const { main } = inTests.candidate;
        return {
          claim,
          verdict: 'refuted',
          failure: failureAt(
            claim.name.span,
            `The claim does not hold for ${main.table} ${main.id}, which ${inTests.user} gets in the test "${inTests.test}".`,
            explainCandidate(inTests.candidate, inTests.clientTable, subject),
          ),
        };
      }
      const found = yield* searchClaim(claim, subject, catalog, judge, limits);
      if (found.kind === 'unreadable') return unreadable(claim, found.reason);
      if (found.kind !== 'counterexample')
        return {
          claim,
          verdict: found.kind,
          note: `${noteOf(found)}${watch?.hasSkipped() ? withoutLargeTests : ''}`,
        };
      const doubt = doubtAbout(found.candidate, subject, catalog);
      return {
        claim,
        verdict: 'refuted',
        candidate: found.candidate,
        clientTable: found.clientTable,
        failure: failureAt(
          claim.name.span,
          `The stream ${found.stream} sends a row of ${claim.table.value} for which the claim does not hold.`,
          [
            ...explainCandidate(found.candidate, found.clientTable, subject),
            ...(doubt === undefined ? [] : [{ text: doubt }]),
          ],
        ),
      };
    },
  };
}

function unreadable(claim: AlwaysClaim, reason: string): ClaimResult {
  const message = `This is not a condition that SQLite can check: ${reason}`;
  return { claim, verdict: 'not refuted', failure: failureAt(claim.holds.span, message, []) };
}

function failureAt(span: TestFailure['span'], message: string, reasons: TestFailure['reasons']): TestFailure {
  return { span, message, expected: '', actual: '', reasons };
}

const withoutLargeTests = `; tests with more than ${mostRowsOfTests.toLocaleString('en-US')} rows were not checked`;

function noteOf({ kind, tried, delivered, rows, limits }: SearchedClaim): string {
  const count = `${tried.toLocaleString('en-US')} ${tried === 1 ? 'database' : 'databases'}`;
  const size = rows === 1 ? '1 row' : `${rows} rows`;
  if (kind === 'proven') {
    if (delivered === 0) return 'proven: no row of the table can reach a device';
    return `proven: ${count} of up to ${size} ${tried === 1 ? 'represents' : 'represent'} all others`;
  }
  const searched =
    tried === 0
      ? 'not searched'
      : delivered === 0
        ? `in ${count}, no row of the table reached a device`
        : `no counterexample in ${count} of up to ${size}`;
  return `${searched}; no proof because of ${limitsText(limits)}`;
}
