/** Replaces `*` with the known columns of its table, and a complete list of columns with `*`. */
import type { Catalog, CatalogTable } from '../../../engine/model/catalog.ts';
import type { Select, Star, TableSource } from '../../../engine/sql/ast.ts';
import { shiftEdits } from '../../../engine/text/edit.ts';
import { editScalar } from '../../../engine/yaml/scalarEdits.ts';
import { nameOf } from '../../reading/conjuncts.ts';
import { nameFor } from '../../reading/writing.ts';
import type { Action } from '../action.ts';
import { allSelects, holds, sqlWithin } from '../sqlEdits.ts';
import { type ActionPlace, type SqlSelection, sqlSelection, staysSound } from './place.ts';

export function expandStar(place: ActionPlace): readonly Action[] {
  const sql = sqlSelection(place);
  const found = sql && starAt(sql);
  const table = sql && found && tableOf(place, sql, found.select, found.star.table?.text);
  if (!sql || !found || !table) return [];
  const prefix = found.star.table ? `${sqlWithin(sql, found.star.table.span)}.` : '';
  const named = new Set(
    found.select.columns.flatMap(({ expr, alias }) => alias?.text ?? columnName(expr) ?? []),
  );
  const names = visibleColumns(place, table).filter((name) => !named.has(name));
  const text = names.map((name) => prefix + nameFor(name)).join(', ');
  return text === '' ? [] : rewrite(place, sql, found.star.span, text, 'Write the columns instead of *');
}

export function collapseColumns(place: ActionPlace): readonly Action[] {
  const sql = sqlSelection(place);
  const select = sql && columnsAt(sql);
  const [first] = select?.columns ?? [];
  const last = select?.columns.at(-1);
  if (!sql || !select || !first || !last) return [];
  const names = select.columns.map(({ expr, alias }) => (alias ? undefined : columnName(expr)));
  const qualifiers = new Set(
    select.columns.map(({ expr }) => (expr.kind === 'reference' ? expr.table?.text : undefined)),
  );
  const [qualifier] = qualifiers;
  const table = qualifiers.size === 1 ? tableOf(place, sql, select, qualifier) : undefined;
  if (!table || names.includes(undefined) || !isSame(names, visibleColumns(place, table))) return [];
  const prefix =
    first.expr.kind === 'reference' && first.expr.table ? `${sqlWithin(sql, first.expr.table.span)}.` : '';
  const at = { start: first.span.start, end: last.span.end };
  return rewrite(place, sql, at, `${prefix}*`, 'Write * instead of all columns');
}

function starAt(sql: SqlSelection): { readonly select: Select; readonly star: Star } | undefined {
  for (const select of allSelects(sql))
    for (const { expr } of select.columns)
      if (expr.kind === 'star' && holds(expr.span, sql.at)) return { select, star: expr };
  return undefined;
}

/** Returns the innermost query whose column list contains the place. */
function columnsAt(sql: SqlSelection): Select | undefined {
  return allSelects(sql)
    .filter(({ columns }) => {
      const [first, last] = [columns[0], columns.at(-1)];
      return first && last && holds({ start: first.span.start, end: last.span.end }, sql.at);
    })
    .at(-1);
}

function columnName(expr: Select['columns'][number]['expr']): string | undefined {
  return expr.kind === 'reference' ? expr.column.text : undefined;
}

/** Returns the single known table that a `*` refers to. There is none for wildcards, CTEs and subqueries. */
function tableOf(
  { analysis }: ActionPlace,
  { owner }: SqlSelection,
  { from }: Select,
  qualifier: string | undefined,
): CatalogTable | undefined {
  const { catalog, defaultSchema = 'public', ctes = [] } = analysis.config?.surroundings ?? {};
  const items = from.filter((item) => qualifier === undefined || nameOf(item) === qualifier.toLowerCase());
  const source = items[0]?.source;
  if (!catalog || source?.kind !== 'table' || items.length !== 1) return undefined;
  const own = owner?.definition.kind === 'stream' ? owner.definition.ctes : [];
  const isCte = [...ctes, ...own].some(({ name }) => name.toLowerCase() === source.name.text.toLowerCase());
  return source.schema === undefined && isCte ? undefined : findTable(catalog, source, defaultSchema);
}

function findTable(
  catalog: Catalog,
  { schema, name }: TableSource,
  defaultSchema: string,
): CatalogTable | undefined {
  const [tag, of] = schema?.text.includes('.')
    ? schema.text.split('.')
    : ['default', schema?.text ?? defaultSchema];
  return catalog.tables.find((table) => table.tag === tag && table.schema === of && table.name === name.text);
}

/** Returns the columns that `*` includes. Before edition 3, it excludes columns whose names begin with `_`. */
function visibleColumns({ analysis }: ActionPlace, { columns }: CatalogTable): readonly string[] {
  const names = [...columns.keys()];
  const edition = analysis.config?.surroundings.options.edition ?? 3;
  return edition < 3 ? names.filter((name) => !name.startsWith('_')) : names;
}

function isSame(some: readonly (string | undefined)[], all: readonly string[]): boolean {
  return (
    some.length === all.length &&
    new Set(some).size === all.length &&
    all.every((name) => some.includes(name))
  );
}

function rewrite(
  { analysis }: ActionPlace,
  sql: SqlSelection,
  span: Star['span'],
  text: string,
  title: string,
): readonly Action[] {
  const made = editScalar(sql.part.reading, sql.scalar, [{ span, text }]);
  const edits = made ? shiftEdits(made, sql.part.base) : [];
  return staysSound(analysis, edits) ? [{ title, kind: 'refactor.rewrite', edits }] : [];
}
