/**
 * Reads the expressions that bucket definitions and streams before edition 3 support. Everything else that can be parsed is
 * rejected here.
 *
 * Chains of operators may be thousands long, and they are deep only on their left side. So the left side is walked in a loop and
 * the right side by recursion, whose depth the parser limits.
 */
import type { Args, Code } from '../../../diagnostics/diagnostics.ts';
import type { Binary, Cast, Expr, Is, Literal, Member, Unary } from '../../../sql/ast.ts';
import { castAlternatives, castTypes } from '../../../sql/casts.ts';
import { operators } from '../../../sql/operators.ts';
import { nearest } from '../../../text/nearest.ts';
import type { CastType, ChainOperator, ComparisonOperator, Expression } from '../../expression.ts';
import { originIn, quote } from '../place.ts';
import { clauseOfReference, type ReadingScope } from '../scope.ts';
import { callValue } from './calls.ts';
import { type Clause, leafClause } from './clause.ts';
import { chainOf, combineClauses, deepestExpression } from './combine.ts';
import { conjunction, disjunction, equality, membership } from './matches.ts';

export function classify(scope: ReadingScope, expr: Expr): Clause | undefined {
  if (scope.depth >= deepestExpression)
    return refuse(scope, expr, 'unsupported-expression', { what: 'An expression this deep' });
  scope.depth++;
  const chain: Expr[] = [];
  let innermost = expr;
  for (let left = leftOf(innermost); left; left = leftOf(innermost)) {
    chain.push(innermost);
    innermost = left;
  }
  let clause = classifyStart(scope, innermost);
  for (let node = chain.pop(); node; node = chain.pop()) clause = extend(scope, node, clause);
  scope.depth--;
  return clause;
}

/** Returns the left operand, with which a chain of operators starts. */
function leftOf(expr: Expr): Expr | undefined {
  switch (expr.kind) {
    case 'binary':
    case 'in':
      return expr.left;
    case 'is':
    case 'cast':
    case 'member':
      return expr.operand;
    default:
      return undefined;
  }
}

function classifyStart(scope: ReadingScope, expr: Expr): Clause | undefined {
  switch (expr.kind) {
    case 'literal':
      return literal(scope, expr);
    case 'reference':
      return clauseOfReference(scope, expr);
    case 'call':
      return callValue(scope, expr, classify);
    case 'unary':
      return unary(scope, expr);
    case 'star':
      return refuse(scope, expr, 'star-not-allowed', {});
    case 'unreadable':
      return undefined;
    default:
      return refuse(scope, expr, 'unsupported-expression', describeUnsupported(expr));
  }
}

function refuse<C extends Code>(scope: ReadingScope, expr: Expr, code: C, args: Args<C>): undefined {
  scope.report(code, expr.span, args);
  return undefined;
}

function describeUnsupported(expr: Expr): Args<'unsupported-expression'> {
  switch (expr.kind) {
    case 'between':
      return { what: 'BETWEEN', instead: 'Write x >= low AND x <= high.' };
    case 'case':
      return { what: 'CASE', instead: 'Write iif(condition, a, b).' };
    case 'index':
      return { what: 'An index in brackets', instead: "Write x -> '0' or x ->> '0'." };
    case 'list':
      return {
        what: expr.form === 'array' ? 'ARRAY' : 'A list',
        instead: "Write x = 'a' OR x = 'b', or IN '[\"a\", \"b\"]'.",
      };
    case 'subquery':
      return { what: 'A subquery', instead: 'Only streams of `edition: 3` have subqueries.' };
    case 'parameter':
      return { what: expr.text, instead: 'There are no query parameters.' };
    case 'keyword':
      return { what: expr.word.toUpperCase(), instead: `If it is a column, write "${expr.word}".` };
    case 'special':
      return {
        what: `${expr.form}(…)`,
        ...(expr.form === 'substring' && { instead: 'Write substring(x, start, length).' }),
      };
    default:
      return { what: 'This' };
  }
}

function literal(scope: ReadingScope, { value, span }: Literal): Clause {
  const normal =
    value.type === 'boolean' ? ({ type: 'integer', value: value.value ? 1n : 0n } as const) : value;
  return leafClause('constant', { kind: 'constant', value: normal, at: originIn(scope, span) });
}

function unary(scope: ReadingScope, expr: Unary): Clause | undefined {
  const operand = classify(scope, expr.operand);
  if (expr.op !== 'NOT') return unsupportedOperator(scope, expr, expr.op);
  return combineClauses(scope, expr, [[operand, expr.operand]], (args) => ({
    kind: 'operation',
    op: 'not',
    args,
    at: originIn(scope, expr.span),
  }));
}

