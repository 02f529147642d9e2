/**
 * Reads a claim of `always` as far as it guides the search: which cells it compares, and which tables' rows can make it false.
 * SQLite decides whether the claim holds.
 */
import { append } from '../../ground/append.ts';
import { jsonToSql, writeJson } from '../../plan/values/json.ts';
import { memberReader, namesOfKey } from '../../plan/values/jsonPath.ts';
import type { SqlValue } from '../../plan/values/value.ts';
import type { Expr, Select, Statement } from '../../sql/ast.ts';
import { quoteName } from '../../sql/names.ts';
import { parseSql } from '../../sql/parser/parser.ts';
import { children } from '../../sql/walk.ts';
import { claimFunctions, userCall } from '../claimFunctions.ts';
import type { Asking } from '../device.ts';
import { type Cell, isInside } from './cells.ts';
import { type Classes, listedIn, type Scalar, scalarOf } from './classes.ts';
import type { ModelLimit } from './model.ts';

export interface ClaimReading {
  /** The SQL of the claim for SQLite, with functions for the user's values. */
  readonly sql: string;
  /** The source tables that the claim reads. */
  readonly tables: readonly string[];
  /** Tables of which one more row may make the claim false. More than one additional row of each is not needed. */
  readonly adverse: readonly string[];
  /** The limits of the claim: conditions that the search cannot decide. */
  readonly limits: ReadonlySet<ModelLimit>;
}

/** Returns the value of a claim function for a user. */
export function valueForClaim(
  name: keyof typeof claimFunctions,
  argument: unknown,
  { claims, parameters }: Pick<Asking, 'claims' | 'parameters'>,
): SqlValue {
  const values = name.startsWith('auth') ? claims : parameters;
  if (name === 'auth_user_id') return jsonToSql(values.sub);
  if (claimFunctions[name] === 0) return writeJson(values);
  return typeof argument === 'string' ? memberReader('->>', argument, { wholeKeys: true })(values) : null;
}

/** The tables that a claim can name. */
interface ClaimScope {
  /** Whether the table has the column; `maybe` if the table is unknown. The case of letters does not matter, as in SQLite. */
  readonly has: (table: string, column: string) => 'yes' | 'no' | 'maybe';
  /** Returns the column as the table spells it, or the same name if no column is known. */
  readonly spell: (table: string, column: string) => string;
  /** The source table whose rows the claim is about. */
  readonly source: string;
  readonly isBoolean: (cell: Cell) => boolean;
}

/** Reads a claim and adds its cells to the classes of the plans. */
export function readClaim(
  { table, holds }: { readonly table: string; readonly holds: string },
  classes: Classes,
  scope: ClaimScope,
): ClaimReading {
  const sql = holds.replace(userCall, (text, schema?: string, name?: string) =>
    schema === undefined ? text : `${schema}_${name}`.toLowerCase(),
  );
  const parsed = parseSql(`SELECT 1 FROM ${quoteName(table)} WHERE (${holds})`);
  const [statement] = parsed.statements;
  if (parsed.problems.length > 0 || statement?.kind !== 'select' || statement.where === undefined)
    return { sql, tables: [], adverse: [], limits: new Set(['texts']) };
  const reader: Reader = { ...scope, classes, tables: new Set(), adverse: [], limits: new Set() };
  const tables: Tables = new Map([[table, { table: scope.source }]]);
  readCondition(statement.where, [tables], 'makes it true', reader);
  return { sql, tables: [...reader.tables], adverse: reader.adverse, limits: reader.limits };
}

interface Reader extends ClaimScope {
  readonly classes: Classes;
  readonly tables: Set<string>;
  readonly adverse: string[];
  readonly limits: Set<ModelLimit>;
}

/** The effect on the claim of one more row of a subquery. */
type Effect = 'makes it true' | 'makes it false';

/** The tables of a SELECT by their names in it, innermost SELECT first. */
type Tables = ReadonlyMap<string, NamedSource>;
type NamedSource = { readonly table: string } | { readonly list: Expr };

