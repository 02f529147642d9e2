/**
 * WHERE of a stream of edition 2, and of its subqueries: AND, OR and NOT of comparisons, where NOT is pushed down
 * to the single comparisons.
 */
import type { Binary, Expr, In, Subquery } from '../../sql/ast.ts';
import type { Expression } from '../expression.ts';
import { classify } from './classify.ts';
import { combine } from './combine.ts';
import type { Condition, Group } from './condition.ts';
import { asMatch } from './matches.ts';
import { originOf, type Scope } from './scope.ts';

/** What differs between a stream and its subqueries, which know less. */
export interface ConditionRules {
  readonly negatedMatch: 'negated-match' | 'subquery-condition';
  /** `x IN (SELECT …)` or `x && (SELECT …)`. */
  readonly readMember: (scope: Scope, expr: Member) => Condition | undefined;
  /** A condition that is not of the row alone, nor of the request alone. */
  readonly accept: (scope: Scope, expr: Expr, condition: Condition) => boolean;
}

export type Member = (In | Binary) & { readonly right: Subquery };

/** `negation` is what to mark if this cannot be negated; absent if it is not negated. */
export function readCondition(
  scope: Scope,
  rules: ConditionRules,
  expr: Expr,
  negation?: Expr,
): Condition | undefined {
  if (expr.kind === 'unary' && expr.op === 'NOT') {
    return readCondition(scope, rules, expr.operand, negation ? undefined : expr);
  }
  if (expr.kind === 'binary' && (expr.op === 'AND' || expr.op === 'OR')) {
    return readGroup(scope, rules, expr, negation);
  }
  if (expr.kind === 'in' && expr.negated) {
    return readCondition(scope, rules, { ...expr, negated: false }, negation ? undefined : expr);
  }
  const condition = readComparison(scope, rules, expr);
  if (!condition) return undefined;
  if (condition.kind === 'row' || condition.kind === 'request') {
    return negation ? { ...condition, value: negated(condition.value) } : condition;
  }
  if (negation) {
    scope.report(rules.negatedMatch, negation.span, {});
    return undefined;
  }
  return rules.accept(scope, expr, condition) ? condition : undefined;
}

function negated(value: Expression): Expression {
  return { kind: 'operation', op: 'not', args: [value], at: value.at };
}

/** A chain of one operator, by De Morgan's laws if it is negated. */
function readGroup(
  scope: Scope,
  rules: ConditionRules,
  expr: Binary,
  negation?: Expr,
): Condition | undefined {
  const parts: Condition[] = [];
  let complete = true;
  for (const operand of operandsOf(expr)) {
    const part = readCondition(scope, rules, operand, negation && operand);
    if (part) parts.push(part);
    else complete = false;
  }
  if (!complete) return undefined;
  const kind = (expr.op === 'AND') === (negation === undefined) ? 'and' : 'or';
  const group = merge(kind, parts, originOf(scope, expr.span));
  return group.kind === 'row' || group.kind === 'request' || rules.accept(scope, expr, group)
    ? group
    : undefined;
}

/** From left to right; the chain may be thousands long. */
function operandsOf(chain: Binary): readonly Expr[] {
  const operands: Expr[] = [];
  let rest: Expr = chain;
  while (rest.kind === 'binary' && rest.op === chain.op) {
    operands.push(rest.right);
    rest = rest.left;
  }
  return [...operands, rest].reverse();
}

/** What concerns the row alone, or the request alone, is one condition. */
function merge(kind: Group['kind'], parts: readonly Condition[], at: Expression['at']): Condition {
  const merged: Condition[] = parts.filter((part) => part.kind !== 'row' && part.kind !== 'request');
  for (const side of ['row', 'request'] as const) {
    const args = parts.flatMap((part) => (part.kind === side ? [part.value] : []));
    const [first, ...others] = args;
    if (!first) continue;
    const value: Expression = others.length === 0 ? first : { kind: 'operation', op: kind, args, at };
    merged.push({ kind: side, value });
  }
  const [only, ...others] = merged;
  return only && others.length === 0 ? only : { kind, parts: merged };
}

function readComparison(scope: Scope, rules: ConditionRules, expr: Expr): Condition | undefined {
  if (isMember(expr)) return rules.readMember(scope, expr);
  if (expr.kind === 'binary' && expr.op === '&&') return readOverlap(scope, expr);
  return asMatch(scope, expr, classify(scope, expr))?.condition;
}

function isMember(expr: Expr): expr is Member {
  if (expr.kind !== 'in' && !(expr.kind === 'binary' && expr.op === '&&')) return false;
  return expr.right.kind === 'subquery';
}

/** Two JSON arrays share an element. */
function readOverlap(scope: Scope, expr: Binary): Condition | undefined {
  const left = classify(scope, expr.left);
  const right = classify(scope, expr.right);
  const at = originOf(scope, expr.span);
  if (left?.kind === 'row' && right?.kind === 'request') {
    return { kind: 'overlap', row: left.expression, array: right.expression, at };
  }
  if (left?.kind === 'request' && right?.kind === 'row') {
    return { kind: 'overlap', row: right.expression, array: left.expression, at };
  }
  const operands = [
    [left, expr.left],
    [right, expr.right],
  ] as const;
  const value = combine(scope, expr, operands, (args) => ({ kind: 'operation', op: 'overlap', args, at }));
  return asMatch(scope, expr, value)?.condition;
}
