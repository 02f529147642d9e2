/** Compiles table functions: json_each in FROM, and the implicit one of IN and &&. */
import type { Expr, FunctionSource } from '../../sql/ast.ts';
import { tableFunctions } from '../../sql/functions.ts';
import { nearest } from '../../text/nearest.ts';
import type { Origin } from '../expression.ts';
import { type ExpressionPlace, leaf, originOf } from './compilation.ts';
import { dependencyOf, reportMixed } from './dependency.ts';
import type { BrokenRelation, DependentValue, FunctionRelation } from './relations.ts';
import { toValue } from './values.ts';

/** Opens a table function in FROM. */
export function openFunction(
  place: ExpressionPlace,
  syntax: FunctionSource,
): FunctionRelation | BrokenRelation {
  const { c, text, buried } = place;
  const name = (syntax.alias?.name ?? syntax.name).text;
  const callee = syntax.name.text;
  if (!tableFunctions.has(callee)) {
    const near = nearest(callee, tableFunctions);
    text.report('unknown-table-function', syntax.callSpan, { name: callee, near });
  }
  const args = syntax.args.map((arg) => argument(place, callee, arg));
  const chained = args.find((arg) => arg?.chained)?.chained;
  const bases = new Set(args.map((arg) => arg?.base));
  if (bases.has(undefined)) return { kind: 'broken', name };
  if (bases.size > 1) text.report('function-inputs', syntax.span, { name: callee });
  return {
    kind: 'function',
    id: c.nextId++,
    name,
    callee,
    args: args.flatMap((arg) => (arg ? [arg.value.expression] : [])),
    base: args[0]?.base ?? 'constants',
    syntax,
    text,
    at: originOf(text, syntax.span),
    tested: false,
    ...(chained && { chained }),
    ...(buried && { buried }),
  };
}

interface Argument {
  readonly value: DependentValue;
  readonly base: FunctionRelation['base'];
  readonly chained?: Origin;
}

function argument(place: ExpressionPlace, callee: string, expr: Expr): Argument | undefined {
  const value = toValue(place, expr);
  return value && withBase(place, callee, expr, value);
}

function withBase(
  { text }: ExpressionPlace,
  callee: string,
  expr: Expr,
  value: DependentValue,
): Argument | undefined {
  const dependency = dependencyOf(value.uses, reportMixed);
  if (dependency === 'mixed') return undefined;
  if (dependency === undefined) return { value, base: 'constants' };
  if (dependency.kind === 'function') {
    text.report('function-chained', expr.span, { name: callee });
    return undefined;
  }
  const base = dependency.kind === 'table' ? dependency : 'request';
  const isChained = value.uses.some(({ of }) => of.kind === 'function');
  return { value, base, ...(isChained && { chained: originOf(text, expr.span) }) };
}

/** The use of a list's elements next to IN or &&. */
export type ListUse = 'expanded' | 'tested';

/** Returns an element of a list next to IN or &&. If the list is only tested, the value may be used only for its dependencies. */
export function elementOf(
  place: ExpressionPlace,
  operator: Expr,
  list: Expr,
  value: DependentValue,
  use: ListUse,
): DependentValue | undefined {
  const { c, text } = place;
  const callee = 'json_each';
  const arg = withBase(place, callee, list, value);
  if (!arg) return undefined;
  const relation: FunctionRelation = {
    kind: 'function',
    id: c.nextId++,
    name: callee,
    callee,
    args: [value.expression],
    base: arg.base,
    text,
    at: originOf(text, operator.span),
    tested: use === 'tested',
    ...(arg.chained && { chained: arg.chained }),
  };
  const at = originOf(text, list.span);
  return leaf({ kind: 'element', expansion: relation.id, name: 'value', at }, { of: relation, text, at });
}
