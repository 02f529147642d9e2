/** All that a forecast needs of a config: what decides, and evaluators that look up as we do and as PowerSync's service does. */
import type { Options } from '../model/definition.ts';
import { type ConfigEvaluator, toConfigEvaluator } from '../plan/evaluate/evaluate.ts';
import type { Lookup, StreamPlan } from '../plan/plan.ts';
import { type ForecastPlan, planForecast } from './forecastPlan.ts';

export interface PreparedForecast {
  readonly plan: ForecastPlan;
  readonly own: ConfigEvaluator;
  /** Its rows make entries only for those lookups that the other one does not have. */
  readonly reference: ConfigEvaluator;
  /** These, by name. */
  readonly onlyReference: ReadonlyMap<string, Lookup>;
}

interface CountedConfig {
  readonly plans: readonly StreamPlan[];
  /** Of the same definitions. */
  readonly referencePlans: readonly StreamPlan[];
  readonly options: Options;
  /** Of what is stored, by which its lookups have their names. Absent: nothing is, and any names will do. */
  readonly evaluator?: Pick<ConfigEvaluator, 'lookupNames'>;
}

export function prepareForecast(config: CountedConfig): PreparedForecast {
  const { plans, referencePlans, options } = config;
  const evaluator = config.evaluator ?? toConfigEvaluator(plans, { options });
  const names = namesByIdentity(plans, evaluator);
  const plan = planForecast(
    { plans, evaluator },
    {
      plans: referencePlans,
      evaluator: toConfigEvaluator(referencePlans, { options, knownLookups: names }),
    },
  );
  const own = toConfigEvaluator(
    plan.streams.map((stream) => stream.own.plan),
    // Rows of what is stored make no entries here: they have made them.
    { options, ...(config.evaluator && { knownLookups: names }) },
  );
  const counted = plan.streams.map((stream) => stream.reference.plan);
  const reference = toConfigEvaluator(counted, { options, knownLookups: names });
  const known = new Set(names.values());
  const onlyReference = new Map(
    counted.flatMap(({ name, lookups }) =>
      lookups.flatMap((lookup, index): [string, Lookup][] => {
        const lookupName = reference.lookupNames.get(name)?.[index];
        return lookupName === undefined || known.has(lookupName) ? [] : [[lookupName, lookup]];
      }),
    ),
  );
  return { plan, own, reference, onlyReference };
}

function namesByIdentity(
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
