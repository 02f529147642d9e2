/** What is likely to be meant, by the names of the tables and columns around: conditions, joins, whole queries. */
import type { ColumnReference } from '../../engine/model/catalog.ts';
import { keyBetween, keyNameOf, likelyOwnerColumnOf, type NamedTable } from '../../engine/names/relations.ts';
import type { VisibleTable } from '../../engine/names/visible.ts';
import { usedTables } from '../reading/visibleAt.ts';
import { type ComparedColumn, comparedColumn } from './compared.ts';
import type { Completion } from './item.ts';
import type { SqlContext } from './sqlContext.ts';

/** More tables than anybody wants to choose a whole query from. */
const mostTables = 50;

/** `SELECT * FROM boats WHERE owner_id = auth.user_id()` */
export function wholeQueries(context: SqlContext): readonly Completion[] {
  if (context.place.role !== 'stream') return [];
  const select = `${context.keyword('SELECT')} `;
  return queriesOfAll(context, select);
}

/** After a first SELECT: `* FROM boats …`; after one behind IN, the keys of the user. */
export function restsOfQuery(context: SqlContext): readonly Completion[] {
  const { place, position } = context;
  if (position.previous !== 'select' || context.isQuoted) return [];
  if (position.queries.length > 1) {
    const column = comparedColumn(context, position.queries.at(-1)?.start);
    return column?.isList ? memberRests(context, column) : [];
  }
  const isAlone = place.text.slice(place.at).trim() === '';
  return place.role === 'stream' && isAlone ? queriesOfAll(context, '') : [];
}

function queriesOfAll(context: SqlContext, before: string): readonly Completion[] {
  const from = `* ${context.keyword('FROM')} `;
  return reachableTables(context).map((table) =>
    offer(context, `${before}${from}${context.name(table.name)}${ofUser(context, table)}`, {
      detail: likelyOwnerColumnOf(table) === undefined ? 'all rows' : 'rows of the user',
      rank: 1,
    }),
  );
}

function ofUser(context: SqlContext, table: NamedTable): string {
  const owner = likelyOwnerColumnOf(table);
  if (owner === undefined) return '';
  return ` ${context.keyword('WHERE')} ${context.name(owner)} = auth.user_id()`;
}

/** After `org_id IN (`: `SELECT org_id FROM members WHERE user_id = auth.user_id()` */
export function memberships(context: SqlContext, column: ComparedColumn): readonly Completion[] {
  if (context.isQuoted) return [];
  const select = `${context.keyword('SELECT')} `;
  return membersOf(context, column).map((rest) => offer(context, select + rest, ofTheUser));
}

/** The same after the SELECT, while nothing follows. */
function memberRests(context: SqlContext, column: ComparedColumn): readonly Completion[] {
  const { place } = context;
  if (/^\s*from\b/i.test(place.text.slice(place.at))) return [];
  return membersOf(context, column).map((rest) => offer(context, rest, ofTheUser));
}

const ofTheUser = { detail: 'those of the user', rank: 0 };

function membersOf(context: SqlContext, column: ComparedColumn): readonly string[] {
  const { place, keyword } = context;
  if (place.role !== 'stream' && place.role !== 'cte') return [];
  const wanted = column.name.toLowerCase() === 'id' ? keyNameOf(column.of) : column.name;
  return reachableTables(context).flatMap((table) => {
    if (
      !table.columns.includes(wanted) ||
      likelyOwnerColumnOf(table) === undefined ||
      table.name === column.of
    )
      return [];
    const from = `${keyword('FROM')} ${context.name(table.name)}`;
    return [`${context.name(wanted)} ${from}${ofUser(context, table)}`];
  });
}

