/**
 * Compiles syntax to values: each expression becomes a computation of the plan, with its dependencies. Reports expressions that
 * cannot be computed. Their result is undefined, and nothing further is reported about them.
 */
import type {
  Between,
  Binary,
  Case,
  Cast,
  Expr,
  Index,
  Is,
  Keyword,
  List,
  Literal,
  Unary,
} from '../../sql/ast.ts';
import { castAlternatives, castTypes } from '../../sql/casts.ts';
import { functionAlternatives } from '../../sql/functions.ts';
import { operators } from '../../sql/operators.ts';
import { nearest } from '../../text/nearest.ts';
import type { CastType, ChainOperator, ComparisonOperator } from '../expression.ts';
import { translateCall, translateSpecial } from './calls.ts';
import { type ExpressionPlace, leaf, originOf } from './compilation.ts';
import { membershipValue, overlapValue } from './membership.ts';
import { findRelation, resolveReference } from './names.ts';
import type { DependentValue } from './relations.ts';
import { allPresent, combine, negate, operation, refuse } from './values.ts';

export function translate(place: ExpressionPlace, expr: Expr): DependentValue | undefined {
  const { c, text, scope } = place;
  switch (expr.kind) {
    case 'literal':
      return literal(place, expr);
    case 'reference':
      return resolveReference(c, text, scope, expr);
    case 'star':
      if (findRelation(c, text, scope, expr, expr.table)) text.report('star-not-allowed', expr.span, {});
      return undefined;
    case 'call':
      return translateCall(place, expr);
    case 'special':
      return translateSpecial(place, expr);
    case 'unary':
      return unary(place, expr);
    case 'binary':
      return binary(place, expr);
    case 'in':
      return membershipValue(place, expr);
    case 'is':
      return isTest(place, expr);
    case 'between':
      return between(place, expr);
    case 'case':
      return caseOf(place, expr);
    case 'cast':
      return cast(place, expr);
    case 'member':
      return operation(place, expr, expr.op, [translate(place, expr.operand), literal(place, expr.key)]);
    case 'index':
      return index(place, expr);
    case 'list':
      return list(place, expr);
    case 'subquery':
      return refuse(place, expr, 'subquery-position', {
        instead: 'For x = (SELECT …) write x IN (SELECT …).',
      });
    case 'parameter':
      return refuse(place, expr, 'sql-parameter', { parameter: expr.text });
    case 'keyword':
      return keyword(place, expr);
    case 'unreadable':
      c.failed = true;
      return undefined;
  }
}

function literal({ text }: ExpressionPlace, { value, span }: Literal): DependentValue {
  const normal =
    value.type === 'boolean' ? ({ type: 'integer', value: value.value ? 1n : 0n } as const) : value;
  return leaf({ kind: 'constant', value: normal, at: originOf(text, span) });
}

function keyword(place: ExpressionPlace, expr: Keyword): undefined {
  const word = expr.word.toUpperCase();
  const meant = functionAlternatives.get(word.toLowerCase()) ?? 'If you mean the user, write auth.user_id().';
  const instead = `${meant} If it is a column, write "${expr.word}".`;
  return refuse(place, expr, 'unsupported-expression', { what: word, instead });
}

function list(place: ExpressionPlace, expr: List): undefined {
  for (const item of expr.items) translate(place, item);
  const what = expr.form === 'array' ? 'ARRAY' : 'A list';
  return refuse(place, expr, 'unsupported-expression', { what, instead: 'Lists are allowed only after IN.' });
}

function unary(place: ExpressionPlace, expr: Unary): DependentValue | undefined {
  const operand = translate(place, expr.operand);
  if (expr.op === '-') return refuse(place, expr, 'unary-minus', {});
  return expr.op === '+' ? operand : operation(place, expr, 'not', [operand]);
}

function caseOf(place: ExpressionPlace, expr: Case): DependentValue | undefined {
  const { text } = place;
  const operand = expr.operand && translate(place, expr.operand);
  const branches = expr.branches.map(
    ({ when, then }) => [translate(place, when), translate(place, then)] as const,
  );
  const otherwise = expr.otherwise && translate(place, expr.otherwise);
  const parts = allPresent([
    ...(expr.operand ? [operand] : []),
    ...branches.flat(),
    ...(expr.otherwise ? [otherwise] : []),
  ]);
  if (!parts) return undefined;
  return combine(place, expr, parts, {
    kind: 'case',
    ...(operand && { operand: operand.expression }),
    branches: branches.map(([when, then]) => ({
      condition: (when as DependentValue).expression,
      result: (then as DependentValue).expression,
    })),
    ...(otherwise && { otherwise: otherwise.expression }),
    at: originOf(text, expr.span),
  });
}