function tablesOf(select: Select): Tables {
  return new Map(
    select.from.flatMap(({ source }): (readonly [string, NamedSource])[] => {
      if (source.kind === 'subquery') return [];
      const name = source.alias?.name.text ?? source.name.text;
      if (source.kind === 'table') {
        const { schema } = source;
        const table = schema === undefined ? source.name.text : `${schema.text}.${source.name.text}`;
        return [[name, { table }]];
      }
      const [list] = source.args;
      return list === undefined ? [] : [[name, { list }]];
    }),
  );
}

function readCondition(expr: Expr, tables: readonly Tables[], effect: Effect, reader: Reader): void {
  if (expr.kind === 'binary' && (expr.op === 'AND' || expr.op === 'OR')) {
    readCondition(expr.left, tables, effect, reader);
    readCondition(expr.right, tables, effect, reader);
  } else if (expr.kind === 'unary' && expr.op === 'NOT')
    readCondition(expr.operand, tables, opposite(effect), reader);
  else if (expr.kind === 'call' && expr.name.text === 'exists' && expr.args[0]?.kind === 'subquery')
    readSubquery(expr.args[0].query, tables, effect, reader);
  else if (expr.kind === 'in' && expr.right.kind === 'subquery') {
    const inner = readSubquery(expr.right.query, tables, expr.negated ? opposite(effect) : effect, reader);
    const [column] = inner?.select.columns ?? [];
    // The left side is outside the subquery, so its names do not mean columns of the subquery's tables.
    const sides = [
      comparedIn(expr.left, tables, reader),
      ...(inner && column ? [comparedIn(column.expr, inner.tables, reader)] : []),
    ];
    reader.classes.join(
      sides.flatMap(({ cells }) => cells),
      sides.flatMap(({ constants }) => constants),
    );
    readValue(expr.left, tables, reader);
  } else if (expr.kind === 'binary' && comparisons.has(expr.op)) {
    compare(expr, tables, reader);
    if (orderings.has(expr.op)) addOrder([expr.left, expr.right], tables, reader);
    for (const side of [expr.left, expr.right]) readValue(side, tables, reader);
  } else if (expr.kind === 'between') {
    compare(expr, tables, reader);
    addOrder([expr.operand, expr.low, expr.high], tables, reader);
    for (const each of [expr.operand, expr.low, expr.high]) readValue(each, tables, reader);
  } else if (expr.kind === 'in' && expr.right.kind === 'list') {
    compare(expr, tables, reader);
    for (const each of [expr.left, ...expr.right.items]) readValue(each, tables, reader);
  } else if (expr.kind === 'is' && expr.test === 'null') readValue(expr.operand, tables, reader);
  else if (expr.kind === 'literal') return;
  else {
    const cell = cellOfExpr(expr, tables, reader);
    if (cell !== undefined) {
      reader.classes.add(cell).isBoolean = true;
      if (!reader.isBoolean(cell)) reader.limits.add('conditions');
    } else reader.limits.add('texts');
    readValue(expr, tables, reader);
  }
}

const orderings: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);
const comparisons: ReadonlySet<string> = new Set([...orderings, '=', '==', '<>', '!=']);

function addOrder(exprs: readonly Expr[], tables: readonly Tables[], reader: Reader): void {
  if (exprs.filter((expr) => constantOf(expr) === undefined).length > 1) reader.limits.add('orders');
  for (const expr of exprs)
    for (const cell of cellsOfExpr(expr, tables, reader)) reader.classes.add(cell).isOrdered = true;
}

function constantOf(expr: Expr): Scalar | undefined {
  if (expr.kind === 'literal') return scalarOf(expr.value);
  if (expr.kind !== 'unary' || expr.op === 'NOT') return undefined;
  const value = constantOf(expr.operand);
  if (typeof value !== 'bigint' && typeof value !== 'number') return undefined;
  return expr.op === '-' ? -value : value;
}

