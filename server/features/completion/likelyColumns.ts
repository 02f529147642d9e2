/**
 * Sorts the columns of a table by likelihood: in a SELECT list, by their order in the table; in comparisons, keys and states first.
 */
import { oncePer } from '../../engine/ground/oncePer.ts';
import type { Analysis } from '../../engine/index.ts';
import { nameKey } from '../../engine/model/scope.ts';
import { keyNameOf, namesUser } from '../../engine/names/relations.ts';
import type { VisibleColumn, VisibleTable } from '../../engine/names/visible.ts';
import { columnsInWhere, textFactsOf } from '../reading/facts.ts';
import { type TextRun, textRunsOf } from '../reading/sqlTexts.ts';
import { comparedColumn } from './compared.ts';
import type { SqlContext } from './sqlContext.ts';

export function inOrderOfUse(
  context: SqlContext,
  table: Pick<VisibleTable, 'name' | 'columns'>,
): readonly VisibleColumn[] {
  const { position } = context;
  const columns = table.columns.filter((column) => !isHalfTyped(context, column));
  if (position.clause !== 'columns' || position.calls.length > 0) return forConditions(context, columns);
  const inner = position.queries.length > 1 && position.queries.at(-1)?.isSource === false;
  return inner ? keysFirst(context, columns) : afterSelected(context, table.name, columns);
}

/** Whether a column is only the word at the cursor, which does not count unless the source has the column. */
function isHalfTyped({ place, position }: SqlContext, { name, known }: VisibleColumn): boolean {
  return (
    known === undefined && position.start < place.at && name === place.text.slice(position.start, place.at)
  );
}

/** Sorts the columns: those after the last selected one come first, and selected columns come last. */
function afterSelected(
  context: SqlContext,
  table: string,
  columns: readonly VisibleColumn[],
): readonly VisibleColumn[] {
  const selected = selectedNames(context, table);
  const last = columns.findIndex(({ name }) => name === [...selected].at(-1)) + 1;
  const turned = [...columns.slice(last), ...columns.slice(0, last)];
  const [next, ...others] = turned.filter(({ name }) => !selected.has(name));
  return [
    ...(next ? [next] : []),
    // Clients need an id.
    ...others.toSorted((a, b) => Number(b.name === 'id') - Number(a.name === 'id')),
    ...turned.filter(({ name }) => selected.has(name)),
  ];
}

/** Returns the names that the query selects, without the word at the cursor. The name before the cursor is the last one. */
export function selectedNames({ query, place }: SqlContext, table?: string): ReadonlySet<string> {
  const named = (query?.columns ?? []).flatMap(({ expr }) =>
    expr.kind === 'reference' && !(expr.span.start <= place.at && place.at <= expr.span.end) ? [expr] : [],
  );
  const ofTable = named.filter(
    (expr) => table === undefined || expr.table === undefined || nameKey(expr.table.text) === nameKey(table),
  );
  const [before, behind] = [true, false].map((isBefore) =>
    ofTable.filter(({ span }) => span.end <= place.at === isBefore).map(({ column }) => column.text),
  );
  return new Set([...(behind ?? []).filter((name) => !before?.includes(name)), ...(before ?? [])]);
}

/** Sorts columns after `boat_id IN (SELECT`: first `boat_id`, or the `id` of the boats table. */
function keysFirst(context: SqlContext, columns: readonly VisibleColumn[]): readonly VisibleColumn[] {
  const compared = comparedColumn(context, context.position.queries.at(-1)?.start);
  const name = compared?.name.toLowerCase() === 'id' ? keyNameOf(compared.of) : compared?.name;
  const rankOf = (column: VisibleColumn) =>
    nameKey(column.name) === nameKey(name ?? '')
      ? 0
      : nameKey(column.name) === 'id'
        ? keyNameOf(column.of) === name
          ? 0
          : 2
        : /_id$|Id$/.test(column.name) && !namesUser(column.name)
          ? 1
          : 3;
  return columns.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/**
 * Sorts columns for conditions: first those that conditions in this file use, then keys and states, and last those that conditions
 * of this query already use.
 */
function forConditions(context: SqlContext, columns: readonly VisibleColumn[]): readonly VisibleColumn[] {
  const { query, place, analysis, position } = context;
  const uses = usesInConditions(analysis);
  const isCondition = position.clause === 'where' && position.calls.length === 0;
  if (!isCondition) return columns;
  const asked = new Set(
    (query ? columnsInWhere(query) : []).flatMap(({ span, name }) =>
      span.start <= place.at && place.at <= span.end ? [] : [name],
    ),
  );
  const rankOf = ({ name, known }: VisibleColumn) => {
    if (asked.has(name)) return 4;
    if (uses.has(name)) return 0;
    if (/^id$|_id$|Id$/.test(name) || namesUser(name)) return 1;
    return /^bool/i.test(known?.sourceType ?? '') || known?.values !== undefined || stateName.test(name)
      ? 2
      : 3;
  };
  return columns.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || (uses.get(b.name) ?? 0) - (uses.get(a.name) ?? 0),
  );
}

const stateName =
  /^(?:is|has)_?[a-zA-Z_]+$|^(?:status|state|type|kind|role|visibility|active|enabled|public|archived|deleted)$|(?:deleted|archived|removed)_?at$/i;

/** Counts how often the conditions of the file use each column. */
const usesInConditions = oncePer((analysis: Analysis): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const run of textRunsOf(analysis))
    for (const [name, count] of usesInRun(run)) counts.set(name, (counts.get(name) ?? 0) + count);
  return counts;
});

const usesInRun = oncePer((run: TextRun): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const name of run.flatMap((text) => textFactsOf(text).inConditions))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
});