const chainOperators: ReadonlyMap<string, ChainOperator> = new Map<string, ChainOperator>([
  ...(['+', '-', '*', '/', '%', '&', '|', '<<', '>>', '||'] as const).map((op) => [op, op] as const),
  ['AND', 'and'],
  ['OR', 'or'],
]);

const comparisonOperators: ReadonlySet<string> = new Set<ComparisonOperator>(['=', '<', '<=', '>', '>=']);

function binary(place: ExpressionPlace, expr: Binary): DependentValue | undefined {
  if (expr.op === '&&') return overlapValue(place, expr);
  const chain = chainOperators.get(expr.op);
  if (chain) return translateChain(place, expr, chain);
  const operands = [translate(place, expr.left), translate(place, expr.right)];
  if (expr.op === '!=' || expr.op === '<>') {
    return negate(place, expr, operation(place, expr, '=', operands));
  }
  if (comparisonOperators.has(expr.op)) {
    return operation(place, expr, expr.op as ComparisonOperator, operands);
  }
  if (isLike(expr.op)) return refuse(place, expr, 'like-not-supported', {});
  const instead = operators.get(expr.op)?.instead;
  return refuse(place, expr, 'unsupported-operator', { operator: expr.op, ...(instead && { instead }) });
}

function isLike(op: string): boolean {
  return op === 'LIKE' || op === 'NOT LIKE' || op === '~~' || op === '!~~';
}

/** Compiles a chain of one operator to a single node. */
function translateChain(place: ExpressionPlace, expr: Binary, op: ChainOperator): DependentValue | undefined {
  return operation(
    place,
    expr,
    op,
    operandsOf(place, expr).map((operand) => translate(place, operand)),
  );
}

function operandsOf(place: ExpressionPlace, expr: Binary): Expr[] {
  const operands: Expr[] = [];
  let node: Expr = expr;
  while (node.kind === 'binary' && node.op === expr.op) {
    checkEvaluable(place, node);
    operands.push(node.right);
    node = node.left;
  }
  return [node, ...operands.reverse()];
}

/** Reports an operator that can be compiled but fails for every row unless SQLite evaluates it. */
function checkEvaluable({ c, text }: ExpressionPlace, { op, span }: Binary): void {
  if (operators.get(op)?.streams !== 'sqlite' || c.surroundings.options.sqliteEngine) return;
  text.report('operator-not-evaluable', span, { operator: op });
}

function isTest(place: ExpressionPlace, expr: Is): DependentValue | undefined {
  const test = operation(place, expr, `is ${expr.test}`, [translate(place, expr.operand)]);
  return expr.negated ? negate(place, expr, test) : test;
}

function between(place: ExpressionPlace, expr: Between): DependentValue | undefined {
  const operands = [expr.operand, expr.low, expr.high].map((operand) => translate(place, operand));
  const test = operation(place, expr, 'between', operands);
  return expr.negated ? negate(place, expr, test) : test;
}

function cast(place: ExpressionPlace, expr: Cast): DependentValue | undefined {
  const { type } = expr;
  const operand = translate(place, expr.operand);
  if (type.array || !castTypes.has(type.text)) {
    const near = castAlternatives.get(type.text) ?? nearest(type.text, castTypes);
    place.text.report('invalid-cast', type.span, {
      type: type.array ? `${type.text}[]` : type.text,
      near,
      ...(type.text === 'interval' && { instead: noIntervals }),
    });
    return undefined;
  }
  if (!operand) return undefined;
  return combine(place, expr, [operand], {
    kind: 'cast',
    type: type.text as CastType,
    operand: operand.expression,
    at: originOf(place.text, expr.span),
  });
}

const noIntervals =
  'Queries cannot compute with intervals. Send the time to compare with as a parameter, or filter in the app.';

function index(place: ExpressionPlace, expr: Index): undefined {
  translate(place, expr.operand);
  translate(place, expr.index);
  return refuse(place, expr, 'unsupported-expression', {
    what: 'An index in brackets',
    instead: 'Write x -> 0 or x ->> 0.',
  });
}
