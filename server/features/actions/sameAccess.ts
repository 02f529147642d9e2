/** Decides whether edits leave unchanged what clients receive. */
import { oncePer } from '../../engine/ground/oncePer.ts';
import type { Analysis } from '../../engine/index.ts';
import { dumpPlan } from '../../engine/plan/dump.ts';

/**
 * Proves that no user gains or loses a row or column: each definition that had a plan still has exactly the same one. A definition
 * without a plan gave no rows to anyone.
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
