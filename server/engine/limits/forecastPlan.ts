/**
 * Finds the request values that decide how much a client gets, stream by stream. The keys of lookups show which values have
 * matches, so no list of users is needed.
 */
import type { ConfigEvaluator } from '../plan/evaluate/evaluate.ts';
import { fingerprintOf } from '../plan/fingerprint.ts';
import type { StreamPlan } from '../plan/plan.ts';
import { readsList } from './bound.ts';
import { type Decider, decidersAskedBy, decidersOf, deciderText, withoutUntold } from './deciders.ts';

/** A stream with its own plan and the plan that PowerSync's service would have. */
export interface CountedStream {
  readonly name: string;
  /** The fingerprint of the plan. It differs after any change of the plan. */
  readonly fingerprint: string;
  readonly own: CountedPlan;
  readonly reference: CountedPlan;
  /**
   * The values that decide; undefined if a query reads an entire part of the request, because then anything in that part may
   * decide.
   */
  readonly deciders: readonly Decider[] | undefined;
  readonly readsList: boolean;
}

export interface CountedPlan {
  readonly plan: StreamPlan;
  /** The names of the plan's lookups, by index. */
  readonly names: readonly string[];
}

/** Request values that appear together in the keys of lookups. */
export interface ForecastGroup {
  readonly deciders: readonly Decider[];
  /** The streams that these values decide. */
  readonly told: readonly CountedStream[];
  readonly others: readonly CountedStream[];
}

export interface ForecastPlan {
  readonly streams: readonly CountedStream[];
  readonly groups: readonly ForecastGroup[];
  /** Lookups whose keys contain values of deciders. The deciders are in the order of the inputs. */
  readonly telling: ReadonlyMap<string, readonly Decider[]>;
}

interface NamedPlans {
  readonly plans: readonly StreamPlan[];
  readonly evaluator: Pick<ConfigEvaluator, 'lookupNames'>;
}

export function planForecast(own: NamedPlans, reference: NamedPlans): ForecastPlan {
  const telling = new Map([own, reference].flatMap(tellingLookups));
  const texts = new Set([...telling.values()].flat().map(deciderText));
  const streams = own.plans.map((plan, index): CountedStream => {
    const { name } = plan;
    const asked = withoutUntold(plan, texts);
    const other = withoutUntold(reference.plans[index] ?? plan, texts);
    return {
      name,
      fingerprint: fingerprintOf(plan),
      own: { plan: asked, names: own.evaluator.lookupNames.get(name) ?? [] },
      reference: { plan: other, names: reference.evaluator.lookupNames.get(name) ?? [] },
      deciders: decidersOf(asked),
      readsList: readsList(plan),
    };
  });
  const sets = new Map([[], ...telling.values()].map((deciders) => [setText(deciders), unique(deciders)]));
  const groups = [...sets.values()].map((deciders) => groupOf(deciders, streams));
  return { streams, groups, telling };
}

function setText(deciders: readonly Decider[]): string {
  return [...new Set(deciders.map(deciderText))].sort().join();
}

function unique(deciders: readonly Decider[]): readonly Decider[] {
  return [...new Map(deciders.map((decider) => [deciderText(decider), decider])).values()];
}

function groupOf(deciders: readonly Decider[], streams: readonly CountedStream[]): ForecastGroup {
  const told = streams.filter(
    (stream) => !stream.readsList && stream.deciders !== undefined && covers(deciders, stream.deciders),
  );
  return { deciders, told, others: streams.filter((stream) => !told.includes(stream)) };
}

function tellingLookups({ plans, evaluator }: NamedPlans): readonly [string, readonly Decider[]][] {
  return plans.flatMap(({ name, routes }) =>
    routes.flatMap(({ steps }) =>
      steps.flatMap((step): [string, readonly Decider[]][] => {
        const asked = decidersAskedBy(step);
        const lookup = step.kind === 'lookup' ? evaluator.lookupNames.get(name)?.[step.lookup] : undefined;
        return asked === undefined || asked.length === 0 || lookup === undefined ? [] : [[lookup, asked]];
      }),
    ),
  );
}

function covers(asked: readonly Decider[], deciders: readonly Decider[]): boolean {
  const texts = new Set(asked.map(deciderText));
  return deciders.every((decider) => texts.has(deciderText(decider)));
}
