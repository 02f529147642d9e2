/** Finds the tables and columns that can be named at a place of a query, even if the query is half typed. */
import { append } from '../ground/append.ts';
import type { Catalog, CatalogColumn, CatalogTable } from '../model/catalog.ts';
import type { Cte } from '../model/definition.ts';
import { nameKey } from '../model/scope.ts';
import type { Expr, FromItem, FromSource, Select, Statement, TableSource } from '../sql/ast.ts';
import { tableFunctions } from '../sql/functions.ts';
import type { OpenQuery } from '../sql/position/positionFrames.ts';
import { children, expressionsOf } from '../sql/walk.ts';

/** An item of FROM. */
export interface VisibleTable {
  /** The name before the dot: the alias, or the table name. */
  readonly name: string;
  readonly kind: 'table' | 'cte' | 'function' | 'subquery';
  /** The name of the table itself, even if it has an alias. */
  readonly source: string;
  readonly columns: readonly VisibleColumn[];
  /** The offset in the text. */
  readonly start: number;
}

export interface VisibleColumn {
  readonly name: string;
  /** The table, CTE or function to which the column belongs. */
  readonly of: string;
  readonly known?: CatalogColumn | undefined;
}

/** The context of an SQL text. */
export interface VisibleWorld {
  readonly catalog?: Catalog | undefined;
  readonly defaultSchema: string;
  readonly findCte: (name: string) => Cte | undefined;
  /** Returns the columns of an unknown table that other queries name. */
  readonly usedColumns: (schema: string, table: string) => readonly string[];
}

/** Returns the tables of the innermost query first, followed by those of the surrounding queries. */
export function visibleTables(
  statements: readonly Statement[],
  open: readonly OpenQuery[],
  world: VisibleWorld,
): readonly (readonly VisibleTable[])[] {
  const selects = new Map<number, Select>();
  for (const statement of statements) collectSelects(statement, selects);
  const found: VisibleTable[][] = [];
  let hidden = false;
  for (const { start, isSource } of open.toReversed()) {
    const select = selects.get(start);
    if (select && !hidden) found.push(tablesOf(select, world, 0));
    hidden = isSource;
  }
  return found;
}

function collectSelects(statement: Statement, selects: Map<number, Select>): void {
  if (statement.kind === 'other') return;
  selects.set(statement.span.start, statement);
  for (const { source } of statement.from)
    if (source.kind === 'subquery') collectSelects(source.query, selects);
  const waiting: Expr[] = [...expressionsOf(statement)];
  for (let expr = waiting.pop(); expr !== undefined; expr = waiting.pop()) {
    if (expr.kind === 'subquery') collectSelects(expr.query, selects);
    append(waiting, children(expr));
  }
}

/** The maximum depth. No real config needs more, and a CTE that names itself would otherwise recurse forever. */
const deepest = 8;

function tablesOf({ from }: Select, world: VisibleWorld, depth: number): VisibleTable[] {
  return from.map((item) => tableOf(item, world, depth));
}

function tableOf({ source }: FromItem, world: VisibleWorld, depth: number): VisibleTable {
  const { alias } = source;
  const { start } = source.span;
  switch (source.kind) {
    case 'function': {
      const { text } = source.name;
      const columns = (tableFunctions.get(text)?.columns ?? []).map((name) => ({ name, of: text }));
      return { name: alias?.name.text ?? text, kind: 'function', source: text, columns, start };
    }
    case 'subquery': {
      const name = alias?.name.text ?? '';
      const columns = source.query.kind === 'select' ? outputsOf(source.query, name, world, depth) : [];
      return { name, kind: 'subquery', source: name, columns: renameColumns(source, columns), start };
    }
    case 'table':
      return namedTable(source, world, depth);
  }
}

function namedTable(source: TableSource, world: VisibleWorld, depth: number): VisibleTable {
  const { schema, name, alias, span } = source;
  const base = { name: (alias?.name ?? name).text, source: name.text, start: span.start };
  const cte = schema ? undefined : world.findCte(name.text);
  if (cte) {
    const [query] = cte.query.sql.statements;
    const inside = { ...world, findCte: () => undefined };
    const columns = query?.kind === 'select' ? outputsOf(query, cte.name, inside, depth) : [];
    return { ...base, kind: 'cte', columns };
  }
  const columns = columnsOfTable(world, schema?.text ?? world.defaultSchema, name.text);
  return { ...base, kind: 'table', columns };
}

function columnsOfTable(world: VisibleWorld, schema: string, table: string): VisibleColumn[] {
  const known = world.catalog && tablesNamed(world.catalog, schema, table);
  if (!known || known.length === 0)
    return world.usedColumns(schema, table).map((name) => ({ name, of: table }));
  const columns = new Map(known.flatMap((one) => [...one.columns]));
  return [...columns.values()].map((column) => ({ name: column.name, of: table, known: column }));
}

/**
 * Returns all tables that a name matches, including a name with a trailing `%`. A schema of two words also names the connection.
 */
export function tablesNamed(catalog: Catalog, schema: string, table: string): readonly CatalogTable[] {
  const parts = schema.split('.');
  const tag = parts.length === 2 ? parts[0] : 'default';
  return catalog.tables.filter(
    (one) => one.tag === tag && fits(parts.at(-1) ?? '', one.schema) && fits(table, one.name),
  );
}

function fits(pattern: string, name: string): boolean {
  return pattern.endsWith('%') ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

/** Returns the names under which other queries read the output columns of a SELECT. */
export function outputsOf(
  select: Select,
  of: string,
  world: VisibleWorld,
  depth = 0,
): readonly VisibleColumn[] {
  if (depth > deepest) return [];
  const tables = tablesOf(select, world, depth + 1);
  return select.columns.flatMap(({ expr, alias }): readonly VisibleColumn[] => {
    if (expr.kind === 'star') return columnsOfStar(tables, expr.table?.text);
    const name = alias?.text ?? (expr.kind === 'reference' ? expr.column.text : undefined);
    if (name === undefined) return [];
    const known =
      expr.kind === 'reference' ? visibleColumn(tables, expr.table?.text, expr.column.text) : undefined;
    return [{ name, of, ...(known?.known && { known: known.known }) }];
  });
}

function columnsOfStar(tables: readonly VisibleTable[], name: string | undefined): readonly VisibleColumn[] {
  return tables
    .filter((table) => name === undefined || nameKey(table.name) === nameKey(name))
    .flatMap(({ columns }) => columns);
}

export function visibleColumn(
  tables: readonly VisibleTable[],
  qualifier: string | undefined,
  column: string,
): VisibleColumn | undefined {
  return columnsOfStar(tables, qualifier).find(({ name }) => name === column);
}

function renameColumns(
  { alias }: Extract<FromSource, { kind: 'subquery' }>,
  columns: readonly VisibleColumn[],
): readonly VisibleColumn[] {
  return (
    alias?.columns?.map(({ text: name }, index) => ({ ...columns[index], name, of: alias.name.text })) ??
    columns
  );
}
