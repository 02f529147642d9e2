/**
 * Conditions: WHERE and ON as a tree of AND and OR over terms. NOT is pushed down to the terms on the way, where
 * it becomes part of their values; `!=`, `NOT IN` and `NOT BETWEEN` count as NOT of what they negate.
 */
import type { Between, Binary, Expr, In, Is } from '../../sql/ast.ts';
import type { Origin } from '../expression.ts';
import { type ExpressionPlace, originOf } from './compilation.ts';
import { elementOf } from './expansion.ts';
import { bury, isSet, memberOf, overlapSides, testedIn, testedOverlap, translateList } from './membership.ts';
import type { CompiledText, DependentValue } from './relations.ts';
import type { SetMember } from './select.ts';
import { negate, operation, toValue } from './values.ts';

/** A condition that is not taken apart further. */
export interface Term {
  readonly kind: 'term';
  readonly value: DependentValue;
  /** The sides of an equality: they may depend on different things. */
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
 * Undefined after a problem: what remains of the condition is still worth checking.
 *
 * @param not the NOT, as a whole, that it is negated by: it is shown, as the part that it negates says the opposite
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

/** A subquery or CTE beside IN is a join with an equality; a list is expanded, or tested where it is negated. */
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

/** The operands of a run of AND or OR, which is deep on its left side. */
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

/** NOT BETWEEN and IS NOT NULL are complements of their positive forms. */
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

/** An equality, which may match two sources with each other unless it is negated. */
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
