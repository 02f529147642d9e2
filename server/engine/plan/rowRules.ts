/** The rules of plans, whichever stream and bucket they are for. */
import type { RowRule, StreamPlan } from './plan.ts';

export function rowRulesOf(plans: readonly StreamPlan[]): readonly RowRule[] {
  return plans.flatMap(({ sources }) => sources.flatMap(({ rules }) => rules));
}
