/** Fixes of tables and columns and of their names. */
import { factsOf } from '../../../engine/map/facts.ts';
import type { FromItem, FromSource, Select } from '../../../engine/sql/ast.ts';
import { unusedName } from '../../../engine/sql/names.ts';
import { type Span, span } from '../../../engine/text/span.ts';
import { nameFor } from '../../reading/writing.ts';
import type { Fix, Fixes, FixOf, SqlSubject, Subject } from '../fix.ts';
import {
  allExpressions,
  exprAround,
  exprAt,
  holds,
  inSql,
  insertAt,
  isSame,
  removeSpan,
  replaceSpan,
  selectAround,
  sqlFix,
  sqlWithin,
  sure,
  sureOfName,
  tokensAround,
} from '../sqlEdits.ts';
import { columnMeant, cteMeant } from './meant.ts';
import { requestValue } from './requestValue.ts';

export const nameFixes: Fixes = {
  'unknown-table': nearTable(),
  'unknown-schema': nearest('whole'),
  'unknown-column': inSql((sql, { near }, subject) => [
    ...columnMeant(sql, subject),
    ...nearestName(sql, near, 'last', subject),
  ]),
  'unknown-subquery-column': nearest('last'),
  'unknown-function-column': nearest('last'),
  'table-not-in-from': inSql((sql, { near }, subject) => [
    ...tableMeant(sql),
    ...nearestName(sql, near, 'first', subject),
  ]),
  'undefined-reference': nearest('first'),
  'ambiguous-reference': inSql((sql) => {
    const at = sql.span.start;
    return namesIn(selectAround(sql)?.from ?? []).flatMap((name) =>
      sqlFix(sql, `Write ${nameFor(name)}.${sqlWithin(sql, sql.span)}`, [insertAt(at, `${nameFor(name)}.`)]),
    );
  }),
  'schema-in-column-reference': inSql((sql) => {
    const reference = exprAt(sql, 'reference');
    if (!reference?.schema || !reference.table) return [];
    const at = { start: reference.schema.span.start, end: reference.table.span.start };
    return sqlFix(sql, 'Remove the schema', [replaceSpan(at, '')], sure);
  }),
  'identifier-lowercased': inSql((sql, { name, folded }) => [
    ...sqlFix(sql, `Write "${name}"`, [replaceSpan(sql.span, `"${name}"`)]),
    ...sqlFix(sql, `Write ${folded}`, [replaceSpan(sql.span, folded)]),
  ]),
  'unnamed-column': nameColumn(),
  'alias-required': nameColumn(),
  'missing-id': addId(),
  'missing-id-column': addId(),
  'multiple-output-tables': inSql((sql, { table }) => {
    const select = selectAround(sql);
    if (!select) return [];
    const isOther = ({ expr }: Select['columns'][number]): boolean =>
      (expr.kind === 'reference' || expr.kind === 'star') &&
      expr.table !== undefined &&
      expr.table.text !== table;
    const kept = select.columns.filter((column) => !isOther(column));
    if (kept.length === 0 || kept.length === select.columns.length) return [];
    const text = kept.map(({ span: at }) => sqlWithin(sql, at)).join(', ');
    return sqlFix(sql, `Keep the columns of ${table} only`, [replaceSpan(spanOfColumns(select), text)]);
  }),
  'different-columns': inSql((sql, { columns, isPlain }, { analysis, part }) => {
    const select = selectAround(sql);
    const last = select?.columns.at(-1);
    const names = isPlain === true && last !== undefined ? columns : [];
    if (!select || !last || names.length === 0 || !isSame(spanOfColumns(select), sql.span)) return [];
    const table = select.from.length > 1 ? tableOf(last.expr) : '';
    if (table === undefined) return [];
    const added = names.map((name) => `, ${table}${nameFor(name)}`).join('');
    const who = readersOf(analysis, sql, part);
    return sqlFix(sql, `Add ${names.join(', ')}${who}`, [insertAt(last.span.end, added)]);
  }),
  'star-overrides-alias': inSql((sql) => {
    const select = selectAround(sql);
    const index = select?.columns.findIndex(({ span }) => isSame(span, sql.span)) ?? -1;
    const [star, before, first] = [select?.columns[index], select?.columns[index - 1], select?.columns[0]];
    if (!star || !before || !first) return [];
    const gap = { start: before.span.end, end: star.span.end };
    const moved = [insertAt(first.span.start, `${sqlWithin(sql, star.span)}, `), replaceSpan(gap, '')];
    return sqlFix(sql, 'Put * first', moved, sure);
  }),
  'missing-comma': inSql((sql, { column, alias }) => {
    const found = selectAround(sql)?.columns.find(({ alias: at }) => at && isSame(at.span, sql.span));
    if (found === undefined) return [];
    const { end } = found.expr.outer ?? found.expr.span;
    return [
      ...sqlFix(sql, `Insert a comma after ${column}`, [insertAt(end, ',')]),
      ...sqlFix(sql, `Write AS ${alias}`, [insertAt(sql.span.start, 'AS ')]),
    ];
  }),
  'aliased-output-table': inSql(quoteAlias),
  'abbreviated-output-table': inSql((sql) => [...removeAlias(sql), ...quoteAlias(sql)]),
  'alias-in-parameter-query': inSql((sql) => removeAlias(sql, sure)),
  'bucket-parameters-mismatch': inSql((sql, { missing, unknown }) => {
    const [found, meant] = [unknown, missing].map((list) => /^bucket\.([^,]+)$/.exec(list)?.[1]);
    if (!found || !meant) return [];
    const edits = allExpressions(sql).flatMap((expr) =>
      expr.kind === 'reference' && expr.table?.text === 'bucket' && expr.column.text === found
        ? [replaceSpan(expr.column.span, nameFor(meant))]
        : [],
    );
    return sqlFix(sql, `Write bucket.${meant}`, edits, sure);
  }),
  'dotted-key': inSql((sql, { path }) =>
    sqlFix(sql, `Write '${path}'`, [replaceSpan(sql.span, `'${path}'`)]),
  ),
};

