/**
 * Compiles IN and &&. A subquery or CTE next to them is a join with an equality. A list is expanded, one element at a time, but if
 * it is negated or part of a larger expression, it is tested as one value. In that case, the reference tests each element
 * separately, so `NOT (x IN list)` is true for nearly every list.
 */
import type { Binary, Expr, In, List, Reference, Subquery } from '../../sql/ast.ts';
import { type ExpressionPlace, originOf } from './compilation.ts';
import { elementOf, type ListUse } from './expansion.ts';
import type { CompiledText, DependentValue } from './relations.ts';
import { cteMember, reportCteInCte, type SetMember, subqueryMember } from './select.ts';
import { allPresent, combine, negate, operation, toValue } from './values.ts';

/** Compiles IN inside a larger expression. */
export function membershipValue(place: ExpressionPlace, expr: In): DependentValue | undefined {
  const { right } = expr;
  const left = toValue(place, expr.left);
  if (isSet(place.text, right)) {
    const value = joinValue(place, expr, left, memberOf(bury(place, expr), right));
    return expr.negated ? negate(place, expr, value) : value;
  }
  const value = testedIn(place, expr, left);
  return expr.negated ? negate(place, expr, value) : value;
}

/** Compiles && inside a larger expression. */
export function overlapValue(place: ExpressionPlace, expr: Binary): DependentValue | undefined {
  const { left, right, restrictions } = overlapSides(bury(place, expr), expr, 'tested');
  return withRestrictions(place, expr, testedOverlap(place, expr, left, right), restrictions);
}

/** Tests an overlap as one value. This is useful only for a list next to a single value. */
export function testedOverlap(
  place: ExpressionPlace,
  expr: Binary,
  left: OverlapSide | undefined,
  right: OverlapSide | undefined,
): DependentValue | undefined {
  const parts = allPresent([left?.element, right?.element]);
  if (!left || !right || !parts) return undefined;
  const [list, other] = left.list ? [left.list, right.element] : [right.list, left.element];
  const test = list
    ? operation(place, expr, 'in', [other, list])
    : operation(place, expr, '=', [left.element, right.element]);
  return test && combine(place, expr, parts, test.expression);
}

interface OverlapSide {
  /** One element of the list. */
  readonly element: DependentValue | undefined;
  readonly member?: SetMember;
  /** The entire list, if the operand is a list. */
  readonly list?: DependentValue;
}

export function overlapSides(place: ExpressionPlace, expr: Binary, use: ListUse) {
  const left = overlapSide(place, expr, expr.left, use);
  const right = overlapSide(place, expr, expr.right, use);
  const restrictions = [left, right].flatMap((side) => side?.member?.restrictions ?? []);
  return { left, right, restrictions };
}

function overlapSide(
  place: ExpressionPlace,
  operator: Binary,
  operand: Expr,
  use: ListUse,
): OverlapSide | undefined {
  if (isSet(place.text, operand)) {
    const member = memberOf(place, operand);
    return member && { element: member.column, member };
  }
  reportColumnNamedLikeCte(place, operand);
  const list = toValue(place, operand);
  return list && { element: elementOf(place, operator, operand, list, use), list };
}

/** Whether an operand is a subquery or the name of a CTE. */
export function isSet({ findCte }: CompiledText, operand: Expr): operand is Subquery | Reference {
  return operand.kind === 'subquery' || (isBareName(operand) && findCte(operand.column.text) !== undefined);
}

function isBareName(operand: Expr): operand is Reference {
  return operand.kind === 'reference' && operand.table === undefined;
}

export function memberOf(place: ExpressionPlace, operand: Subquery | Reference): SetMember | undefined {
  return operand.kind === 'subquery' ? subqueryMember(place, operand) : cteMember(place, operand);
}

/** Returns a place in which subqueries are not conditions on their own. */
export function bury(place: ExpressionPlace, expr: Expr): ExpressionPlace {
  return place.buried
    ? place
    : { ...place, buried: { text: place.text, at: originOf(place.text, expr.span) } };
}

function joinValue(
  place: ExpressionPlace,
  expr: In,
  left: DependentValue | undefined,
  member: SetMember | undefined,
): DependentValue | undefined {
  const match = operation(place, expr, '=', [left, member?.column]);
  return withRestrictions(place, expr, match, member?.restrictions ?? []);
}

function withRestrictions(
  place: ExpressionPlace,
  expr: Expr,
  value: DependentValue | undefined,
  restrictions: SetMember['restrictions'],
): DependentValue | undefined {
  const others = restrictions.map((each) => toValue(each.place, each.expr));
  return others.length === 0 ? value : operation(place, expr, 'and', [value, ...others]);
}

/** Compiles IN with a list as one value. The caller handles a NOT. */
export function testedIn(
  place: ExpressionPlace,
  expr: In,
  left: DependentValue | undefined,
): DependentValue | undefined {
  const { right } = expr;
  if (right.kind === 'list') return testedInItems(place, expr, right, left);
  const list = translateList(place, expr);
  const test = operation(place, expr, 'in', [left, list]);
  if (!test || !left || !list || expr.negated) return test;
  const element = elementOf(place, expr, right, list, 'tested');
  return element && combine(place, expr, [left, element], test.expression);
}

function testedInItems(
  place: ExpressionPlace,
  expr: In,
  list: List,
  left: DependentValue | undefined,
): DependentValue | undefined {
  if (list.form !== 'parentheses') {
    return operation(place, expr, 'in list', [left, ...list.items.map((item) => toValue(place, item))]);
  }
  place.text.report('unsupported-expression', list.span, {
    what: 'A list in parentheses',
    instead: `Write ARRAY[${sqlOf(place, list)}].`,
  });
  return undefined;
}

function sqlOf({ text }: ExpressionPlace, { span }: Expr): string {
  return text.source.sql.text.slice(span.start, span.end);
}

export function translateList(place: ExpressionPlace, expr: In): DependentValue | undefined {
  const { right } = expr;
  reportColumnNamedLikeCte(place, right);
  if (right.kind === 'literal' && !isListText(expr, right.value)) {
    place.text.report('in-single-value', right.span, { value: sqlOf(place, right) });
  }
  return toValue(place, right);
}

/** Whether a service can read a literal as a list. `x IN '5'` works, but `x NOT IN '5'` makes every row fail. */
function isListText(expr: In, value: Extract<Expr, { kind: 'literal' }>['value']): boolean {
  if (value.type === 'null') return true;
  if (value.type !== 'text') return false;
  try {
    const parsed: unknown = JSON.parse(value.value);
    return !expr.negated || Array.isArray(parsed);
  } catch {
    return false;
  }
}

function reportColumnNamedLikeCte(place: ExpressionPlace, operand: Expr): void {
  if (isBareName(operand)) reportCteInCte(place, operand.column);
}
