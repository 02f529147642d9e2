/** Completes rows as a database would: with its values for the columns that a test does not set, which clients also get. */
import type { Catalog, CatalogColumn, CompositeKey } from '../model/catalog.ts';
import { matchesTable } from '../plan/evaluate/patterns.ts';
import { columnsIn } from '../plan/expression.ts';
import { rowRulesOf } from '../plan/rowRules.ts';
import type { ValueOptions } from '../plan/values/postgres/convert.ts';
import type { SourceRow, SourceValue } from '../plan/values/source.ts';
import { rowId } from './rowIndex.ts';
import { storedValue } from './stored/storedValue.ts';
import { catalogTable, nameInTests, type TestSubject } from './subject.ts';
import type { TableReference, TestFile, TestRow, TestStep } from './testFile.ts';

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
  const { options } = subject.config.surroundings;
  const toStored = (row: TestRow): TestRow => {
    const values = storedValues(row.table.value, row.values, subject, catalog);
    return { ...row, values, id: rowId(values) || row.id };
  };
  const whole = (row: TestRow): TestRow => {
    const written = toStored(row);
    const missing = (columns.get(row.table.value) ?? []).filter((name) => !Object.hasOwn(row.values, name));
    if (missing.length === 0) return written;
    const known = catalogTable(row.table.value, subject, catalog)?.columns;
    const filled = missing.map((name) => [name, defaultOf(known?.get(name), options)]);
    return { ...written, values: { ...written.values, ...Object.fromEntries(filled) } };
  };
  const references = referencesOf(subject, catalog);
  const wholeStep = (step: TestStep): TestStep => {
    switch (step.kind) {
      case 'insert':
        return { ...step, rows: step.rows.map(whole) };
      case 'update':
        return { ...step, rows: step.rows.map(toStored) };
      case 'delete':
        return { ...step, references };
      case 'expect':
        return step;
    }
  };
  return {
    ...file,
    rows: file.rows.map(whole),
    tests: file.tests.map((test) => ({ ...test, steps: test.steps.map(wholeStep) })),
  };
}

/** Returns the values of a row as the source would store them, as far as that is certain. */
export function storedValues(
  table: string,
  values: SourceRow,
  subject: TestSubject,
  catalog: Catalog | undefined,
): SourceRow {
  const known = catalogTable(table, subject, catalog)?.columns;
  const stored = Object.entries(values).map(([name, value]) => {
    const judged = storedValue(value, known?.get(name) ?? {}, subject.config.surroundings.options);
    return [name, judged.kind === 'stored' ? judged.value : value];
  });
  return Object.fromEntries(stored);
}

/** Returns the value of a row that is inserted without one. A computed default is unknown, so it is NULL here. */
function defaultOf(column: CatalogColumn | undefined, options: ValueOptions): SourceValue {
  const constant = typeof column?.default === 'object' ? column.default.constant : null;
  const stored = storedValue(constant, column ?? {}, options);
  return stored.kind === 'stored' ? stored.value : constant;
}

function referencesOf({ config }: TestSubject, catalog: Catalog | undefined): readonly TableReference[] {
  const { defaultSchema, options } = config.surroundings;
  return (catalog?.tables ?? []).flatMap((table) => {
    const toReference = ({ columns, schema, table: name, ...key }: CompositeKey): TableReference => ({
      ...key,
      table: nameInTests(table, defaultSchema),
      columns,
      parent: nameInTests({ schema, name }, defaultSchema),
      fallbacks: columns.map((column) => defaultOf(table.columns.get(column), options)),
    });
    const single = [...table.columns.values()].flatMap(({ name, references }): CompositeKey[] => {
      if (references?.onDelete === undefined) return [];
      const { column = 'id', onDelete, ...parent } = references;
      return [{ ...parent, columns: [name], parentColumns: [column], onDelete }];
    });
    return [...single, ...(table.keys ?? [])].map(toReference);
  });
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
