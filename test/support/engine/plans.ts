/** The plans of a valid config. */
import { analyze, plansOf as plansOfConfig } from '../../../server/engine/index.ts';
import type { Options } from '../../../server/engine/model/definition.ts';
import type { StreamPlan } from '../../../server/engine/plan/plan.ts';

export function plansOf(
  config: string,
  defaultSchema = 'public',
): { readonly plans: readonly StreamPlan[]; readonly options: Options } {
  const analysis = analyze(config, { kind: 'sync', defaultSchema }).config;
  if (analysis === undefined) throw new Error('not a sync config');
  return {
    plans: plansOfConfig(analysis),
    options: analysis.surroundings.options,
  };
}
