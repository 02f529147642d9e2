/**
 * Everything that a forecast needs from a config: the deciding values, and evaluators that use the lookups of this service and
 * those of PowerSync's service.
 */
import type { Options } from '../model/definition.ts';
import { type ConfigEvaluator, toConfigEvaluator } from '../plan/evaluate/evaluate.ts';
import type { Lookup, StreamPlan } from '../plan/plan.ts';
import { type ForecastPlan, planForecast } from './forecastPlan.ts';

export interface PreparedForecast {
  readonly plan: ForecastPlan;
  /** The evaluator of this service. Rows create entries only for lookups that are not stored. */
  readonly own: ConfigEvaluator;
  /** The evaluator of PowerSync's service. Rows create entries only for lookups that are not stored and are not among our own. */
  readonly reference: ConfigEvaluator;
  /** The missing lookups, which are not stored, by name. */
  readonly unstored: ReadonlyMap<string, Lookup>;
}

interface CountedConfig {
  readonly plans: readonly StreamPlan[];
  /** The plans of the same definitions as PowerSync's service would make them. */
  readonly referencePlans: readonly StreamPlan[];
  readonly options: Options;
  /** The names of stored lookups, by identity. Absent: no lookup is stored. */
  readonly stored?: ReadonlyMap<string, string>;
}

export function prepareForecast(config: CountedConfig): PreparedForecast {
  const { plans, referencePlans, options, stored = new Map() } = config;
  const evaluator = toConfigEvaluator(plans, { options, knownLookups: stored });
  const names = new Map([...stored, ...namesByIdentity(plans, evaluator)]);
  const referenceEvaluator = toConfigEvaluator(referencePlans, { options, knownLookups: names });
  const plan = planForecast({ plans, evaluator }, { plans: referencePlans, evaluator: referenceEvaluator });
  const [asked, counted] = [
    plan.streams.map(({ own }) => own.plan),
    plan.streams.map((each) => each.reference.plan),
  ];
  return {
    plan,
    own: toConfigEvaluator(asked, { options, knownLookups: stored }),
    reference: toConfigEvaluator(counted, { options, knownLookups: names }),
    unstored: new Map([
      ...unstoredOf(plans, evaluator, stored),
      ...unstoredOf(referencePlans, referenceEvaluator, stored),
    ]),
  };
}

/** Returns the names under which the lookups of a config are stored, by their identity. */
export function namesByIdentity(
  plans: readonly StreamPlan[],
  { lookupNames }: Pick<ConfigEvaluator, 'lookupNames'>,
): ReadonlyMap<string, string> {
  return new Map(
    plans.flatMap(({ name, lookups }) =>
      lookups.map(({ identity }, index): [string, string] => [
        identity,
        lookupNames.get(name)?.[index] ?? '',
      ]),
    ),
  );
}

function unstoredOf(
  plans: readonly StreamPlan[],
  { lookupNames }: Pick<ConfigEvaluator, 'lookupNames'>,
  stored: ReadonlyMap<string, string>,
): readonly [string, Lookup][] {
  return plans.flatMap(({ name, lookups }) =>
    lookups.flatMap((lookup, index): [string, Lookup][] => {
      const lookupName = lookupNames.get(name)?.[index];
      return lookupName === undefined || stored.has(lookup.identity) ? [] : [[lookupName, lookup]];
    }),
  );
}
