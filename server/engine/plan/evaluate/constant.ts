/** Expressions without data. */
import type { Expression } from '../expression.ts';
import { EvaluationFailure } from '../values/failure.ts';
import { toCondition } from './expression.ts';
import { type EvaluationRules, NO_REQUEST, NO_ROW, NO_TABLE } from './scope.ts';

const nowhere = { row: NO_ROW, table: NO_TABLE, suffix: '', elements: [], request: NO_REQUEST };

/** Whether a condition that reads nothing is true. Undefined if it fails. */
export function constantTruth(condition: Expression, rules: EvaluationRules): boolean | undefined {
  try {
    return toCondition([condition], rules)(nowhere);
  } catch (failure) {
    if (failure instanceof EvaluationFailure) return undefined;
    throw failure;
  }
}