function unsupportedOperator(scope: ReadingScope, expr: Expr, operator: string): undefined {
  const instead =
    expr.kind === 'unary' && operator === '-' ? 'Write 0 - x.' : operators.get(operator)?.instead;
  return refuse(scope, expr, 'unsupported-operator', { operator, ...(instead && { instead }) });
}

/** Adds the next operator of a chain whose left side has been read. */
function extend(scope: ReadingScope, expr: Expr, left: Clause | undefined): Clause | undefined {
  switch (expr.kind) {
    case 'binary':
      return binary(scope, expr, left);
    case 'in': {
      const right = classify(scope, expr.right);
      if (expr.negated) return unsupportedOperator(scope, expr, 'NOT IN');
      return membership(scope, expr, left, right);
    }
    case 'is':
      return isTest(scope, expr, left);
    case 'cast':
      return cast(scope, expr, left);
    case 'member':
      return member(scope, expr, left);
    default:
      throw new Error(`Not a chain: ${expr.kind}`);
  }
}

const comparisons: ReadonlySet<string> = new Set<ComparisonOperator>(['<', '<=', '>', '>=']);

function binary(scope: ReadingScope, expr: Binary, left: Clause | undefined): Clause | undefined {
  const right = classify(scope, expr.right);
  const { op } = expr;
  if (operators.get(op)?.before3 !== 'yes') return unsupportedOperator(scope, expr, op);
  switch (op) {
    case 'AND':
      return conjunction(scope, expr, left, right);
    case 'OR':
      return disjunction(scope, expr, left, right);
    case '=':
      return equality(scope, expr, left, right);
    default: {
      const operands = [
        [left, expr.left],
        [right, expr.right],
      ] as const;
      return combineClauses(scope, expr, operands, (args) => binaryExpression(scope, expr, args));
    }
  }
}

function binaryExpression(
  scope: ReadingScope,
  { op, span }: Binary,
  args: readonly Expression[],
): Expression {
  const at = originIn(scope, span);
  if (comparisons.has(op)) return { kind: 'operation', op: op as ComparisonOperator, args, at };
  if (op !== '!=' && op !== '<>') return chainOf(op as ChainOperator, args, at);
  // Before edition 3, a comparison with NULL is NULL.
  const equal: Expression = { kind: 'operation', op: '=', args, at };
  const no: Expression = { kind: 'constant', value: { type: 'integer', value: 0n }, at };
  return { kind: 'operation', op: '=', args: [equal, no], at };
}

function isTest(scope: ReadingScope, expr: Is, operand: Clause | undefined): Clause | undefined {
  const at = originIn(scope, expr.span);
  if (expr.test !== 'null') {
    const test = expr.test.toUpperCase();
    return refuse(scope, expr, 'unsupported-operator', {
      operator: `IS ${expr.negated ? 'NOT ' : ''}${test}`,
      instead: `Write ${expr.negated ? 'NOT ' : ''}x = ${expr.test}.`,
    });
  }
  return combineClauses(scope, expr, [[operand, expr.operand]], (args) => {
    const isNull: Expression = { kind: 'operation', op: 'is null', args, at };
    return expr.negated ? { kind: 'operation', op: 'not', args: [isNull], at } : isNull;
  });
}

function cast(scope: ReadingScope, expr: Cast, operand: Clause | undefined): Clause | undefined {
  const { type } = expr;
  if (type.array || !castTypes.has(type.text.toLowerCase())) {
    const near = castAlternatives.get(type.text) ?? nearest(type.text, castTypes);
    const name = type.array ? `${type.text}[]` : type.text;
    return refuse(scope, expr, 'invalid-cast', { type: name, near });
  }
  return combineClauses(scope, expr, [[operand, expr.operand]], ([only]) => ({
    kind: 'cast',
    type: type.text.toLowerCase() as CastType,
    operand: only as Expression,
    at: originIn(scope, expr.span),
  }));
}

function member(scope: ReadingScope, expr: Member, operand: Clause | undefined): Clause | undefined {
  const { op, key } = expr;
  if (key.value.type !== 'text') {
    const index = quote(scope, key.span);
    return refuse(scope, expr, 'unsupported-json-path', { index });
  }
  const operands = [
    [operand, expr.operand],
    [literal(scope, key), key],
  ] as const;
  return combineClauses(scope, expr, operands, (args) => ({
    kind: 'operation',
    op,
    args,
    at: originIn(scope, expr.span),
  }));
}
