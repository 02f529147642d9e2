/** What expressions gave while they were traced, as data for an explanation. */
import { childrenOf, type Expression, expressionText, type Origin } from '../expression.ts';
import { requestReadOf } from '../requestReads.ts';
import { EvaluationFailure, type RuntimeCode } from '../values/failure.ts';
import type { SqlValue } from '../values/value.ts';
import { truthIn } from './expression.ts';
import type { EvaluationRules, Observer } from './scope.ts';

/** An expression and what it gave. */
export interface ValueTrace {
  readonly at: Origin;
  /** E.g. `.owner_id` or `auth.sub`. */
  readonly text: string;
  readonly value: SqlValue;
}

export interface ConditionTrace extends ValueTrace {
  readonly holds: boolean;
  /** What it read of the row, of an element and of the request. */
  readonly values: readonly ValueTrace[];
}

export interface FailureTrace {
  readonly code: RuntimeCode;
  /** The innermost expression that failed. */
  readonly at: Origin;
}

/** Remembers what was observed, by expression: the latest value of each. */
export interface Recorder {
  readonly observe: Observer;
  /** In the order in which they are given; those that were not needed are left out. */
  readonly conditions: (expressions: readonly Expression[]) => readonly ConditionTrace[];
  readonly values: (expressions: readonly Expression[]) => readonly ValueTrace[];
  readonly failure: () => FailureTrace | undefined;
}

export function toRecorder(rules: EvaluationRules): Recorder {
  const seen = new Map<Expression, SqlValue>();
  const holds = truthIn(rules);
  let failed: FailureTrace | undefined;
  const tracesOf = (expression: Expression): readonly ValueTrace[] => {
    const value = seen.get(expression);
    return value === undefined ? [] : [{ at: expression.at, text: textOf(expression), value }];
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
          values: unique(readsOf(expression).flatMap(tracesOf)),
        })),
      ),
    values: (expressions) => expressions.flatMap(tracesOf),
    failure: () => failed,
  };
}

/** A value of the request is written alike, however it is read. */
function textOf(expression: Expression): string {
  const read = requestReadOf(expression);
  return read === undefined ? expressionText(expression) : [read.part, ...read.path].join('.');
}

/** The parts of an expression that come from the row, an element or the request. */
function readsOf(expression: Expression): readonly Expression[] {
  if (isClaim(expression)) return [expression];
  const children = childrenOf(expression);
  if (children.length > 0) return children.flatMap(readsOf);
  return ['column', 'element', 'request', 'metadata'].includes(expression.kind) ? [expression] : [];
}

/** `auth.parameter('x')`: what is read is one value of the claims, not all of them. */
function isClaim(expression: Expression): boolean {
  if (expression.kind !== 'operation' || !['->', '->>'].includes(expression.op)) return false;
  return expression.args[0]?.kind === 'request';
}

function unique(values: readonly ValueTrace[]): readonly ValueTrace[] {
  return values.filter(({ text }, index) => values.findIndex((other) => other.text === text) === index);
}
