/** Builds values from other values: the common code for expressions, calls, lists and conditions. */
import type { Args, Code } from '../../diagnostics/diagnostics.ts';
import type { Expr } from '../../sql/ast.ts';
import type { Expression, Operator } from '../expression.ts';
import { type ExpressionPlace, originOf } from './compilation.ts';
import { type DependentValue, joinUses } from './relations.ts';

/** The maximum depth of a plan's expressions, so that later stages can recurse over them. */
const deepest = 1_000;

/** The maximum number of nodes in an expression. Columns of nested subqueries can double the number at every level. */
const largest = 100_000;

/** Returns the value of an expression; undefined after a problem. */
export function toValue(place: ExpressionPlace, expr: Expr): DependentValue | undefined {
  return place.c.translate(place, expr);
}

export function refuse<C extends Code>(
  place: ExpressionPlace,
  expr: Expr,
  code: C,
  args: Args<C>,
): undefined {
  place.text.report(code, expr.span, args);
  return undefined;
}

/** Returns all values; undefined if one is missing. */
export function allPresent(
  parts: readonly (DependentValue | undefined)[],
): readonly DependentValue[] | undefined {
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

/** Combines values into one. */
export function combine(
  place: ExpressionPlace,
  expr: Expr,
  parts: readonly DependentValue[],
  expression: Expression,
): DependentValue | undefined {
  let size = 1;
  let depth = 0;
  for (const part of parts) {
    size += part.size;
    if (part.depth > depth) depth = part.depth;
  }
  if (size > largest || depth >= deepest) {
    return refuse(place, expr, 'unsupported-expression', { what: 'An expression this large' });
  }
  return { expression, uses: joinUses(parts), size, depth: depth + 1 };
}

export function operation(
  place: ExpressionPlace,
  expr: Expr,
  op: Operator,
  operands: readonly (DependentValue | undefined)[],
): DependentValue | undefined {
  const parts = allPresent(operands);
  if (!parts) return undefined;
  const args = parts.map(({ expression }) => expression);
  return combine(place, expr, parts, { kind: 'operation', op, args, at: originOf(place.text, expr.span) });
}

export function negate(
  place: ExpressionPlace,
  expr: Expr,
  value: DependentValue | undefined,
): DependentValue | undefined {
  return operation(place, expr, 'not', [value]);
}
