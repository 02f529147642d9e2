/**
 * Finds every name in one SQL text and its meaning from the syntax alone, in all editions and even in half-typed text. Names are
 * looked up in the same way as in the compiler; a test compares both.
 */
import { append } from '../ground/append.ts';
import {
  declare,
  findItem,
  type OpenScope,
  onlyItem,
  openScope,
  type Scope,
  upToHere,
} from '../model/scope.ts';
import type {
  Expr,
  FromItem,
  FunctionCall,
  Name,
  Reference,
  Select,
  SelectColumn,
  Statement,
  TableSource,
} from '../sql/ast.ts';
import { children } from '../sql/walk.ts';
import { parameterOf, parameterTableOf } from './parameters.ts';
import {
  columnSymbol,
  type Mention,
  type MentionRole,
  type NameSymbol,
  outputSymbol,
  parameterSymbol,
  subscriptionSymbol,
  tableSymbol,
} from './symbols.ts';

/** The context of an SQL text. */
export interface TextSurroundings {
  /** The key of the text, to which its own names belong. */
  readonly owner: string;
  /** The stream whose subscriptions the text reads; empty in a CTE of all streams. */
  readonly reader: string;
  readonly defaultSchema: string;
  readonly findCte: (name: string) => NameSymbol | undefined;
  /** Returns the symbol that other texts use for an output column of the query. */
  readonly output: (name: string) => NameSymbol;
  /** Returns the symbol of `bucket.name`; absent if that has no meaning here. */
  readonly bucketParameter?: (name: string) => NameSymbol;
}

interface Item {
  readonly name: string;
  /** The meaning of the item's name before a dot. */
  readonly symbol?: NameSymbol;
  /** Returns the meaning of one of the item's columns. */
  readonly column: (name: string) => NameSymbol | undefined;
}

interface Binder extends TextSurroundings {
  readonly mentions: Mention[];
}

/** Returns the names in no particular order. The first statement is the query; services ignore any other. */
export function bindNames(
  statements: readonly Statement[],
  surroundings: TextSurroundings,
): readonly Mention[] {
  const binder: Binder = { ...surroundings, mentions: [] };
  const [query] = statements;
  if (query?.kind === 'select') bindSelect(binder, query, undefined, surroundings.output);
  return binder.mentions;
}

type OutputNames = ((name: string) => NameSymbol) | undefined;

function bindSelect(b: Binder, select: Select, parent: Scope<Item> | undefined, output: OutputNames): void {
  const scope = openScope<Item>(select, parent);
  for (const item of select.from) bindFrom(b, scope, parent, item);
  for (const column of select.columns) {
    bindExpression(b, scope, column.expr);
    if (output) bindOutput(b, column, output);
  }
  if (select.where) bindExpression(b, scope, select.where);
}

function bindFrom(
  b: Binder,
  scope: OpenScope<Item>,
  parent: Scope<Item> | undefined,
  { source, join }: FromItem,
): void {
  if (source.kind === 'function') for (const arg of source.args) bindExpression(b, scope, arg);
  const item = source.kind === 'table' ? tableItem(b, source) : derivedItem(b, parent, source);
  if (item) declare(scope, item);
  if (join?.on) bindExpression(b, upToHere(scope), join.on);
}

function tableItem(b: Binder, { schema, name, alias }: TableSource): Item {
  const cte = schema ? undefined : b.findCte(name.text);
  const table = tableSymbol(schema?.text ?? b.defaultSchema, name.text);
  const symbol = cte ?? table;
  mention(b, symbol, name, 'reference');
  const column = (columnName: string) =>
    cte ? outputSymbol(cte.key, columnName) : table.table && columnSymbol(table.table, columnName);
  if (!alias) return { name: name.text, symbol, column };
  return { name: alias.name.text, symbol: declareAlias(b, alias.name), column };
}

function derivedItem(
  b: Binder,
  parent: Scope<Item> | undefined,
  source: Exclude<FromItem['source'], TableSource>,
): Item | undefined {
  const { alias } = source;
  const symbol = alias && declareAlias(b, alias.name);
  if (source.kind === 'function')
    return { name: (alias?.name ?? source.name).text, ...(symbol && { symbol }), column: () => undefined };
  const of = symbol?.key ?? aliasKey(b, source.span.start);
  const own = (name: string) => outputSymbol(of, name);
  for (const name of alias?.columns ?? []) mention(b, own(name.text), name, 'declaration');
  if (source.query.kind === 'select') bindSelect(b, source.query, parent, alias?.columns ? undefined : own);
  return alias && { name: alias.name.text, ...(symbol && { symbol }), column: own };
}

