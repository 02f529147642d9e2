/** Completes likely SQL, based on the names of tables and columns: conditions, joins and entire queries. */
import { isReplicated } from '../../engine/model/catalog.ts';
import { toNamed, toNamedTable } from '../../engine/names/namedTables.ts';
import { keyBetween, keyNameOf, likelyOwnerColumnOf, type NamedTable } from '../../engine/names/relations.ts';
import type { VisibleTable } from '../../engine/names/visible.ts';
import { usedTables } from '../reading/visibleAt.ts';
import { type ComparedColumn, comparedColumn } from './compared.ts';
import type { Completion } from './item.ts';
import { byLikelihood } from './likelyTables.ts';
import { bucketParameters } from './parameters.ts';
import type { SqlContext } from './sqlContext.ts';

/** The maximum number of tables. A longer list of entire queries would not help. */
const mostTables = 50;

/** Completes entire queries such as `SELECT * FROM boats WHERE owner_id = auth.user_id()`. */
export function wholeQueries(context: SqlContext): readonly Completion[] {
  const { place, keyword } = context;
  const select = `${keyword('SELECT')} `;
  if (place.role === 'parameters')
    return [
      offer(context, `${select}request.user_id() ${keyword('AS')} user_id`, {
        detail: 'a bucket for each user',
        rank: 1,
      }),
    ];
  if (place.role === 'data') return queriesOfBucket(context, select);
  return place.role === 'stream' ? queriesOfAll(context, select) : [];
}

/** Completes the text after a first SELECT: `* FROM boats …`; in a subquery after IN, the keys of the user. */
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

/** Completes queries of tables that have a column with the name of a bucket parameter. */
function queriesOfBucket(context: SqlContext, select: string): readonly Completion[] {
  const parameters = bucketParameters(context, 'bucket').map(({ label }) => label);
  const tables = reachableTables(context).flatMap((table) => {
    const name = parameters.find((one) => table.columns.includes(one));
    return name === undefined ? [] : [{ table: table.name, name: context.name(name) }];
  });
  return tables.map(({ table, name }, index) => {
    const text = `${select}* ${context.keyword('FROM')} ${context.name(table)} ${context.keyword('WHERE')} ${name} = bucket.${name}`;
    return offer(context, text, { detail: 'rows of the bucket', rank: index === 0 ? 1 : 7 });
  });
}

function queriesOfAll(context: SqlContext, before: string): readonly Completion[] {
  const from = `* ${context.keyword('FROM')} `;
  return reachableTables(context).map((table, index) =>
    offer(context, `${before}${from}${context.name(table.name)}${ofUser(context, table)}`, {
      detail: likelyOwnerColumnOf(table) === undefined ? 'all rows' : 'rows of the user',
      rank: index === 0 ? 1 : 7,
    }),
  );
}

function ofUser(context: SqlContext, table: NamedTable): string {
  const owner = likelyOwnerColumnOf(table);
  if (owner === undefined) return '';
  return ` ${context.keyword('WHERE')} ${context.name(owner)} = auth.user_id()`;
}

/** Completes the text after `org_id IN (` with `SELECT org_id FROM members WHERE user_id = auth.user_id()`. */
export function memberships(context: SqlContext, column: ComparedColumn): readonly Completion[] {
  if (context.isQuoted) return [];
  const select = `${context.keyword('SELECT')} `;
  return membersOf(context, column).map((rest, index) => offer(context, select + rest, rankedMember(index)));
}

/** Completes the same text after SELECT, if FROM does not follow. */
function memberRests(context: SqlContext, column: ComparedColumn): readonly Completion[] {
  const { place } = context;
  if (/^\s*from\b/i.test(place.text.slice(place.at))) return [];
  return membersOf(context, column).map((rest, index) => offer(context, rest, rankedMember(index)));
}

const ofTheUser = { detail: 'rows of the user', rank: 0 };

/** Ranks the first two first. More would hide the other completions. */
function rankedMember(index: number): typeof ofTheUser {
  return index < 2 ? ofTheUser : { ...ofTheUser, rank: 7 };
}

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