function quoteAlias(sql: SqlSubject): readonly Fix[] {
  const source = sourceAt(sql);
  if (source?.kind !== 'table' || !source.alias) return [];
  const { name: alias } = source.alias;
  const at = { start: source.nameSpan.end, end: alias.span.end };
  return sqlFix(sql, `Write AS "${alias.text}"`, [replaceSpan(at, ` AS "${alias.text}"`)]);
}

function removeAlias(sql: SqlSubject, grade?: typeof sure): readonly Fix[] {
  const source = sourceAt(sql);
  if (source?.kind !== 'table' || !source.alias) return [];
  const { name: alias } = source.alias;
  const edits = [replaceSpan({ start: source.nameSpan.end, end: alias.span.end }, '')];
  for (const expr of allExpressions(sql))
    if ((expr.kind === 'reference' || expr.kind === 'star') && expr.table?.text === alias.text)
      edits.push(replaceSpan(expr.table.span, nameFor(source.name.text)));
  return sqlFix(sql, 'Use the table name', edits, grade);
}

/** Describes the users who gain the columns that are added to a query, for example ` for each user`. */
function readersOf({ config }: Subject['analysis'], { text }: SqlSubject, part: Subject['part']): string {
  const placed = config?.definitions.find((each) => each.part === part && each.texts.includes(text));
  const ways = placed === undefined ? [] : factsOf(placed, undefined).ways;
  const labels = [...new Set(ways.map(({ audience }) => audience.label))];
  if (labels.length === 0) return '';
  return ` for ${labels.map((label) => label.charAt(0).toLowerCase() + label.slice(1)).join(' and ')}`;
}

type MarkedName = 'first' | 'last' | 'whole';

/** Replaces the first or last marked name with the most similar known name. */
function nearest(which: MarkedName): FixOf<'unknown-column'> {
  return inSql((sql, { near }, subject) => nearestName(sql, near, which, subject));
}

