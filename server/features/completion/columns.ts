/** Columns of the tables that a place can see, and what stands behind a dot. */
import { nameKey } from '../../engine/model/scope.ts';
import type { VisibleColumn, VisibleTable } from '../../engine/names/visible.ts';
import { metadataFunctions } from '../../engine/sql/functions.ts';
import { explainFunction } from '../explain/functions.ts';
import { explainColumn, typeOf } from '../explain/tables.ts';
import { completeRequestMembers } from './functions.ts';
import type { Completion } from './item.ts';
import { bucketParameters, olderParameters } from './parameters.ts';
import type { SqlContext } from './sqlContext.ts';

/** Without a dot before: with one table by their names, with several behind those of the tables. */
export function completeColumns(context: SqlContext): readonly Completion[] {
  const { tables, position } = context;
  const [own = [], ...around] = tables;
  const isQualified = own.length !== 1 || around.some((outer) => outer.length > 0);
  const columns = own.flatMap((table) => columnsOf(context, table, isQualified));
  const outer = around.flat().flatMap((table) => columnsOf(context, table, true));
  const aliases = isQualified ? [...own, ...around.flat()].map((table) => offerAlias(context, table)) : [];
  const isFirst = position.clause === 'columns' && /^(?:select|,|distinct|all)$/.test(position.previous);
  return [...columns, ...aliases, ...outer, ...(isFirst ? [star(context, '*')] : [])];
}

function columnsOf(context: SqlContext, table: VisibleTable, isQualified: boolean): readonly Completion[] {
  const prefix = isQualified ? `${context.name(table.name)}.` : '';
  return table.columns.map((column) => offerColumn(context, column, prefix, isQualified ? 2 : 1));
}

function offerColumn(context: SqlContext, column: VisibleColumn, prefix: string, rank: number): Completion {
  const written = prefix + context.name(column.name);
  const type = typeOf(column.known);
  return {
    label: prefix + column.name,
    kind: 'column',
    detail: type === undefined ? column.of : `${type} · ${column.of}`,
    insert: context.insert([written]),
    span: context.span,
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
    insert: context.insert([`${context.name(name)}.`]),
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
