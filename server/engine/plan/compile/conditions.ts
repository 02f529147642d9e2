/**
 * Compiles WHERE and ON to a tree of AND and OR over terms. NOT is pushed down to the terms, where it becomes part of their values.
 * `!=`, `NOT IN` and `NOT BETWEEN` count as NOT of the positive form.
 */
import type { Between, Binary, Expr, In, Is } from '../../sql/ast.ts';
import type { Origin } from '../expression.ts';
import { type ExpressionPlace, originOf } from './compilation.ts';
import { elementOf } from './expansion.ts';
import { bury, isSet, memberOf, overlapSides, testedIn, testedOverlap, translateList } from './membership.ts';
import type { CompiledText, DependentValue } from './relations.ts';
import type { SetMember } from './select.ts';
import { negate, operation, toValue } from './values.ts';

/** A condition that is not split further. */
export interface Term {
  readonly kind: 'term';
  readonly value: DependentValue;
  /** The sides of an equality, which may depend on different things. */
  readonly sides?: { readonly left: DependentValue; readonly right: DependentValue };
  readonly text: CompiledText;
  readonly at: Origin;
}

interface Group {
  readonly kind: 'all' | 'any';
  readonly parts: readonly ConditionTree[];
}

export type ConditionTree = Term | Group;

/**
 * Returns undefined after a problem. The rest of the condition is still checked.
 *
 * @param not the entire NOT that negates the condition. It is shown to the user, because its operand alone would mean the opposite.
 */
export function conditionOf(
  place: ExpressionPlace,
  expr: Expr,
  isNegated: boolean,
  not?: Origin,
): ConditionTree | undefined {
  if (expr.kind === 'unary' && expr.op === 'NOT') {
    const own = isNegated ? undefined : originOf(place.text, expr.span);
    return conditionOf(place, expr.operand, !isNegated, own);
  }
  if (expr.kind === 'binary' && (expr.op === 'AND' || expr.op === 'OR')) {
    const kind = (expr.op === 'AND') === isNegated ? 'any' : 'all';
    return groupOf(kind, chain(place, expr, isNegated, not));
  }
  const single = singleCondition(place, expr, isNegated);
  return not && single?.kind === 'term' ? shownAt(not, single) : single;
}

function shownAt(at: Origin, { value, ...term }: Term): Term {
  return { ...term, value: { ...value, expression: { ...value.expression, at } }, at };
}

function singleCondition(place: ExpressionPlace, expr: Expr, isNegated: boolean): ConditionTree | undefined {
  switch (expr.kind) {
    case 'binary':
      return binaryCondition(place, expr, isNegated);
    case 'in':
      return membershipCondition(place, expr, isNegated);
    case 'between':
      return complement(place, expr, isNegated);
    case 'is':
      return complement(place, expr, isNegated);
    default:
      return term(place, expr, toValue(place, expr), isNegated);
  }
}

function binaryCondition(
  place: ExpressionPlace,
  expr: Binary,
  isNegated: boolean,
): ConditionTree | undefined {
  switch (expr.op) {
    case '&&':
      return overlapCondition(place, expr, isNegated);
    case '=':
      return equality(place, expr, toValue(place, expr.left), toValue(place, expr.right), isNegated);
    case '!=':
    case '<>':
      return equality(place, expr, toValue(place, expr.left), toValue(place, expr.right), !isNegated);
    default:
      return term(place, expr, toValue(place, expr), isNegated);
  }
}

/**
 * Compiles IN. A subquery or CTE next to IN is a join with an equality. A list is expanded, or tested as one value if it is
 * negated.
 */
function membershipCondition(
  place: ExpressionPlace,
  expr: In,
  isNegated: boolean,
): ConditionTree | undefined {
  const { right } = expr;
  const isComplement = isNegated !== expr.negated;
  const left = toValue(place, expr.left);
  if (isSet(place.text, right)) {
    const member = memberOf(isComplement ? bury(place, expr) : place, right);
    return joinCondition(place, expr, left, member, isComplement);
  }
  if (right.kind === 'list' || expr.negated || isNegated) {
    return term(place, expr, testedIn(place, expr, left), isComplement);
  }
  const list = translateList(place, expr);
  const element = list && elementOf(place, expr, right, list, 'expanded');
  return equality(place, expr, left, element, false);
}

function joinCondition(
  place: ExpressionPlace,
  expr: In,
  left: DependentValue | undefined,
  member: SetMember | undefined,
  isComplement: boolean,
): ConditionTree | undefined {
  if (!member) return undefined;
  return groupOf(isComplement ? 'any' : 'all', [
    equality(place, expr, left, member.column, isComplement),
    ...member.restrictions.map((each) => conditionOf(each.place, each.expr, isComplement)),
  ]);
}

function overlapCondition(
  place: ExpressionPlace,
  expr: Binary,
  isNegated: boolean,
): ConditionTree | undefined {
  const { left, right, restrictions } = overlapSides(
    isNegated ? bury(place, expr) : place,
    expr,
    isNegated ? 'tested' : 'expanded',
  );
  const match = isNegated
    ? term(place, expr, testedOverlap(place, expr, left, right), true)
    : equality(place, expr, left?.element, right?.element, false);
  const others = restrictions.map((each) => conditionOf(each.place, each.expr, isNegated));
  return groupOf(isNegated ? 'any' : 'all', [match, ...others]);
}

/** Returns the operands of a chain of AND or OR, which is deep on its left side. */
function chain(
  place: ExpressionPlace,
  expr: Binary,
  isNegated: boolean,
  not: Origin | undefined,
): (ConditionTree | undefined)[] {
  const operands: Expr[] = [];
  let node: Expr = expr;
  while (node.kind === 'binary' && node.op === expr.op) {
    operands.push(node.right);
    node = node.left;
  }
  operands.push(node);
  return operands.reverse().map((operand) => conditionOf(place, operand, isNegated, not));
}

/** Groups the parts that have no problem. */
export function groupOf(
  kind: Group['kind'],
  parts: readonly (ConditionTree | undefined)[],
): ConditionTree | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length > 1 ? { kind, parts: known } : known[0];
}

/** Returns the complement of a positive form, for NOT BETWEEN and IS NOT NULL. */
function complement(
  place: ExpressionPlace,
  expr: Between | Is,
  isNegated: boolean,
): ConditionTree | undefined {
  const positive = expr.negated ? { ...expr, negated: false } : expr;
  return term(place, expr, toValue(place, positive), isNegated !== expr.negated);
}

function term(
  place: ExpressionPlace,
  expr: Expr,
  value: DependentValue | undefined,
  isNegated: boolean,
): Term | undefined {
  const result = isNegated ? negate(place, expr, value) : value;
  return result && { kind: 'term', value: result, text: place.text, at: originOf(place.text, expr.span) };
}

/** Compiles an equality, which may match two sources with each other unless it is negated. */
function equality(
  place: ExpressionPlace,
  expr: Binary | In,
  left: DependentValue | undefined,
  right: DependentValue | undefined,
  isNegated: boolean,
): Term | undefined {
  const whole = term(place, expr, operation(place, expr, '=', [left, right]), isNegated);
  return whole && left && right && !isNegated ? { ...whole, sides: { left, right } } : whole;
}
