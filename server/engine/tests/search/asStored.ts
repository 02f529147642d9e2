/** Decides whether the source could have the rows of a witness. A row that the source would refuse shows nothing about it. */
import type { Catalog, CatalogColumn } from '../../model/catalog.ts';
import type { ValueOptions } from '../../plan/values/postgres/convert.ts';
import type { SourceValue } from '../../plan/values/source.ts';
import type { TestedRow } from '../rowIndex.ts';
import { storedValue } from '../stored/storedValue.ts';
import { typeReader } from '../stored/typeReaders.ts';
import { catalogTable, type TestSubject } from '../subject.ts';
import { storedValues } from '../wholeRows.ts';
import type { SearchCandidate } from './candidates.ts';
import type { ModelLimit } from './model.ts';

/** Returns a sentence if it is not known which rows the source refuses, so that it may not have the rows of a witness. */
export function doubtAbout(
  { rows }: Pick<SearchCandidate, 'rows'>,
  subject: Pick<TestSubject, 'tableNamed'>,
  catalog: Catalog | undefined,
): string | undefined {
  const isOpen = ({ table }: TestedRow): boolean =>
    catalogTable(table, subject, catalog)?.areRulesUnknown === true;
  const tables = [...new Set(rows.filter(isOpen).map(({ table }) => table))];
  return tables.length === 0
    ? undefined
    : `The known schema does not contain the constraints of ${tables.join(', ')}, so the source may not be able to have these rows.`;
}

interface Surroundings {
  readonly subject: TestSubject;
  readonly catalog: Catalog | undefined;
  readonly limits: Set<ModelLimit>;
}

/**
 * Whether the source can have the rows of a witness, and they are still a witness in their stored form. If not, there is no proof
 * either, because the tried values may not represent all that the source can have.
 */
export function isPossible(
  candidate: SearchCandidate,
  isWitness: (stored: SearchCandidate) => boolean,
  { subject, catalog, limits }: Surroundings,
): boolean {
  const stored = asStored(candidate, subject, catalog);
  if (stored !== undefined && isWitness(stored)) return true;
  limits.add('types');
  return false;
}

/** Returns the candidate with the rows as the source would store them; undefined if it would refuse one of them. */
function asStored(
  candidate: SearchCandidate,
  subject: TestSubject,
  catalog: Catalog | undefined,
): SearchCandidate | undefined {
  const { options } = subject.config.surroundings;
  const stored = new Map<TestedRow, TestedRow>();
  for (const row of [...candidate.rows, candidate.main]) {
    const known = catalogTable(row.table, subject, catalog)?.columns;
    // An id that no condition compares has a readable name, whatever its type.
    const { id, ...others } = row.values;
    for (const [name, value] of Object.entries(others))
      if (!isStorable(value, known?.get(name), options)) return undefined;
    const values = storedValues(row.table, others, subject, catalog);
    stored.set(row, { ...row, values: id === undefined ? values : { ...values, id } });
  }
  const toStored = (row: TestedRow): TestedRow => stored.get(row) ?? row;
  return { ...candidate, rows: candidate.rows.map(toStored), main: toStored(candidate.main) };
}

/** Whether a column can contain the value, as far as it has one of the usual types. */
function isStorable(value: SourceValue, column: CatalogColumn | undefined, options: ValueOptions): boolean {
  if (column === undefined) return true;
  if (value === null) return column.nullable !== false;
  const { kind } = storedValue(value, column, options);
  const isUnusual = kind === 'unknown' && typeof value === 'string';
  return kind !== 'refused' && !(isUnusual && typeReader(column.sourceType ?? '') !== undefined);
}
