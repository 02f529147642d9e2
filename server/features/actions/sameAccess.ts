/** Whether edits leave everything that clients get as it was. */
import { oncePer } from '../../engine/ground/oncePer.ts';
import type { Analysis } from '../../engine/index.ts';
import { dumpPlan } from '../../engine/plan/dump.ts';

/**
 * Proves that nobody gains or loses a row or a column: each definition that had a plan has exactly the same one. A definition that
 * had none gave nobody anything.
 */
export function keepsPlans(before: Analysis, after: Analysis): boolean {
  const now = plansOf(after);
  return plansOf(before).every((plan) => now.includes(plan));
}

const plansOf = oncePer(({ config }: Analysis): readonly string[] => {
  const options = JSON.stringify(config?.surroundings.options);
  return (config?.definitions ?? []).flatMap(({ plan }) =>
    plan === undefined ? [] : [JSON.stringify([options, plan.name, plan.isDefault, dumpPlan(plan)])],
  );
});
