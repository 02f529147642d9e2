/** Explains which rows of a test each user has at each step, row by row, with places in the config. */
import type { FailureReason, TestMoment } from './outcomes.ts';
import { whyAbsent, whyPresent } from './reasons.ts';
import { runTests, type TestWorld } from './run.ts';
import type { TestSubject } from './subject.ts';
import type { TestFile } from './testFile.ts';

interface ExplainedMoment {
  readonly test: string;
  readonly user: string;
  readonly rows: readonly ExplainedTestRow[];
  /** Whether some rows are missing because there are too many. */
  readonly isCut: boolean;
}

interface ExplainedTestRow {
  /** The name of the table on clients. */
  readonly table: string;
  readonly id: string;
  readonly isGiven: boolean;
  readonly reasons: readonly FailureReason[];
}

/** The maximum number of rows for one user at one step. A longer list would not be read. */
const mostRows = 200;

export function explainTests(
  file: TestFile,
  subject: TestSubject,
  { seeds }: Pick<TestWorld, 'seeds'>,
): readonly ExplainedMoment[] {
  const moments: ExplainedMoment[] = [];
  runTests(file, subject, { seeds, observe: (moment) => moments.push(explainMoment(moment)) });
  return moments;
}

function explainMoment(moment: TestMoment): ExplainedMoment {
  const { test, user, subject, device, database } = moment;
  const clientTables = new Set(
    subject.plans.flatMap(({ sources }) =>
      sources.flatMap(({ rules }) => rules.map(({ outputTable, table }) => outputTable ?? table.name.text)),
    ),
  );
  const rows: ExplainedTestRow[] = [];
  for (const table of clientTables) {
    const ids = new Set(database.rows.flatMap((row) => subject.idsOf(row.table, row.values, table)));
    for (const id of ids) {
      if (rows.length >= mostRows) return { test: test.name.value, user, rows, isCut: true };
      const isGiven = device.tables.get(table)?.has(id) === true;
      const reasons = isGiven ? whyPresent(table, id, moment) : whyAbsent(table, id, user, moment);
      rows.push({ table, id, isGiven, reasons });
    }
  }
  return { test: test.name.value, user, rows, isCut: false };
}
