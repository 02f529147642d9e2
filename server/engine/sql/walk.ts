/** Visits nodes of the syntax tree. */
import { append } from '../ground/append.ts';
import type { Expr, Select, Statement } from './ast.ts';

/** Returns the direct child expressions of an expression, in reading order, without those in subqueries. */
export function children(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'binary':
    case 'in':
      return [expr.left, expr.right];
    case 'unary':
    case 'is':
    case 'cast':
    case 'member':
      return [expr.operand];
    case 'between':
      return [expr.operand, expr.low, expr.high];
    case 'index':
      return [expr.operand, expr.index];
    case 'call':
    case 'special':
      return expr.args;
    case 'list':
      return expr.items;
    case 'case':
      return [
        ...(expr.operand ? [expr.operand] : []),
        ...expr.branches.flatMap((branch) => [branch.when, branch.then]),
        ...(expr.otherwise ? [expr.otherwise] : []),
      ];
    default:
      return [];
  }
}

/** Returns the direct expressions of a statement, in reading order, without those in subqueries of FROM. */
export function expressionsOf(statement: Statement): readonly Expr[] {
  if (statement.kind === 'other') return [];
  return [
    ...statement.columns.map((column) => column.expr),
    ...statement.from.flatMap(({ source, join }) => [
      ...(source.kind === 'function' ? source.args : []),
      ...(join?.on ? [join.on] : []),
    ]),
    ...(statement.where ? [statement.where] : []),
  ];
}

/** Returns a SELECT and its subqueries, outermost first. */
export function selectsIn(statement: Statement): readonly Select[] {
  const found: Select[] = statement.kind === 'select' ? [statement] : [];
  for (let index = 0; index < found.length; index++) append(found, innerSelects(found[index] as Select));
  return found;
}

function innerSelects(select: Select): readonly Select[] {
  const statements = [
    ...select.from.flatMap(({ source }) => (source.kind === 'subquery' ? [source.query] : [])),
    ...expressionsIn(select).flatMap((expr) => (expr.kind === 'subquery' ? [expr.query] : [])),
  ];
  return statements.flatMap((inner) => (inner.kind === 'select' ? [inner] : []));
}

/**
 * Returns all expressions of a SELECT, outermost first, without those of its subqueries. Does not recurse, because chains may be
 * thousands long.
 */
export function expressionsIn(select: Select): readonly Expr[] {
  const found: Expr[] = [...expressionsOf(select)];
  for (let index = 0; index < found.length; index++)
    for (const child of children(found[index] as Expr)) found.push(child);
  return found;
}