/** After WHERE: `owner_id = auth.user_id()` */
export function ownConditions(context: SqlContext): readonly Completion[] {
  const { position, tables, place } = context;
  if (position.clause !== 'where' || context.isQuoted || !/^(?:where|and)$/.test(position.previous))
    return [];
  if (place.role !== 'stream' && place.role !== 'cte') return [];
  const [own = []] = tables;
  return own.flatMap((table) => {
    const owner = likelyOwnerColumnOf(namesOf(table));
    if (owner === undefined) return [];
    const prefix = own.length > 1 ? `${context.name(table.name)}.` : '';
    const text = `${prefix}${context.name(owner)} = auth.user_id()`;
    return place.text.includes(text) ? [] : [offer(context, text, ofTheUser)];
  });
}

/** After ON: `crews.boat_id = boats.id` */
export function keyConditions(context: SqlContext): readonly Completion[] {
  const { position, tables } = context;
  if (position.clause !== 'on' || position.previous !== 'on' || context.isQuoted) return [];
  const [own = []] = tables;
  const joined = own.at(-1);
  if (joined === undefined) return [];
  return own.slice(0, -1).flatMap((other) => {
    const text = conditionBetween(context, queryTable(joined), queryTable(other));
    return text === undefined ? [] : [offer(context, text, byKey)];
  });
}

const byKey = { detail: 'by its key', rank: 0 };

/** After JOIN: `crews ON crews.boat_id = boats.id` */
export function joinedTables(context: SqlContext): readonly Completion[] {
  const { position, tables, keyword } = context;
  const [own = []] = tables;
  if (position.previous !== 'join' || context.isQuoted) return [];
  return reachableTables(context).flatMap((table) => {
    const conditions = own.flatMap((other) =>
      other.name === table.name
        ? []
        : (conditionBetween(context, { name: table.name, of: table }, queryTable(other)) ?? []),
    );
    const [first] = conditions;
    if (first === undefined) return [];
    return [offer(context, `${context.name(table.name)} ${keyword('ON')} ${first}`, byKey)];
  });
}

/** A table as it is called in a query. */
interface QueryTable {
  readonly name: string;
  readonly of: NamedTable;
}

function queryTable(table: VisibleTable): QueryTable {
  return { name: table.name, of: namesOf(table) };
}

function conditionBetween(context: SqlContext, one: QueryTable, other: QueryTable): string | undefined {
  const column = (table: QueryTable, name: string) => `${context.name(table.name)}.${context.name(name)}`;
  const out = keyBetween(one.of, other.of);
  if (out) return `${column(one, out.from)} = ${column(other, out.to)}`;
  const back = keyBetween(other.of, one.of);
  return back && `${column(one, back.to)} = ${column(other, back.from)}`;
}

function namesOf({ source, columns }: Pick<VisibleTable, 'source' | 'columns'>): NamedTable {
  return toNamedTable(
    source,
    columns.map(({ name, known }) => ({ name, references: known?.references })),
  );
}

function toNamedTable(
  name: string,
  columns: readonly { readonly name: string; readonly references?: ColumnReference | undefined }[],
): NamedTable {
  const keys = columns.flatMap(({ name: column, references }) =>
    references === undefined
      ? []
      : [
          {
            column,
            table: references.table,
            ...(references.column !== undefined && { to: references.column }),
          },
        ],
  );
  return { name, columns: columns.map((column) => column.name), keys };
}

function offer(context: SqlContext, label: string, more: Pick<Completion, 'detail' | 'rank'>): Completion {
  return { label, kind: 'snippet', insert: context.insert([label]), span: context.span, ...more };
}

/** Of the default schema; while nothing is known of the source, those that other queries read. */
export function reachableTables({ analysis, reach }: SqlContext): readonly NamedTable[] {
  const { catalog, defaultSchema } = reach;
  const isHere = ({ schema }: { readonly schema: string }) => schema === defaultSchema;
  if (catalog) {
    const tables = catalog.tables.filter(isHere).slice(0, mostTables);
    return tables.map(({ name, columns }) => toNamedTable(name, [...columns.values()]));
  }
  const tables = usedTables(analysis).filter(isHere).slice(0, mostTables);
  return tables.map(({ name }) => ({ name, columns: reach.usedColumns(defaultSchema, name) }));
}