function nearestName(
  sql: SqlSubject,
  near: string | undefined,
  which: MarkedName,
  subject: Pick<Subject, 'analysis'>,
): readonly Fix[] {
  if (near === undefined) return [];
  const { start, end } = sql.span;
  const [, first] = tokensAround(sql, start);
  const [last] = tokensAround(sql, end);
  const token = which === 'first' ? first : last;
  if (!token) return [];
  const at = which === 'whole' ? sql.span : { start: token.start, end: token.end };
  return sqlFix(sql, `Write ${near}`, [replaceSpan(at, nameFor(near))], sureOfName(sql, at, subject));
}

/** Replaces a table with one of a similar name, including its schema if necessary: `audit.events`. */
function nearTable(): FixOf<'unknown-table'> {
  return inSql((sql, { near }, subject) => {
    const source = sourceAt(sql);
    if (source?.kind !== 'table') return [];
    const ctes = source.schema ? [] : cteMeant(sql, source.name, subject);
    if (near === undefined) return ctes;
    const parts = near.split('.');
    const at = parts.length > 1 ? source.nameSpan : source.name.span;
    return [...sqlFix(sql, `Write ${near}`, [replaceSpan(at, parts.map(nameFor).join('.'))]), ...ctes];
  });
}

/** Returns fixes for request values of bucket definitions, and for a table that has an alias in FROM. */
function tableMeant(sql: SqlSubject): readonly Fix[] {
  const reference = exprAt(sql, 'reference') ?? exprAround(sql, 'reference');
  const table = reference?.table;
  if (!reference || !table) return [];
  const from = requestTables.get(table.text);
  if (from !== undefined) {
    const value = requestValue(from, reference.column.text);
    return sqlFix(sql, `Write ${value}`, [replaceSpan(reference.span, value)]);
  }
  const source = selectAround(sql)?.from.find(
    (item) => item.source.kind === 'table' && item.source.name.text === table.text,
  )?.source;
  const alias = source?.alias?.name.text;
  return alias === undefined
    ? []
    : sqlFix(sql, `Write ${alias}`, [replaceSpan(table.span, nameFor(alias))], sure);
}

const requestTables: ReadonlyMap<string, Parameters<typeof requestValue>[0]> = new Map([
  ['auth', 'auth'],
  ['token_parameters', 'auth'],
  ['user_parameters', 'subscription'],
  ['bucket', 'subscription'],
  ['subscription', 'subscription'],
  ['connection', 'connection'],
] as const);

function sourceAt(sql: SqlSubject): FromSource | undefined {
  return selectAround(sql)?.from.find(({ source }) => holds(source.span, sql.span))?.source;
}

function namesIn(from: readonly FromItem[]): readonly string[] {
  return from.flatMap(({ source }) => {
    if (source.alias) return [source.alias.name.text];
    return source.kind === 'subquery' ? [] : [source.name.text];
  });
}

/** Names a column after the function that computes it, or `value`. */
function nameColumn(): FixOf<'unnamed-column'> {
  return inSql((sql) => {
    const select = selectAround(sql);
    const column = select?.columns.find(({ span }) => holds(span, sql.span));
    if (!select || !column) return [];
    const taken = new Set(select.columns.flatMap(({ alias, expr }) => alias?.text ?? nameOf(expr) ?? []));
    const base = column.expr.kind === 'call' ? column.expr.name.text : 'value';
    const name = unusedName(base, (candidate) => taken.has(candidate));
    return sqlFix(sql, `Name it ${name}`, [insertAt(column.span.end, ` AS ${nameFor(name)}`)]);
  });
}

function nameOf(expr: Select['columns'][number]['expr']): string | undefined {
  return expr.kind === 'reference' ? expr.column.text : undefined;
}

