/** The plans of a config that is accepted. */
import { analyze } from '../../server/engine/index.ts';
import type { Options } from '../../server/engine/model/definition.ts';
import type { StreamPlan } from '../../server/engine/plan/plan.ts';

export function plansOf(
  config: string,
  defaultSchema = 'public',
): { readonly plans: readonly StreamPlan[]; readonly options: Options } {
  const analysis = analyze(config, { kind: 'sync', defaultSchema }).config;
  if (analysis === undefined) throw new Error('not a sync config');
  return {
    plans: analysis.definitions.flatMap(({ compiled, legacy }) => {
      const plan = compiled?.plan ?? (legacy !== undefined && 'plan' in legacy ? legacy.plan : undefined);
      return plan === undefined ? [] : [plan];
    }),
    options: analysis.surroundings.options,
  };
}
