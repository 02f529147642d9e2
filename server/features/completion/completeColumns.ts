/** Completes columns of the tables that are visible at a place, and names after a dot. */
import { nameKey } from '../../engine/model/scope.ts';
import type { NamedTable } from '../../engine/names/relations.ts';
import type { VisibleColumn, VisibleTable } from '../../engine/names/visible.ts';
import { metadataFunctions } from '../../engine/sql/functions.ts';
import { explainFunction } from '../explain/explainFunctions.ts';
import { explainColumn, typeOf } from '../explain/explainTables.ts';
import { namesInRuns } from '../reading/mentions.ts';
import { completeRequestMembers } from './completeFunctions.ts';
import type { Completion } from './item.ts';
import { inOrderOfUse, selectedNames } from './likelyColumns.ts';
import { fitOfNeeds, needsOf } from './likelyTables.ts';
import { bucketParameters, olderParameters } from './parameters.ts';
import { reachableTables } from './relatedSql.ts';
import { type SqlContext, takesStar } from './sqlContext.ts';

/**
 * Completes names without a dot. If the query has one table, its columns are offered by name; if it has several, their columns
 * follow the table names. In a SELECT list, columns are those of the tables in FROM; before FROM is written, columns of all tables
 * are offered.
 */
export function completeColumns(
  context: SqlContext,
  compared: VisibleColumn | undefined,
): readonly Completion[] {
  const { tables, position } = context;
  const [own = [], ...outside] = tables;
  const isOutput = position.clause === 'columns';
  const around = isOutput ? [] : outside;
  const isQualified = own.length > 1 || own.some((table) => isNamed(context, table));
  const rank = compared ? 5 : isQualified ? 3 : 1;
  const columns =
    own.length === 0 && isOutput
      ? columnsOfAll(context)
      : own.flatMap((table) => offerColumns(context, table, isQualified, rank));
  const outer = around.flat().flatMap((table) => offerColumns(context, table, true, Math.max(rank, 2)));
  const aliases = [...own, ...around.flat()].map((table) =>
    offerAlias(context, table, !isQualified ? 7 : compared ? 4 : 2),
  );
  const named = own.length === 0 && isOutput ? tablesToCome(context) : [];
  const isFirst = isOutput && takesStar(context) && /^(?:select|distinct|all)$/.test(position.previous);
  return [...(isFirst ? [star(context, '*')] : []), ...columns, ...aliases, ...named, ...outer];
}

/** Returns the names before a dot in the SELECT list, and the tables with these names. */
function tablesToCome(context: SqlContext): readonly Completion[] {
  const { qualifiers } = needsOf(context);
  const offer = (name: string, rank: number) =>
    offerAlias(context, { name, source: name, kind: 'table', columns: [], start: 0 }, rank);
  return [
    ...qualifiers.map((name) => offer(name, 1)),
    ...reachableTables(context).map(({ name }) => offer(name, 8)),
  ];
}

/** Whether the query already qualifies a column with the name of its only table. */
function isNamed({ place, position }: SqlContext, { name }: VisibleTable): boolean {
  const before = place.text.slice(position.queries.at(-1)?.start ?? 0, position.start).toLowerCase();
  return before.includes(` ${name.toLowerCase()}.`);
}

function offerColumns(
  context: SqlContext,
  table: VisibleTable,
  isQualified: boolean,
  rank: number,
): readonly Completion[] {
  const prefix = isQualified ? `${context.name(table.name)}.` : '';
  return knownOrUsed(context, table).map((column, index) =>
    offerColumn(context, column, prefix, isNext(context, table, index) ? 1 : rank),
  );
}

/** Whether the column follows the columns of the table that are already selected. */
function isNext(context: SqlContext, { name }: VisibleTable, index: number): boolean {
  return index === 0 && context.position.clause === 'columns' && selectedNames(context, name).size > 0;
}

/** Returns the known columns. If a table is unknown, its columns may have the names of other columns in the file. */
function knownOrUsed(
  context: SqlContext,
  table: Pick<VisibleTable, 'name' | 'columns' | 'kind'>,
): readonly VisibleColumn[] {
  const found = inOrderOfUse(context, table);
  if (table.kind !== 'table' || table.columns.some(({ known }) => known !== undefined)) return found;
  const names = new Set(found.map(({ name }) => name));
  const others = columnsInFile(context).filter(({ name }) => !names.has(name));
  return [...found, ...inOrderOfUse(context, { ...table, columns: others })];
}