function declareAlias(b: Binder, name: Name): NameSymbol {
  const symbol: NameSymbol = { kind: 'alias', key: aliasKey(b, name.span.start), name: name.text };
  mention(b, symbol, name, 'declaration');
  return symbol;
}

function aliasKey({ owner }: Binder, offset: number): string {
  return JSON.stringify(['alias', owner, offset]);
}

function bindOutput(b: Binder, { alias, expr }: SelectColumn, output: (name: string) => NameSymbol): void {
  if (alias) mention(b, output(alias.text), alias, 'declaration');
  else if (expr.kind === 'reference') mention(b, output(expr.column.text), expr.column, 'implied');
}

/**
 * Binds an expression. Chains of operators may be thousands long, so this recurses only into subqueries, whose depth the parser
 * limits.
 */
function bindExpression(b: Binder, scope: Scope<Item>, root: Expr): void {
  const waiting: Expr[] = [root];
  for (let expr = waiting.pop(); expr !== undefined; expr = waiting.pop()) {
    if (isSet(b, expr)) bindSet(b, expr, waiting);
    else append(waiting, children(expr));
    bindNode(b, scope, expr);
  }
}

function bindNode(b: Binder, scope: Scope<Item>, expr: Expr): void {
  switch (expr.kind) {
    case 'reference':
      bindReference(b, scope, expr);
      break;
    case 'star':
      if (expr.table) bindItemName(b, scope, expr.table);
      break;
    case 'call':
      bindCall(b, scope, expr);
      break;
    case 'member':
      bindParameter(b, expr);
      break;
    case 'subquery':
      if (expr.query.kind === 'select') bindSelect(b, expr.query, scope, undefined);
      break;
    case 'unreadable':
      if (expr.names?.[0]) bindItemName(b, scope, expr.names[0]);
      break;
  }
}

function bindReference(b: Binder, scope: Scope<Item>, { table, column }: Reference): void {
  const symbol =
    (table && requestSymbol(b, scope, table.text, column.text)) ?? columnOf(b, scope, table, column);
  if (symbol) mention(b, symbol, column, 'reference');
}

/** Returns the symbol of a name that looks like a column of a table, but belongs to the bucket or to the request. */
function requestSymbol(b: Binder, scope: Scope<Item>, table: string, column: string): NameSymbol | undefined {
  if (table === 'bucket') return b.bucketParameter?.(column);
  const part = findItem(scope, table) ? undefined : parameterTableOf(table);
  return part && parameterSymbol(part, column);
}

function columnOf(
  b: Binder,
  scope: Scope<Item>,
  table: Name | undefined,
  column: Name,
): NameSymbol | undefined {
  const item = table ? bindItemName(b, scope, table) : onlyItem(scope);
  return item?.column(column.text);
}

function bindItemName(b: Binder, scope: Scope<Item>, name: Name): Item | undefined {
  const item = findItem(scope, name.text);
  if (item?.symbol) mention(b, item.symbol, name, 'reference');
  return item;
}

/** Binds a call: `t.schema()` names a table, and `auth.parameter('x')` a value of the request. */
function bindCall(b: Binder, scope: Scope<Item>, call: FunctionCall): void {
  if (parameterOf(call)) bindParameter(b, call);
  else if (call.schema) bindItemName(b, scope, call.schema);
}

function bindParameter(b: Binder, expr: Expr): void {
  const found = parameterOf(expr);
  if (!found) return;
  const { part, name, span } = found;
  const symbol = part === 'subscription' ? subscriptionSymbol(b.reader, name) : parameterSymbol(part, name);
  b.mentions.push({ symbol, role: 'reference', span });
}

/** Whether an operand of IN or && is the name of a CTE. */
function isSet({ findCte }: Binder, expr: Expr): boolean {
  return setSides(expr).some((side) => isBareName(side) && findCte(side.column.text) !== undefined);
}

function bindSet(b: Binder, expr: Expr, waiting: Expr[]): void {
  const sides = setSides(expr);
  for (const child of children(expr)) {
    const cte = sides.includes(child) && isBareName(child) ? b.findCte(child.column.text) : undefined;
    if (cte && isBareName(child)) mention(b, cte, child.column, 'reference');
    else waiting.push(child);
  }
}

function setSides(expr: Expr): readonly Expr[] {
  if (expr.kind === 'in') return [expr.right];
  return expr.kind === 'binary' && expr.op === '&&' ? [expr.left, expr.right] : [];
}

function isBareName(expr: Expr): expr is Reference {
  return expr.kind === 'reference' && expr.table === undefined;
}

function mention(b: Binder, symbol: NameSymbol, { span }: Name, role: MentionRole): void {
  b.mentions.push({ symbol, role, span });
}
