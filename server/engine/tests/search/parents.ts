/** Adds the rows that foreign keys require, because the database of a counterexample could not exist without them. */
import { append } from '../../ground/append.ts';
import type { Catalog, CatalogColumn } from '../../model/catalog.ts';
import type { SourceRow, SourceValue } from '../../plan/values/source.ts';
import { decidingColumns } from '../decidingColumns.ts';
import type { TestedRow } from '../rowIndex.ts';
import { catalogTable, nameInTests, type TestSubject } from '../subject.ts';
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
  const table = catalogTable(row.table, subject, catalog);
  const single = [...(table?.columns.values() ?? [])].flatMap(({ name, references }) => {
    if (references === undefined) return [];
    const { column = 'id', ...parent } = references;
    return [{ ...parent, columns: [name], parentColumns: [column] }];
  });
  return [...single, ...(table?.keys ?? [])].flatMap(({ columns, parentColumns, ...referred }) => {
    const own = columns.map((name) => row.values[name] ?? null);
    const [first = null] = own;
    if (own.includes(null)) return [];
    const parent = nameInTests({ schema: referred.schema, name: referred.table }, defaultSchema);
    const exists = rows.some(
      ({ table: of, values }) =>
        of === parent &&
        parentColumns.every((name, at) => valueKey(values[name] ?? null) === valueKey(own[at] ?? null)),
    );
    const key = Object.fromEntries(parentColumns.map((name, at) => [name, own[at] ?? null]));
    const values = { ...requiredValues(parent, catalog, subject), id: first, ...key };
    return exists ? [] : [{ table: parent, id: idFrom(values.id ?? first), values }];
  });
}

/** Returns values for the columns that cannot be NULL and that conditions read. */
function requiredValues(name: string, catalog: Catalog | undefined, subject: TestSubject): SourceRow {
  const deciding = decidingColumns(name, subject);
  const columns = [...(catalogTable(name, subject, catalog)?.columns.values() ?? [])].filter(
    (column) => deciding.has(column.name) && column.nullable === false,
  );
  return Object.fromEntries(columns.map((column) => [column.name, sampleOf(column)]));
}

function sampleOf({ type, sourceType = '', values }: CatalogColumn): SourceValue {
  if (type === 'integer') return 0n;
  if (type === 'real') return 0;
  if (/^uuid$/i.test(sourceType)) return '00000000-0000-4000-8000-000000000000';
  if (/^(?:date|timestamp)/i.test(sourceType)) return '2024-01-01';
  if (/^(?:numeric|decimal)/i.test(sourceType)) return '0';
  if (/^jsonb?$|\[/i.test(sourceType)) return '[]';
  return values?.[0] ?? 'any';
}

function idFrom(value: SourceValue): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