function columnsInFile({ analysis }: SqlContext): readonly VisibleColumn[] {
  const names = new Set<string>();
  for (const { columns } of namesInRuns(analysis))
    for (const ofTable of columns.values()) for (const name of ofTable) names.add(name);
  return [...names].map((name) => ({ name, of: 'used in this file' }));
}

/**
 * Returns columns while the query has no table yet: first those of the likeliest table, then each other name once, with the most
 * common names first.
 */
function columnsOfAll(context: SqlContext): readonly Completion[] {
  const reachable = reachableTables(context);
  const wanted = needsOf(context);
  const fitting =
    wanted.columns.length === 0 ? [] : reachable.filter((one) => fitOfNeeds(one, wanted)[0] === 0);
  const next = fitting.map(({ columns }) => nextOf(context, columns));
  const [first = []] = next;
  const likely = [...new Set([...next.slice(0, 3).flatMap(([name = '']) => name), ...first])].filter(
    (name) => name !== '',
  );
  const tables = new Map<string, string[]>(likely.map((name) => [name, []]));
  for (const { name, columns } of reachable) {
    for (const column of columns) tables.set(column, [...(tables.get(column) ?? []), name]);
  }
  const selected = selectedNames(context);
  const others = [...tables]
    .filter(([name]) => !likely.includes(name) && !selected.has(name))
    .toSorted(
      ([nameA, a], [nameB, b]) => Number(nameB === 'id') - Number(nameA === 'id') || b.length - a.length,
    );
  return [...likely, ...others.map(([name]) => name)].map((name) =>
    offerColumn(context, { name, of: (tables.get(name) ?? []).join(', ') }, '', 2),
  );
}

function nextOf(context: SqlContext, columns: readonly string[]): readonly string[] {
  return inOrderOfUse(context, { name: '', columns: columns.map((name) => ({ name, of: '' })) }).map(
    ({ name }) => name,
  );
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
    filter: prefix + context.nameFilter(column.name),
    docs: () => explainColumn(column),
  };
}

function offerAlias(context: SqlContext, { name, source, kind }: VisibleTable, rank: number): Completion {
  return {
    label: name,
    kind: 'alias',
    detail: name === source ? kind : `${kind} ${source}`,
    insert: context.insert([context.dotted.isMember ? context.name(name) : `${context.name(name)}.`]),
    span: context.span,
    rank,
    continues: true,
  };
}

function star(context: SqlContext, label: string): Completion {
  return { label, kind: 'keyword', detail: 'all columns', insert: [label], span: context.span, rank: 0 };
}

/** Completes names after `auth.`, after `bucket.`, or after the name of a table. */
export function completeMembers(context: SqlContext): readonly Completion[] {
  const { tables, position } = context;
  const [qualifier = ''] = position.qualifiers.slice(-1);
  const request = [
    ...completeRequestMembers(context, qualifier),
    ...bucketParameters(context, qualifier),
    ...olderParameters(context, qualifier),
  ];
  if (request.length > 0) return request;
  const isOutput = position.clause === 'columns' && position.calls.length === 0;
  const stars = isOutput && takesStar(context) ? [star(context, '*')] : [];
  const table = tables.flat().find(({ name }) => nameKey(name) === nameKey(qualifier));
  const columns = table ? knownOrUsed(context, table) : isOutput ? columnsToCome(context, qualifier) : [];
  const offered = columns.map((column) => offerColumn(context, column, '', 0));
  const isFirst = !selectedNames(context).size;
  return [
    ...(isFirst ? stars : []),
    ...offered,
    ...(isFirst ? [] : stars),
    ...(table ? metadata(context, table) : []),
  ];
}

/**
 * Returns the columns of a table that FROM does not contain yet: a table with that name in the file, or one whose name and columns
 * match.
 */
function columnsToCome(context: SqlContext, qualifier: string): readonly VisibleColumn[] {
  const [first, ...others] = qualifier === '' ? [] : reachableTables(context);
  const columnsOf = ({ name: of, columns }: NamedTable) => columns.map((name) => ({ name, of }));
  const all = first
    ? [...inOrderOfUse(context, { name: qualifier, columns: columnsOf(first) }), ...others.flatMap(columnsOf)]
    : [];
  const names = all.map(({ name }) => name);
  return all.filter(({ name }, index) => names.indexOf(name) === index);
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
