/** Collects the rules of plans, for all streams and buckets. */
import type { RowRule, StreamPlan } from './plan.ts';

export function rowRulesOf(plans: readonly StreamPlan[]): readonly RowRule[] {
  return plans.flatMap(({ sources }) => sources.flatMap(({ rules }) => rules));
}
