/** Finds rows that the source would not store as a test writes them, so that their result would say nothing about the source. */
import type { Args, Finding } from '../diagnostics/diagnostics.ts';
import type { Catalog, CatalogColumn } from '../model/catalog.ts';
import type { SourceValue } from '../plan/values/source.ts';
import type { Span } from '../text/span.ts';
import { decidingColumns } from './decidingColumns.ts';
import { storedValue } from './stored/storedValue.ts';
import { catalogTable, type TestSubject } from './subject.ts';
import type { AlwaysClaim, TestFile, TestRow } from './testFile.ts';

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
    ...inserted.flatMap((row) => missingValues(row, file, subject, catalog)),
  ];
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
function missingValues(
  row: TestRow,
  file: TestFile,
  subject: TestSubject,
  catalog: Catalog | undefined,
): readonly Finding[] {
  const table = catalogTable(row.table.value, subject, catalog);
  // The name of an unknown column may be a misspelt one.
  if (row.columns.some(({ value: name }) => !table?.columns.has(name))) return [];
  const missing = [...(table?.columns.values() ?? [])].filter(({ name }) => !Object.hasOwn(row.values, name));
  const read = missing.length === 0 ? new Set<string>() : decidingColumns(row.table.value, subject);
  return missing.flatMap(({ name, nullable, default: filled }) => {
    const decides = read.has(name) || file.always.some((claim) => mentions(claim, row.table.value, name));
    if (!decides) return [];
    const triggers = table?.filledByTriggers ?? [];
    const isTriggered = triggers === 'any' || triggers.includes(name);
    if (filled === 'computed' || (filled === undefined && isTriggered))
      return [finding(row.span, { column: name, problem: 'computed' })];
    return nullable === false && filled === undefined
      ? [finding(row.span, { column: name, problem: 'missing' })]
      : [];
  });
}

/** Whether a claim may read the column. Without a query of its own, it reads only rows of its table. */
function mentions({ table, holds }: AlwaysClaim, ofTable: string, column: string): boolean {
  const words = holds.value.toLowerCase().split(/[^\p{L}\p{N}_$]+/u);
  return words.includes(column.toLowerCase()) && (table.value === ofTable || words.includes('select'));
}
