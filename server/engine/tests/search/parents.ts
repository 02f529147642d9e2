/** Adds the rows that foreign keys require, because the database of a counterexample could not exist without them. */
import { append } from '../../ground/append.ts';
import type { Catalog, CatalogTable, ColumnReference } from '../../model/catalog.ts';
import type { SourceValue } from '../../plan/values/source.ts';
import type { TestedRow } from '../rowIndex.ts';
import type { TestSubject } from '../subject.ts';
import { type SearchCandidate, valueKey } from './candidates.ts';

/** The maximum number of added rows, which ends long chains of references. */
const mostAdded = 20;

/** Returns the same candidate if no row is missing. */
export function withParents(
  candidate: SearchCandidate,
  catalog: Catalog | undefined,
  subject: TestSubject,
): SearchCandidate {
  const rows = [...candidate.rows];
  for (let index = 0; index < rows.length && rows.length < candidate.rows.length + mostAdded; index++) {
    const row = rows[index];
    if (row !== undefined) append(rows, missingParents(row, rows, catalog, subject));
  }
  return rows.length === candidate.rows.length ? candidate : { ...candidate, rows };
}

function missingParents(
  row: TestedRow,
  rows: readonly TestedRow[],
  catalog: Catalog | undefined,
  subject: TestSubject,
): readonly TestedRow[] {
  const { defaultSchema } = subject.config.surroundings;
  const table = tableNamed(row.table, catalog, subject);
  return [...(table?.columns.values() ?? [])].flatMap(({ name, references }) => {
    const value = row.values[name] ?? null;
    if (references === undefined || value === null) return [];
    const parent = nameOf(references, defaultSchema);
    const column = references.column ?? 'id';
    const exists = rows.some(
      (each) => each.table === parent && valueKey(each.values[column] ?? null) === valueKey(value),
    );
    return exists ? [] : [{ table: parent, id: idFrom(value), values: { id: value, [column]: value } }];
  });
}

function tableNamed(
  name: string,
  catalog: Catalog | undefined,
  subject: TestSubject,
): CatalogTable | undefined {
  const source = subject.tableNamed(name);
  return catalog?.tables.find((each) => each.schema === source.schema && each.name === source.name);
}

function nameOf({ schema, table }: ColumnReference, defaultSchema: string): string {
  return schema === defaultSchema ? table : `${schema}.${table}`;
}

function idFrom(value: SourceValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
