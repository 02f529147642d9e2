/** Columns of the tables that a place can see, and what stands behind a dot. */
import { nameKey } from '../../engine/model/scope.ts';
import type { VisibleColumn, VisibleTable } from '../../engine/names/visible.ts';
import { metadataFunctions } from '../../engine/sql/functions.ts';
import { explainFunction } from '../explain/functions.ts';
import { explainColumn, typeOf } from '../explain/tables.ts';
import { completeRequestMembers } from './functions.ts';
import type { Completion } from './item.ts';
import { bucketParameters, olderParameters } from './parameters.ts';
import { reachableTables } from './relatedSql.ts';
import type { SqlContext } from './sqlContext.ts';

/**
 * Without a dot before: with one table by their names, with several behind those of the tables. What is selected
 * comes from the tables of the query itself, and before FROM is written, from any.
 */
export function completeColumns(
  context: SqlContext,
  compared: VisibleColumn | undefined,
): readonly Completion[] {
  const { tables, position } = context;
  const [own = [], ...outside] = tables;
  const isOutput = position.clause === 'columns';
  const around = isOutput ? [] : outside;
  const isQualified = own.length > 1 || around.some((outer) => outer.length > 0);
  const rank = compared ? 5 : isQualified ? 2 : 1;
  const columns =
    own.length === 0 && isOutput
      ? columnsOfAll(context)
      : own.flatMap((table) => columnsOf(context, table, isQualified, rank));
  const outer = around.flat().flatMap((table) => columnsOf(context, table, true, Math.max(rank, 2)));
  const aliases = isQualified ? [...own, ...around.flat()].map((table) => offerAlias(context, table)) : [];
  const isMember = position.queries.length > 1 && position.queries.at(-1)?.isSource === false;
  const isFirst = isOutput && !isMember && /^(?:select|,|distinct|all)$/.test(position.previous);
  return [...columns, ...aliases, ...outer, ...(isFirst ? [star(context, '*')] : [])];
}

function columnsOf(
  context: SqlContext,
  table: VisibleTable,
  isQualified: boolean,
  rank: number,
): readonly Completion[] {
  const prefix = isQualified ? `${context.name(table.name)}.` : '';
  return table.columns.map((column) => offerColumn(context, column, prefix, rank));
}

/** Each name once, with the tables that have it: those that most have come first. */
function columnsOfAll(context: SqlContext): readonly Completion[] {
  const tables = new Map<string, string[]>();
  for (const { name, columns } of reachableTables(context)) {
    for (const column of columns) tables.set(column, [...(tables.get(column) ?? []), name]);
  }
  return [...tables]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([name, of]) => offerColumn(context, { name, of: of.join(', ') }, '', 2));
}

function offerColumn(context: SqlContext, column: VisibleColumn, prefix: string, rank: number): Completion {
  const written = prefix + context.name(column.name);
  const type = typeOf(column.known);
  return {
    label: prefix + column.name,
    kind: 'column',
    detail: type === undefined ? column.of : `${type} · ${column.of}`,
    insert: context.insert([written]),
    span: prefix === '' ? context.span : context.dotted.span,
    rank,
    filter: written,
    docs: () => explainColumn(column),
  };
}

function offerAlias(context: SqlContext, { name, source, kind }: VisibleTable): Completion {
  return {
    label: name,
    kind: 'alias',
    detail: name === source ? kind : `${kind} ${source}`,
    insert: context.insert([context.dotted.isMember ? context.name(name) : `${context.name(name)}.`]),
    span: context.span,
    rank: 3,
    continues: true,
  };
}

function star(context: SqlContext, label: string): Completion {
  return { label, kind: 'keyword', detail: 'all columns', insert: [label], span: context.span, rank: 0 };
}

/** Behind `auth.`, `bucket.` or the name of a table. */
export function completeMembers(context: SqlContext): readonly Completion[] {
  const { tables, position } = context;
  const [qualifier = ''] = position.qualifiers.slice(-1);
  const request = [
    ...completeRequestMembers(context, qualifier),
    ...bucketParameters(context, qualifier),
    ...olderParameters(context, qualifier),
  ];
  const table = tables.flat().find(({ name }) => nameKey(name) === nameKey(qualifier));
  if (!table) return request;
  const columns = table.columns.map((column) => offerColumn(context, column, '', 0));
  const isOutput = position.clause === 'columns' && position.calls.length === 0;
  return [...request, ...columns, ...(isOutput ? [star(context, '*')] : []), ...metadata(context, table)];
}

function metadata(context: SqlContext, { kind }: VisibleTable): readonly Completion[] {
  if (kind !== 'table' || context.edition !== 3) return [];
  return [...metadataFunctions.values()].map((of) => ({
    label: of.name,
    kind: 'function',
    detail: of.signature,
    insert: [context.isCall ? of.name : `${of.name}()`],
    span: context.span,
    rank: 5,
    docs: () => explainFunction({ kind: 'metadata', of }),
  }));
}