/** Completes conditions after WHERE, such as `owner_id = auth.user_id()`. */
export function ownConditions(context: SqlContext): readonly Completion[] {
  const { position, tables, place } = context;
  if (position.clause !== 'where' || position.calls.length > 0 || context.isQuoted) return [];
  if (!/^(?:where|and|\()$/.test(position.previous)) return [];
  if (place.role === 'data') return bucketConditions(context);
  const user = userOf(place.role);
  if (user === undefined) return [];
  const [own = []] = tables;
  return own.flatMap((table) => {
    const owner = likelyOwnerColumnOf(toNamed(table));
    if (owner === undefined) return [];
    const prefix = own.length > 1 ? `${context.name(table.name)}.` : '';
    const text = `${prefix}${context.name(owner)} = ${user}`;
    return place.text.includes(text) ? [] : [offer(context, text, ofTheUser)];
  });
}

function userOf(role: SqlContext['place']['role']): string | undefined {
  if (role === 'parameters') return 'request.user_id()';
  return role === 'stream' || role === 'cte' ? 'auth.user_id()' : undefined;
}

/** Completes `list_id = bucket.list_id`, or `id = bucket.list_id` for the lists table. */
function bucketConditions(context: SqlContext): readonly Completion[] {
  const [own = []] = context.tables;
  return own.flatMap((table) =>
    bucketParameters(context, 'bucket').flatMap(({ label }) => {
      const isKey = keyNameOf(table.source) === label.toLowerCase();
      const column = table.columns.find(({ name }) => name === (isKey ? 'id' : label));
      if (column === undefined) return [];
      const text = `${context.name(column.name)} = bucket.${context.name(label)}`;
      return context.place.text.includes(text)
        ? []
        : [offer(context, text, { detail: 'rows of this bucket', rank: 0 })];
    }),
  );
}

/** Completes conditions after ON, such as `crews.boat_id = boats.id`. */
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

/** Completes joins after JOIN, such as `crews ON crews.boat_id = boats.id`. */
export function joinedTables(context: SqlContext): readonly Completion[] {
  const { position, tables, keyword } = context;
  const [own = []] = tables;
  if (position.previous !== 'join' || context.isQuoted) return [];
  const isTaken = ({ name }: NamedTable) => own.some((other) => other.name === name);
  return reachableTables(context).flatMap((table) => {
    const conditions = own.flatMap(
      (other) => conditionBetween(context, { name: table.name, of: table }, queryTable(other)) ?? [],
    );
    const [first] = conditions;
    if (first === undefined || isTaken(table)) return [];
    return [offer(context, `${context.name(table.name)} ${keyword('ON')} ${first}`, byKey)];
  });
}

/** A table and its name in the query. */
interface QueryTable {
  readonly name: string;
  readonly of: NamedTable;
}

function queryTable(table: VisibleTable): QueryTable {
  return { name: table.name, of: toNamed(table) };
}

function conditionBetween(context: SqlContext, one: QueryTable, other: QueryTable): string | undefined {
  const column = (table: QueryTable, name: string) => `${context.name(table.name)}.${context.name(name)}`;
  const out = keyBetween(one.of, other.of);
  if (out) return `${column(one, out.from)} = ${column(other, out.to)}`;
  const back = keyBetween(other.of, one.of);
  return back && `${column(one, back.to)} = ${column(other, back.from)}`;
}

function offer(context: SqlContext, label: string, more: Pick<Completion, 'detail' | 'rank'>): Completion {
  return { label, kind: 'snippet', insert: context.insert([label]), span: context.span, ...more };
}

/**
 * Returns the tables of the default schema, the likeliest first. If the source is unknown, returns the tables that other queries
 * read.
 */
export function reachableTables(context: SqlContext): readonly NamedTable[] {
  const { analysis, reach } = context;
  const { catalog, defaultSchema } = reach;
  const isHere = ({ schema }: { readonly schema: string }) => schema === defaultSchema;
  const tables = catalog
    ? catalog.tables
        .filter((table) => isHere(table) && isReplicated(table))
        .map(({ name, columns }) => toNamedTable(name, [...columns.values()]))
    : usedTables(analysis)
        .filter(isHere)
        .map(({ name }) => ({ name, columns: reach.usedColumns(defaultSchema, name) }));
  return byLikelihood(context, tables).slice(0, mostTables);
}
