/** Explains which rows of a test each user has at each step, row by row, with places in the config. */
import type { TestMoment } from './outcomes.ts';
import { whyAbsent, whyPresent } from './reasons.ts';
import { runTests, type TestWorld } from './run.ts';
import type { TestSubject } from './subject.ts';
import type { TestFile } from './testFile.ts';

/** The maximum number of rows for one user at one step. The list is cut there, because nobody would read a longer one. */
const mostRows = 200;

export function explainTests(file: TestFile, subject: TestSubject, { seeds }: Pick<TestWorld, 'seeds'>) {
  const moments: ReturnType<typeof explainMoment>[] = [];
  runTests(file, subject, { seeds, observe: (moment) => moments.push(explainMoment(moment)) });
  return moments;
}

function explainMoment(moment: TestMoment) {
  const { test, user, subject, device, database } = moment;
  const clientTables = new Set(
    subject.plans.flatMap(({ sources }) =>
      sources.flatMap(({ rules }) => rules.map(({ outputTable, table }) => outputTable ?? table.name.text)),
    ),
  );
  const ids = [...clientTables].flatMap((table) => {
    const own = new Set(database.rows.flatMap((row) => subject.idsOf(row.table, row.values, table)));
    return [...own].map((id) => ({ table, id }));
  });
  const rows = ids.slice(0, mostRows).map(({ table, id }) => {
    const isGiven = device.tables.get(table)?.has(id) === true;
    const reasons = isGiven ? whyPresent(table, id, moment) : whyAbsent(table, id, user, moment);
    return { table, id, isGiven, reasons };
  });
  return { test: test.name.value, user, rows, isCut: ids.length > mostRows };
}