function opposite(effect: Effect): Effect {
  return effect === 'makes it true' ? 'makes it false' : 'makes it true';
}

function readSubquery(
  query: Statement,
  outer: readonly Tables[],
  effect: Effect,
  reader: Reader,
): { readonly select: Select; readonly tables: readonly Tables[] } | undefined {
  const isPlain =
    query.kind === 'select' &&
    query.refused.length === 0 &&
    query.from.every(
      ({ source, join }) =>
        source.kind !== 'subquery' &&
        source.alias?.columns === undefined &&
        (join === undefined || (['INNER', 'CROSS'].includes(join.kind) && join.using === undefined)),
    );
  if (query.kind !== 'select' || !isPlain) reader.limits.add('subqueries');
  if (query.kind !== 'select') return undefined;
  const tables = [tablesOf(query), ...outer];
  for (const each of tables[0]?.values() ?? []) if ('table' in each) reader.tables.add(each.table);
  const isAggregate = query.columns.some(({ expr }) => expr.kind === 'call' && isAggregation(expr.name.text));
  if (isAggregate) reader.limits.add('subqueries');
  readLists(query, outer, effect, reader);
  if (effect === 'makes it false' || isAggregate || !isPlain)
    for (const each of tables[0]?.values() ?? []) if ('table' in each) reader.adverse.push(each.table);
  if (query.where) readCondition(query.where, tables, effect, reader);
  for (const { join } of query.from) if (join?.on) readCondition(join.on, tables, effect, reader);
  for (const { expr } of query.columns)
    if (expr.kind !== 'star' && !isAggregate) readValue(expr, tables, reader);
  return { select: query, tables };
}

/**
 * Reads lists. A short list can show that an element is missing, but only a list with other elements can show that an element is
 * present.
 */
function readLists({ from }: Select, outer: readonly Tables[], effect: Effect, reader: Reader): void {
  for (const { source } of from) {
    if (source.kind !== 'function') continue;
    const [list] = source.args;
    const cell = list && cellOfExpr(list, outer, reader);
    const isPlain = source.name.text === 'json_each' && source.args.length === 1 && cell !== undefined;
    if (!isPlain || effect === 'makes it false') reader.limits.add('lists');
    if (cell === undefined) continue;
    reader.classes.add(cell);
    reader.classes.add({ ...cell, isElement: true });
  }
}

function isAggregation(name: string): boolean {
  return ['count', 'sum', 'min', 'max', 'avg', 'total', 'group_concat', 'json_group_array'].includes(name);
}

/** Reads an expression whose value matters. One row more or less can change the value of a subquery in any way. */
function readValue(expr: Expr, tables: readonly Tables[], reader: Reader): void {
  if (expr.kind === 'subquery') {
    reader.limits.add('subqueries');
    readSubquery(expr.query, tables, 'makes it false', reader);
    return;
  }
  const cell = cellOfExpr(expr, tables, reader);
  if (cell !== undefined) {
    reader.classes.add(cell);
    if (expr.kind === 'member' && expr.op === '->') reader.limits.add('json');
    if (cell.path.length > 1 && reader.classes.cells().some((other) => isInside(cell, other)))
      reader.limits.add('json');
    if ('table' in cell.of && reader.has(cell.of.table, cell.path[0] ?? '') === 'no')
      reader.limits.add('columns');
    return;
  }
  if (constantOf(expr) !== undefined) return;
  reader.limits.add(limitOf(expr));
  const cells = cellsOfExpr(expr, tables, reader);
  compare(expr, tables, reader);
  for (const each of cells) reader.classes.add(each).isComputed = true;
  for (const child of children(expr)) readValue(child, tables, reader);
}

function limitOf({ kind, ...expr }: Expr): ModelLimit {
  switch (kind) {
    case 'call':
    case 'special':
      return 'functions';
    case 'cast':
      return 'casts';
    case 'case':
      return 'case';
    case 'member':
    case 'index':
      return 'json';
    case 'binary':
      return 'op' in expr && ['+', '-', '*', '/', '%', '||', '&', '|', '<<', '>>'].includes(expr.op)
        ? 'arithmetic'
        : 'texts';
    default:
      return 'texts';
  }
}

