/** Completes rows as a database would: a column that a test does not set is NULL, and clients also get that. */
import type { Catalog } from '../model/catalog.ts';
import { matchesTable } from '../plan/evaluate/patterns.ts';
import { columnsIn } from '../plan/expression.ts';
import { rowRulesOf } from '../plan/rowRules.ts';
import type { TestSubject } from './subject.ts';
import type { TestFile, TestRow, TestStep } from './testFile.ts';

export function wholeRows(file: TestFile, subject: TestSubject, catalog: Catalog | undefined): TestFile {
  const written = new Map<string, Set<string>>();
  for (const { table, columns } of [
    file.rows,
    ...file.tests.flatMap(({ steps }) => steps.map(insertedBy)),
  ].flat()) {
    const known = written.get(table.value) ?? new Set();
    written.set(table.value, known);
    for (const { value } of columns) known.add(value);
  }
  const columns = new Map(
    [...written].map(([table, own]) => [table, [...columnsOf(table, own, subject, catalog)]]),
  );
  const whole = (row: TestRow): TestRow => {
    const missing = (columns.get(row.table.value) ?? []).filter((name) => !Object.hasOwn(row.values, name));
    if (missing.length === 0) return row;
    const empty = Object.fromEntries(missing.map((name) => [name, null]));
    return { ...row, values: { ...row.values, ...empty } };
  };
  return {
    ...file,
    rows: file.rows.map(whole),
    tests: file.tests.map((test) => ({
      ...test,
      steps: test.steps.map((step) =>
        step.kind === 'insert' ? { ...step, rows: step.rows.map(whole) } : step,
      ),
    })),
  };
}

function insertedBy(step: TestStep): readonly TestRow[] {
  return step.kind === 'insert' ? step.rows : [];
}

/**
 * Returns the columns of a table. If the table is unknown, these are the columns of the file's rows, or the columns that queries
 * give to clients.
 */
function columnsOf(
  name: string,
  written: ReadonlySet<string>,
  { tableNamed, plans }: TestSubject,
  catalog: Catalog | undefined,
): ReadonlySet<string> {
  const table = tableNamed(name);
  const known =
    catalog?.tables.filter((each) => each.schema === table.schema && each.name === table.name) ?? [];
  const rules = rowRulesOf(plans);
  const named = rules
    .filter(({ table: pattern }) => matchesTable(pattern, table))
    .flatMap(({ columns }) =>
      columns.flatMap((each) => (each.kind === 'column' ? columnsIn(each.value) : [])),
    );
  const all = new Set(known.flatMap(({ columns }) => [...columns.keys()]));
  if (known.length === 0 || known.some(({ open }) => open))
    for (const each of [...written, ...named]) all.add(each);
  // The `id` only identifies the row here, and the table has no column with that name.
  all.delete('id');
  return all;
}
