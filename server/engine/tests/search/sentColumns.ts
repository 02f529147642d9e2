/** Finds the columns of a row that one config sends and the other does not send, or sends with another value. */
import type { Catalog, CatalogTable } from '../../model/catalog.ts';
import { columnText } from '../../plan/dump.ts';
import { canBecome } from '../../plan/evaluate/patterns.ts';
import { columnsIn } from '../../plan/expression.ts';
import type { StreamPlan } from '../../plan/plan.ts';
import { rowRulesOf } from '../../plan/rowRules.ts';
import { isJsonObject, readJson, writeJson } from '../../plan/values/json.ts';
import type { SourceValue } from '../../plan/values/source.ts';
import type { DeviceRow } from '../device.ts';
import { catalogTable, type TestSubject } from '../subject.ts';
import type { SearchCandidate } from './candidates.ts';

/** Whether queries for the same client table write different columns. */
export function canDifferInColumns(plans: readonly StreamPlan[], table: string): boolean {
  const lists = rowRulesOf(plans).flatMap((rule) =>
    canBecome(rule, table) ? [rule.columns.map(columnText).join()] : [],
  );
  return new Set(lists).size > 1;
}

/** Returns the names of columns whose value is not in `others`. */
export function columnsBesides(
  own: readonly DeviceRow[],
  others: Iterable<readonly DeviceRow[]>,
): readonly string[] {
  const known = new Set<string>();
  for (const rows of others)
    for (const [name, value] of rows.flatMap(columnsOf)) known.add(`${name}\0${value}`);
  const more = own.flatMap(columnsOf).filter(([name, value]) => !known.has(`${name}\0${value}`));
  return [...new Set(more.map(([name]) => name))];
}

function columnsOf({ data }: DeviceRow): readonly (readonly [name: string, value: string])[] {
  return data.flatMap((each) => {
    const row = readJson(each);
    return isJsonObject(row)
      ? Object.entries(row).map(([name, value]) => [name, writeJson(value)] as const)
      : [];
  });
}

/** The name for all unknown columns together. */
const unknownColumn = 'other columns';

/** Returns the candidate with a value in each known or read column of its main row, to see which of them arrive. */
export function withAllColumns(
  candidate: SearchCandidate,
  plans: readonly StreamPlan[],
  subject: TestSubject,
  catalog: Catalog | undefined,
): SearchCandidate {
  const { main, rows } = candidate;
  const table = catalogTable(main.table, subject, catalog);
  const read = rowRulesOf(plans)
    .flatMap(({ columns }) => columns)
    .flatMap((column) => (column.kind === 'column' ? columnsIn(column.value) : []));
  const names =
    table === undefined || table.open
      ? [...(table?.columns.keys() ?? []), ...read, unknownColumn]
      : [...table.columns.keys()];
  const filled = Object.fromEntries(names.map((name) => [name, valueFor(name, table)]));
  const whole = { ...main, values: { ...filled, ...main.values } };
  return { ...candidate, main: whole, rows: rows.map((row) => (row === main ? whole : row)) };
}

function valueFor(name: string, table: CatalogTable | undefined): SourceValue {
  switch (table?.columns.get(name)?.type) {
    case 'integer':
      return 7n;
    case 'real':
      return 7.5;
    default:
      return `the ${name}`;
  }
}