/** Adds the id before the other columns, its usual place. A query with `*` needs no id, because the star would contain it. */
function addId(): FixOf<'missing-id-column'> {
  return inSql((sql, _, { analysis }): readonly Fix[] => {
    const select = selectAround(sql);
    const first = select?.columns[0];
    if (!first) return [];
    if (select.columns.some(({ expr }) => expr.kind === 'star')) return addKeyAsId(sql, select, analysis);
    const table = select.from.length > 1 ? tableOf(first.expr) : '';
    return table === undefined
      ? []
      : sqlFix(sql, 'Add the column id', [insertAt(first.span.start, `${table}id, `)]);
  });
}

/** Offers columns as the id. The key column is not known, but it is normally the first column that is never NULL. */
function addKeyAsId(
  sql: SqlSubject,
  { from, columns }: Select,
  { config }: Subject['analysis'],
): readonly Fix[] {
  const [item, more] = from;
  const last = columns.at(-1);
  if (item?.source.kind !== 'table' || more !== undefined || last === undefined) return [];
  const { name, alias } = item.source;
  const table = config?.surroundings.catalog?.tables.find((each) => each.name === name.text);
  const key = [...(table?.columns.values() ?? [])].find(({ nullable }) => nullable === false);
  if (key === undefined) return [];
  const column = `${alias ? `${nameFor(alias.name.text)}.` : ''}${nameFor(key.name)}`;
  const text = `${key.type === 'text' ? column : `CAST(${column} AS text)`} AS id`;
  return sqlFix(sql, `Add ${text}`, [insertAt(last.span.end, `, ${text}`)]);
}

function spanOfColumns({ columns }: Select): Span {
  return span(columns[0]?.span.start ?? 0, columns.at(-1)?.span.end ?? 0);
}

/** Returns the qualifier of a column if FROM contains several tables. */
function tableOf(expr: Select['columns'][number]['expr']): string | undefined {
  return expr.kind === 'reference' && expr.table ? `${nameFor(expr.table.text)}.` : undefined;
}

/** Removes an unused join together with its condition. */
export const joinFixes: Fixes = {
  'unused-join': inSql((sql) => {
    const select = selectAround(sql);
    const index = select?.from.findIndex(({ source }) => holds(source.span, sql.span)) ?? -1;
    const item = select?.from[index];
    if (!item || index < 1) return [];
    const before = tokensAround(sql, item.source.span.start)[0];
    const at = item.join?.span ?? {
      start: before?.start ?? item.source.span.start,
      end: item.source.span.end,
    };
    return sqlFix(sql, 'Remove the join', [removeSpan(sql, at)]);
  }),
  'unsupported-join': inSql((sql) => {
    const item = selectAround(sql)?.from.find(
      ({ join }) =>
        join && join.kind !== 'INNER' && (holds(join.span, sql.span) || holds(sql.span, join.span)),
    );
    if (!item?.join || (!item.join.on && item.join.kind !== 'CROSS')) return [];
    const at = { start: item.join.span.start, end: item.source.span.start };
    return sqlFix(sql, 'Write JOIN', [replaceSpan(at, 'JOIN ')]);
  }),
  'join-using': inSql((sql) => {
    const { from = [] } = selectAround(sql) ?? {};
    const index = from.findIndex(({ join }) => join?.using);
    const [first] = namesIn(from.slice(index - 1, index));
    const [second] = namesIn(from.slice(index, index + 1));
    const using = from[index]?.join?.using;
    if (!using || !first || !second || index !== 1) return [];
    const columns = /\(([^()]*)\)/.exec(sqlWithin(sql, using))?.[1]?.split(',') ?? [];
    const conditions = columns.map(
      (name) => `${nameFor(first)}.${name.trim()} = ${nameFor(second)}.${name.trim()}`,
    );
    return sqlFix(sql, 'Write ON', [replaceSpan(using, `ON ${conditions.join(' AND ')}`)], sure);
  }),
  'table-suffix-always-empty': inSql((sql) => {
    const call = exprAround(sql, 'call');
    return call ? sqlFix(sql, "Write ''", [replaceSpan(call.span, "''")]) : [];
  }),
};
