/** Finds rows that the source would not store as a test writes them, so that their result would say nothing about the source. */
import type { Args, Finding } from '../diagnostics/diagnostics.ts';
import type { Catalog, CatalogColumn, CatalogTable, TriggerEvent } from '../model/catalog.ts';
import type { SourceValue } from '../plan/values/source.ts';
import type { Span } from '../text/span.ts';
import { decidingColumns } from './decidingColumns.ts';
import { storedValue } from './stored/storedValue.ts';
import { catalogTable, type TestSubject } from './subject.ts';
import type { TestFile, TestRow } from './testFile.ts';

export function unstorableRows(
  file: TestFile,
  subject: TestSubject,
  catalog: Catalog | undefined,
): readonly Finding[] {
  const changes = file.tests.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.kind === 'insert' || step.kind === 'update' ? [step] : [])),
  );
  const inserted = [
    file.rows,
    ...changes.filter(({ kind }) => kind === 'insert').map(({ rows }) => rows),
  ].flat();
  const updated = changes.filter(({ kind }) => kind === 'update').flatMap(({ rows }) => rows);
  return [
    ...[...inserted, ...updated].flatMap((row) => wrongValues(row, subject, catalog)),
    ...inserted.flatMap((row) => missingValues(row, { file, subject, catalog })),
    ...updated.flatMap((row) => refilledValues(row, { file, subject, catalog })),
  ];
}

interface Surroundings {
  readonly file: TestFile;
  readonly subject: TestSubject;
  readonly catalog: Catalog | undefined;
}

function finding(span: Span, args: Args<'test-unstorable-row'>): Finding {
  return { code: 'test-unstorable-row', span, args };
}

function wrongValues(
  { table, columns, values }: TestRow,
  subject: TestSubject,
  catalog: Catalog | undefined,
): readonly Finding[] {
  const known = catalogTable(table.value, subject, catalog)?.columns;
  return columns.flatMap(({ value: name, ofValue }) => {
    const column = known?.get(name);
    const value = values[name];
    if (column === undefined || value === undefined) return [];
    if (value === null)
      return column.nullable === false ? [finding(ofValue, { column: name, problem: 'null' })] : [];
    const { kind } = storedValue(value, column, subject.config.surroundings.options);
    return kind === 'refused' ? [finding(ofValue, { column: name, ...problemOf(value, column) })] : [];
  });
}

function problemOf(
  value: SourceValue,
  { values, sourceType: type = '' }: CatalogColumn,
): Pick<Args<'test-unstorable-row'>, 'problem' | 'type'> {
  return values?.includes(String(value)) === false ? { problem: 'list' } : { problem: 'type', type };
}

/** Reports columns without a value, if the rows of clients depend on them and their value in the source is unknown. */
function missingValues(row: TestRow, { file, subject, catalog }: Surroundings): readonly Finding[] {
  const table = catalogTable(row.table.value, subject, catalog);
  // The name of an unknown column may be a misspelt one.
  if (table === undefined || row.columns.some(({ value: name }) => !table.columns.has(name))) return [];
  return unnamedColumns(row, table, { file, subject }).flatMap(({ name, nullable, default: filled }) => {
    if (filled === 'computed' || (filled === undefined && isFilledBy(table, 'insert', name)))
      return [finding(row.span, { column: name, problem: 'computed' })];
    if (table.areRulesUnknown) return [finding(row.span, { column: name, problem: 'unknown' })];
    return nullable === false && filled === undefined
      ? [finding(row.span, { column: name, problem: 'missing' })]
      : [];
  });
}

/** Reports columns that an update does not name, if the rows of clients depend on them and triggers may fill them. */
function refilledValues(row: TestRow, { file, subject, catalog }: Surroundings): readonly Finding[] {
  const table = catalogTable(row.table.value, subject, catalog);
  if (table === undefined) return [];
  return unnamedColumns(row, table, { file, subject })
    .filter(({ name }) => isFilledBy(table, 'update', name))
    .map(({ name }) => finding(row.span, { column: name, problem: 'computed' }));
}

/** Returns the columns that the row does not name, although the rows of clients depend on them. */
function unnamedColumns(
  row: TestRow,
  { columns }: CatalogTable,
  { file, subject }: Pick<Surroundings, 'file' | 'subject'>,
): readonly CatalogColumn[] {
  const read = decidingColumns(row.table.value, subject);
  return [...columns.values()].filter(
    ({ name }) => !Object.hasOwn(row.values, name) && (read.has(name) || isClaimed(file, row, name)),
  );
}

/** Whether a claim may read the column of the row. Without a query of its own, it reads only rows of its table. */
function isClaimed({ always }: TestFile, row: TestRow, column: string): boolean {
  return always.some(({ table, holds }) => {
    const words = holds.value.toLowerCase().split(/[^\p{L}\p{N}_$]+/u);
    const isRead = table.value === row.table.value || words.includes('select');
    return isRead && words.includes(column.toLowerCase());
  });
}

function isFilledBy({ triggers = [] }: CatalogTable, event: TriggerEvent, column: string): boolean {
  return triggers.some(
    ({ events, fills }) => events.includes(event) && (fills === 'any' || fills.includes(column)),
  );
}