function compare(expr: Expr, tables: readonly Tables[], reader: Reader): void {
  const { cells, constants } = comparedIn(expr, tables, reader);
  reader.classes.join(cells, constants);
}

/** Returns the cells and constants in an expression. */
function comparedIn(
  expr: Expr,
  tables: readonly Tables[],
  reader: Reader,
): { readonly cells: readonly Cell[]; readonly constants: readonly Scalar[] } {
  const constants: Scalar[] = [];
  const collect = (each: Expr): void => {
    const constant = constantOf(each);
    if (constant !== undefined) append(constants, listedIn(constant));
    else if (each.kind !== 'subquery' && cellOfExpr(each, tables, reader) === undefined)
      for (const child of children(each)) collect(child);
  };
  collect(expr);
  return { cells: cellsOfExpr(expr, tables, reader), constants };
}

function cellsOfExpr(expr: Expr, tables: readonly Tables[], reader: Reader): readonly Cell[] {
  const cell = cellOfExpr(expr, tables, reader);
  return cell === undefined ? children(expr).flatMap((child) => cellsOfExpr(child, tables, reader)) : [cell];
}

function cellOfExpr(expr: Expr, tables: readonly Tables[], reader: Reader): Cell | undefined {
  switch (expr.kind) {
    case 'reference':
      return cellOfReference(expr, tables, reader);
    case 'call':
      return cellOfCall(expr.schema?.text, expr.name.text, expr.args);
    case 'member': {
      const inside = cellOfExpr(expr.operand, tables, reader);
      const { value } = expr.key;
      const names = value.type === 'text' ? namesOfKey(value.value) : undefined;
      return inside && names && { ...inside, path: [...inside.path, ...names] };
    }
    default:
      return undefined;
  }
}

/**
 * Returns the cell of a column. A column without a table belongs to the innermost SELECT with a table that has or may have the
 * column.
 */
function cellOfReference(
  { table: name, column: { text: column } }: Expr & { kind: 'reference' },
  tables: readonly Tables[],
  reader: Reader,
): Cell | undefined {
  const mayHave = (source: NamedSource, answers: readonly string[]): boolean =>
    'table' in source ? answers.includes(reader.has(source.table, column)) : column === 'value';
  const candidates = tables.map((scope) =>
    [...scope].filter(([alias]) => name === undefined || alias === name.text),
  );
  const scope = candidates.find((sources) =>
    sources.some(([, each]) => name !== undefined || mayHave(each, ['yes', 'maybe'])),
  );
  const found = (scope?.find(([, each]) => mayHave(each, ['yes'])) ??
    scope?.find(([, each]) => mayHave(each, ['maybe'])) ??
    scope?.[0])?.[1];
  if (found === undefined) return undefined;
  const isSure = name !== undefined || mayHave(found, ['yes']);
  const others = candidates.filter((each) => each !== scope).flat();
  if (!isSure && others.some(([, each]) => mayHave(each, ['yes', 'maybe']))) reader.limits.add('columns');
  if ('table' in found) return { of: { table: found.table }, path: [reader.spell(found.table, column)] };
  const list = cellOfExpr(found.list, tables, reader);
  return list && column === 'value' ? { ...list, isElement: true } : undefined;
}

function cellOfCall(schema: string | undefined, name: string, args: readonly Expr[]): Cell | undefined {
  if (schema !== 'auth' && schema !== 'connection') return undefined;
  const of = { part: schema } as const;
  if (name === 'user_id') return { of, path: ['sub'] };
  const [first] = args;
  if (name !== 'parameter' || first?.kind !== 'literal' || first.value.type !== 'text') return undefined;
  const path = namesOfKey(first.value.value);
  return path && { of, path };
}
