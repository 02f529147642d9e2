/** The conditions joined by AND, and the tables to which they refer. */
import { append } from '../../engine/ground/append.ts';
import type { Expr, FromItem, Reference, Select, Star } from '../../engine/sql/ast.ts';
import { children } from '../../engine/sql/walk.ts';

/** Returns the conditions in reading order. An AND in parentheses is not split. */
export function conjunctsOf(expr: Expr | undefined): readonly Expr[] {
  if (!expr) return [];
  if (expr.kind !== 'binary' || expr.op !== 'AND') return [expr];
  const left = expr.left.outer ? [expr.left] : conjunctsOf(expr.left);
  const right = expr.right.outer ? [expr.right] : conjunctsOf(expr.right);
  return [...left, ...right];
}

/** Returns the references of an expression, without those in subqueries. */
export function referencesIn(expr: Expr): readonly (Reference | Star)[] {
  const found: Expr[] = [expr];
  for (let index = 0; index < found.length; index++) append(found, children(found[index] as Expr));
  return found.filter((one): one is Reference | Star => one.kind === 'reference' || one.kind === 'star');
}

export function hasSubquery(expr: Expr): boolean {
  const found: Expr[] = [expr];
  for (let index = 0; index < found.length; index++) append(found, children(found[index] as Expr));
  return found.some(({ kind }) => kind === 'subquery');
}

export function nameOf({ source }: FromItem): string | undefined {
  if (source.alias) return source.alias.name.text.toLowerCase();
  return source.kind === 'subquery' ? undefined : source.name.text.toLowerCase();
}

/** Returns all expressions of a SELECT except those in subqueries of FROM. */
export function ownExpressions({ columns, from, where }: Select): readonly Expr[] {
  return [
    ...columns.map(({ expr }) => expr),
    ...from.flatMap(({ source, join }) => [
      ...(source.kind === 'function' ? source.args : []),
      ...(join?.on ? [join.on] : []),
    ]),
    ...(where ? [where] : []),
  ];
}

export function writeSelect(columns: string, from: readonly string[], conditions: readonly string[]): string {
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
  return `SELECT ${columns} FROM ${from.join(', ')}${where}`;
}
