/** Checks a claim against all rows that users have in the tests, at each step. */
import type { Catalog } from '../../model/catalog.ts';
import { hasRow } from '../device.ts';
import type { TestMoment } from '../outcomes.ts';
import type { TestSubject } from '../subject.ts';
import { clientTablesMeant } from '../tableMeaning.ts';
import type { AlwaysClaim } from '../testFile.ts';
import { type ClaimJudge, classifyPlans, columnsByTable, questionOf, readClaimOf } from './always.ts';
import type { SearchCandidate } from './candidates.ts';
import { withParents } from './parents.ts';
import { asClientsKnow } from './reaching.ts';

/** The maximum number of rows, because checking each row of a larger database takes SQLite too long. */
export const mostRowsOfTests = 2_000;

interface ClaimInTests {
  /** Checks a moment of a test run. Called for every moment. */
  readonly observe: (moment: TestMoment) => void;
  /** Returns the first row for which the claim does not hold, or the reason why the claim cannot be read. */
  readonly result: () =>
    | {
        readonly candidate: SearchCandidate;
        readonly clientTable: string;
        readonly test: string;
        readonly user: string;
      }
    | { readonly reason: string }
    | undefined;
  /** Whether some rows of the tests were not checked because there are too many. */
  readonly hasSkipped: () => boolean;
}

export function watchClaim(
  claim: AlwaysClaim,
  subject: TestSubject,
  catalog: Catalog | undefined,
  judge: ClaimJudge,
): ClaimInTests {
  const classes = classifyPlans(subject);
  const reading = readClaimOf(claim, classes, { subject, catalog, source: claim.table.value });
  const columns = columnsByTable(classes, catalog, subject, reading.tables);
  let found: ReturnType<ClaimInTests['result']>;
  let hasSkipped = false;
  return {
    observe({ test, user, asking, database, device }) {
      if (found !== undefined) return;
      if (database.size > mostRowsOfTests) {
        hasSkipped = true;
        return;
      }
      for (const main of database.rows) {
        const clientTable = clientTablesMeant(claim.table.value, main.table, subject).find((table) =>
          hasRow(device, main, [table], subject),
        );
        if (clientTable === undefined) continue;
        const candidate = { rows: database.rows, main, asking };
        const ask = (asked: SearchCandidate) => judge(questionOf(asked, claim, reading, columns, subject));
        const first = ask(candidate);
        // A test may leave out rows that the source has because of its foreign keys.
        const answer = first === 'does not hold' ? ask(withParents(candidate, catalog, subject)) : first;
        if (answer === 'holds') continue;
        found =
          typeof answer === 'object'
            ? answer
            : {
                candidate: asClientsKnow(candidate, clientTable, subject),
                clientTable,
                test: test.name.value,
                user,
              };
        return;
      }
    },
    result: () => found,
    hasSkipped: () => hasSkipped,
  };
}
