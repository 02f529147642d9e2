/** Records the values of traced expressions as data for an explanation. */
import { childrenOf, type Expression, type Origin } from '../expression.ts';
import { requestReadOf } from '../requestReads.ts';
import { EvaluationFailure, failureFrom, type RuntimeCode } from '../values/failure.ts';
import type { SqlValue } from '../values/value.ts';
import { toEvaluator, truthIn } from './expression.ts';
import type { EvaluationRules, EvaluationScope, Observer } from './scope.ts';

/** An expression and its value. */
export interface ValueTrace {
  readonly at: Origin;
  /** The name of a column or of a value of the request, such as `owner_id` or `auth.sub`. Absent for other expressions. */
  readonly name?: string;
  readonly value: SqlValue;
}

export interface ConditionTrace extends ValueTrace {
  readonly holds: boolean;
  /** The values that the condition read from the row, an element or the request. */
  readonly values: readonly ValueTrace[];
}

export interface FailureTrace {
  readonly code: RuntimeCode;
  /** The place of the innermost expression that failed. */
  readonly at: Origin;
}

/** Records observed values by expression, keeping the latest value of each. */
export interface Recorder {
  readonly observe: Observer;
  /** Returns the conditions in the given order, without those that were not evaluated. */
  readonly conditions: (expressions: readonly Expression[]) => readonly ConditionTrace[];
  readonly values: (expressions: readonly Expression[]) => readonly ValueTrace[];
  /** Returns the value of an expression, even if the evaluation did not need it; undefined if the expression fails. */
  readonly valueIn: (scope: EvaluationScope, expression: Expression) => ValueTrace | undefined;
  readonly failure: () => FailureTrace | undefined;
}

export function toRecorder(rules: EvaluationRules): Recorder {
  const seen = new Map<Expression, SqlValue>();
  const holds = truthIn(rules);
  let failed: FailureTrace | undefined;
  const tracesOf = (expression: Expression): readonly ValueTrace[] => {
    const value = seen.get(expression);
    return value === undefined ? [] : [traceOf(expression, value)];
  };
  return {
    observe: (expression, _, result) => {
      if (!(result instanceof EvaluationFailure)) seen.set(expression, result);
      else failed ??= { code: result.code, at: expression.at };
    },
    conditions: (expressions) =>
      expressions.flatMap((expression) =>
        tracesOf(expression).map((trace) => ({
          ...trace,
          holds: holds(trace.value),
          values: readsOf(expression).flatMap(tracesOf),
        })),
      ),
    values: (expressions) => expressions.flatMap(tracesOf),
    valueIn: (scope, expression) => tracesOf(expression)[0] ?? evaluateAlone(expression, scope, rules),
    failure: () => failed,
  };
}

function evaluateAlone(
  expression: Expression,
  scope: EvaluationScope,
  rules: EvaluationRules,
): ValueTrace | undefined {
  try {
    return traceOf(expression, toEvaluator(expression, rules)(scope));
  } catch (thrown) {
    // This call rethrows any exception that is not the failure of an expression.
    failureFrom(thrown);
    return undefined;
  }
}

function traceOf(expression: Expression, value: SqlValue): ValueTrace {
  const name = nameOf(expression);
  return { at: expression.at, value, ...(name !== undefined && { name }) };
}

/** A value of the request has the same name no matter how it is read. A column is only its name, because a query reads rows of one table. */
function nameOf(expression: Expression): string | undefined {
  if (expression.kind === 'column') return expression.name;
  const read = requestReadOf(expression);
  return read && [read.part, ...read.path].join('.');
}

/** Returns the parts of an expression that come from the row, an element or the request. */
function readsOf(expression: Expression): readonly Expression[] {
  if (isClaim(expression)) return [expression];
  const children = childrenOf(expression);
  if (children.length > 0) return children.flatMap(readsOf);
  return ['column', 'element', 'request', 'metadata'].includes(expression.kind) ? [expression] : [];
}

/**
 * Whether the expression is a single claim such as `auth.parameter('x')`, which reads one value of the claims rather than all of
 * them.
 */
function isClaim(expression: Expression): boolean {
  if (expression.kind !== 'operation' || !['->', '->>'].includes(expression.op)) return false;
  return expression.args[0]?.kind === 'request';
}
