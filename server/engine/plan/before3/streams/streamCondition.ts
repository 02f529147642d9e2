/**
 * Reads the WHERE of a stream of edition 2 and of its subqueries: AND, OR and NOT of comparisons. NOT is pushed down to the
 * individual comparisons.
 */
import type { Binary, Expr, In, Subquery } from '../../../sql/ast.ts';
import type { Expression } from '../../expression.ts';
import { classify } from '../conditions/classify.ts';
import { combineClauses } from '../conditions/combine.ts';
import type { BucketCondition } from '../conditions/condition.ts';
import { asMatch } from '../conditions/matches.ts';
import { countMerged, isTest, merge } from '../conditions/merging.ts';
import { originIn } from '../place.ts';
import type { ReadingScope } from '../scope.ts';

/** The differences between a stream and its subqueries, which support fewer conditions. */
export interface ConditionRules {
  readonly negatedMatch: 'negated-match' | 'subquery-condition';
  /** Reads `x IN (SELECT …)` or `x && (SELECT …)`. */
  readonly readMember: (scope: ReadingScope, expr: MemberTest) => BucketCondition | undefined;
  /** Whether a condition that depends on more than the row alone or the request alone is allowed. */
  readonly accept: (scope: ReadingScope, expr: Expr, condition: BucketCondition) => boolean;
}

export type MemberTest = (In | Binary) & { readonly right: Subquery };

/** The NOT around a condition. */
interface Negation {
  /** The expression to mark if the condition cannot be negated. Absent after an even number of NOTs. */
  readonly mark?: Expr;
  /** The distance from the NOT: directly inside it, or deeper. Absent if there is no NOT. */
  readonly depth?: 'top' | 'inside';
}

export function readCondition(
  scope: ReadingScope,
  rules: ConditionRules,
  expr: Expr,
  negation: Negation = {},
): BucketCondition | undefined {
  if (expr.kind === 'unary' && expr.op === 'NOT') {
    return readCondition(scope, rules, expr.operand, negate(negation, expr));
  }
  if (expr.kind === 'binary' && (expr.op === 'AND' || expr.op === 'OR')) {
    return readGroup(scope, rules, expr, negation);
  }
  if (expr.kind === 'in' && expr.negated) {
    const condition = readCondition(scope, rules, { ...expr, negated: false }, negate(negation, expr));
    return condition && isTest(condition) ? { ...condition, apart: true } : condition;
  }
  const condition = readComparison(scope, rules, expr);
  if (!condition) return undefined;
  if (isTest(condition)) {
    return negation.mark ? { ...condition, value: negateValue(condition.value) } : condition;
  }
  if (negation.mark) {
    scope.report(rules.negatedMatch, negation.mark.span, {});
    return undefined;
  }
  return rules.accept(scope, expr, condition) ? condition : undefined;
}

/** Adds a NOT. Two NOTs, one directly inside the other, cancel out. */
function negate({ mark, depth }: Negation, not: Expr): Negation {
  if (depth === 'top') return {};
  return { ...(!mark && { mark: not }), depth: depth ?? 'top' };
}

function negateValue(value: Expression): Expression {
  return { kind: 'operation', op: 'not', args: [value], at: value.at };
}

/** Reads a chain of one operator, using De Morgan's laws if it is negated. */
function readGroup(
  scope: ReadingScope,
  rules: ConditionRules,
  expr: Binary,
  { mark, depth }: Negation,
): BucketCondition | undefined {
  const parts: BucketCondition[] = [];
  let complete = true;
  for (const operand of operandsOf(expr)) {
    const part = readCondition(scope, rules, operand, {
      ...(mark && { mark: operand }),
      ...(depth && { depth: 'inside' }),
    });
    if (part) parts.push(part);
    else complete = false;
  }
  if (!complete) return undefined;
  const kind = (expr.op === 'AND') === (mark === undefined) ? 'and' : 'or';
  if (kind === 'or' && depth && countMerged(parts) > (depth === 'top' ? 2 : 1)) {
    const what =
      'Because of the NOT, this is an OR inside another condition, which no service can read. Apply the NOT to each part instead.';
    scope.report('internal-error', expr.span, { what });
    return undefined;
  }
  const group = merge(kind, parts, originIn(scope, expr.span));
  return isTest(group) || rules.accept(scope, expr, group) ? group : undefined;
}

/** Returns the operands from left to right. The chain may be thousands long, so this does not recurse. */
function operandsOf(chain: Binary): readonly Expr[] {
  const operands: Expr[] = [];
  let rest: Expr = chain;
  while (rest.kind === 'binary' && rest.op === chain.op) {
    operands.push(rest.right);
    rest = rest.left;
  }
  return [...operands, rest].reverse();
}

function readComparison(scope: ReadingScope, rules: ConditionRules, expr: Expr): BucketCondition | undefined {
  if (isMember(expr)) return rules.readMember(scope, expr);
  if (expr.kind === 'binary' && expr.op === '&&') return readOverlap(scope, expr);
  return asMatch(scope, expr, classify(scope, expr))?.condition;
}

function isMember(expr: Expr): expr is MemberTest {
  if (expr.kind !== 'in' && !(expr.kind === 'binary' && expr.op === '&&')) return false;
  return expr.right.kind === 'subquery';
}

/** Reads an overlap of two JSON arrays. If the request is on the left, a service searches the array for its value. */
function readOverlap(scope: ReadingScope, expr: Binary): BucketCondition | undefined {
  const left = classify(scope, expr.left);
  const right = classify(scope, expr.right);
  const at = originIn(scope, expr.span);
  if (left?.kind === 'row' && right?.kind === 'request') {
    return { kind: 'overlap', row: left.expression, array: right.expression, at };
  }
  if (left?.kind === 'request' && right?.kind === 'row') {
    return {
      kind: 'in row',
      row: right.expression,
      parameter: { kind: 'request', value: left.expression },
      at,
    };
  }
  const operands = [
    [left, expr.left],
    [right, expr.right],
  ] as const;
  const value = combineClauses(scope, expr, operands, (args) => ({
    kind: 'operation',
    op: 'overlap',
    args,
    at,
  }));
  return asMatch(scope, expr, value)?.condition;
}
