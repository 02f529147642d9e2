/** Combines values. All operands must come from the row, or all from the request. */
import type { Expr } from '../../../sql/ast.ts';
import type { ChainOperator, Expression, Operation, Origin } from '../../expression.ts';
import type { ReadingScope } from '../scope.ts';
import { type Clause, leafClause, type ValueClause } from './clause.ts';
import { constantOf } from './constants.ts';

export type Operand = readonly [clause: Clause | undefined, written: Expr];

/** The maximum depth of expressions, in the syntax and in the plan, because later stages recurse this deep. */
export const deepestExpression = 400;

export function combineClauses(
  scope: ReadingScope,
  expr: Expr,
  operands: readonly Operand[],
  build: (args: readonly Expression[]) => Expression,
): ValueClause | undefined {
  const parts = valuesOf(scope, operands);
  if (!parts) return undefined;
  const kind = parts.find((part) => part.kind !== 'constant')?.kind ?? 'constant';
  const args = parts.map(({ expression }) => expression);
  const expression = build(args);
  if (kind === 'constant' && args.every(isComputed)) {
    const computed = constantOf(scope, expr, expression);
    return computed && leafClause('constant', computed);
  }
  const depth = depthOf(parts, expression);
  if (depth > deepestExpression) {
    scope.report('unsupported-expression', expr.span, { what: 'An expression this deep' });
    return undefined;
  }
  const tables = parts.map((part) => part.tables ?? '').join('');
  return { kind, expression, depth, ...(tables && { tables }) };
}

/**
 * Whether a constant expression is computed now. Blobs stay calls and casts, and operations with very large integers are computed
 * later.
 */
function isComputed({ kind }: Expression): boolean {
  return kind !== 'operation';
}

/** Returns the operands if all of them are values that depend on the same thing. */
function valuesOf(scope: ReadingScope, operands: readonly Operand[]): readonly ValueClause[] | undefined {
  const values: ValueClause[] = [];
  let kind: ValueClause['kind'] = 'constant';
  for (const [clause, written] of operands) {
    const value = asValue(scope, clause, written);
    if (!value) continue;
    if (kind !== 'constant' && value.kind !== 'constant' && value.kind !== kind) {
      scope.report('mixed-row-and-parameter', written.span, {});
      continue;
    }
    if (value.kind !== 'constant') kind = value.kind;
    values.push(value);
  }
  return values.length === operands.length ? values : undefined;
}

function asValue(scope: ReadingScope, clause: Clause | undefined, { span }: Expr): ValueClause | undefined {
  switch (clause?.kind) {
    case 'parameter':
      scope.report('parameter-in-expression', span, { parameter: `bucket.${clause.name}` });
      return undefined;
    case 'match':
      scope.report('match-not-allowed', span, { place: 'value' });
      return undefined;
    default:
      return clause;
  }
}

function depthOf([first, ...rest]: readonly ValueClause[], expression: Expression): number {
  if (!first) return 1;
  let deepestPart = continues(first.expression, expression) ? first.depth - 1 : first.depth;
  for (const { depth } of rest) if (depth > deepestPart) deepestPart = depth;
  return deepestPart + 1;
}

/** Whether the expression only extends a chain, which does not make it deeper. */
function continues(first: Expression, expression: Expression): boolean {
  return first.kind === 'operation' && expression.kind === 'operation' && first.args === expression.args;
}

/**
 * Writes `left op right`. A chain of one operator is a single node, whose list is extended in place because nothing else uses it.
 */
export function chainOf(op: ChainOperator, [left, right]: readonly Expression[], at: Origin): Operation {
  const args =
    left?.kind === 'operation' && left.op === op ? (left.args as Expression[]) : [left as Expression];
  args.push(right as Expression);
  return { kind: 'operation', op, args, at };
}
