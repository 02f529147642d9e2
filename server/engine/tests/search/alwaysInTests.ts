/** Holds a claim against all rows that users have in the tests, at each step. */
import type { Catalog } from '../../model/catalog.ts';
import type { TestMoment } from '../outcomes.ts';
import type { TestSubject } from '../subject.ts';
import type { AlwaysClaim } from '../testFile.ts';
import { type ClaimJudge, columnsByTable, questionOf, readClaimOf } from './always.ts';
import type { SearchCandidate } from './candidates.ts';
import { classifyPlan, openClasses } from './classes.ts';

/** A larger database takes SQLite too long for each of its rows. */
const mostRows = 2_000;

interface ClaimInTests {
  /** To be called at each moment of a run. */
  readonly observe: (moment: TestMoment) => void;
  /** The first row for which the claim does not hold, or why it cannot be read. */
  readonly result: () =>
    | { readonly candidate: SearchCandidate; readonly test: string }
    | { readonly reason: string }
    | undefined;
}

export function watchClaim(
  claim: AlwaysClaim,
  subject: TestSubject,
  catalog: Catalog | undefined,
  judge: ClaimJudge,
): ClaimInTests {
  const classes = openClasses();
  for (const plan of subject.plans) classifyPlan(plan, subject.config.surroundings.defaultSchema, classes);
  const reading = readClaimOf(claim, classes, subject, catalog);
  const columns = columnsByTable(classes, catalog, subject, reading.tables);
  let found: ReturnType<ClaimInTests['result']>;
  return {
    observe({ test, asking, database, device }) {
      if (found !== undefined || database.rows.length > mostRows) return;
      const given = device.tables.get(claim.table.value);
      if (given === undefined) return;
      for (const main of database.rows) {
        if (!given.has(main.id) || !subject.feeds(main.table, claim.table.value)) continue;
        const candidate = { rows: database.rows, main, asking };
        const answer = judge(questionOf(candidate, claim, reading, columns, subject));
        if (answer === 'holds') continue;
        found = typeof answer === 'object' ? answer : { candidate, test: test.name.value };
        return;
      }
    },
    result: () => found,
  };
}
