/**
 * The meaning of a config as a text: two configs with equal texts give the same rows, with the same keys, to
 * the same clients. Comments, layout, the order of streams, and names of aliases and CTEs are not part of it;
 * every option is, since it may change values.
 */
import type { Options } from '../model/definition.ts';
import { expressionText } from './expression.ts';
import { textOfMeeting, textOfOutput, textOfRule, textOfStep } from './identity.ts';
import type { BucketRoute, BucketSource, RowRule, StreamPlan } from './plan.ts';

export function meaningOf(plans: readonly StreamPlan[], options: Options): string {
  return JSON.stringify([meaningOfOptions(options), plans.map(meaningOfStream).sort(), contestsIn(plans)]);
}

/** What decides about values. The version of the storage does not: it belongs to what is stored. */
export function meaningOfOptions({ storageVersion: _, ...options }: Options): string {
  return JSON.stringify(
    Object.entries(options)
      .filter(([, value]) => value !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** Which rows are in its buckets, and under which keys. */
export function meaningOfSource({ keys, rules }: BucketSource): string {
  return JSON.stringify([keys, rules.map(textOfRule).sort()]);
}

/** Of one stream, under its name: without the options, and without what other streams make of the same rows. */
export function meaningOfStream(plan: StreamPlan): string {
  const routes = new Set(plan.routes.map((route) => meaningOfRoute(route, plan)));
  return JSON.stringify([plan.name, plan.isDefinition ?? false, plan.isDefault, [...routes].sort()]);
}

function meaningOfRoute(route: BucketRoute, { sources, lookups, priority }: StreamPlan): string {
  const source = sources[route.source];
  return JSON.stringify([
    source && meaningOfSource(source),
    route.filter.map(expressionText).sort(),
    route.steps.map((step) => textOfStep(step, lookups)),
    route.keys.map(textOfMeeting),
    route.priority ?? priority,
  ]);
}

/** Whether what plans show clients of one row in several ways comes in the order in which others have it, too. */
export function keepsOrder(before: readonly StreamPlan[], plans: readonly StreamPlan[]): boolean {
  const kept = new Set(plans.flatMap(({ sources }) => sources.map(meaningOfSource)));
  const shared = before.map((plan) => ({
    sources: plan.sources.filter((source) => kept.has(meaningOfSource(source))),
  }));
  return JSON.stringify(contestsIn(shared)) === JSON.stringify(contestsIn(plans));
}

/**
 * Where several rules may show clients a row of one name in different ways, the last one counts: there, their order is a
 * part of what they mean.
 */
function contestsIn(plans: readonly Pick<StreamPlan, 'sources'>[]): readonly (readonly string[])[] {
  const sources = new Map<string, BucketSource>();
  for (const source of plans.flatMap((plan) => plan.sources))
    if (!sources.has(source.identity)) sources.set(source.identity, source);
  const rules = [...sources.values()].flatMap((source) => source.rules);
  // What has the name of its table may have any.
  const isOpen = rules.some(({ outputTable }) => outputTable === undefined);
  const groups = new Map<string, RowRule[]>();
  for (const rule of rules) {
    const name = isOpen ? '' : (rule.outputTable ?? '');
    groups.set(name, [...(groups.get(name) ?? []), rule]);
  }
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .filter(([, group]) => new Set(group.map(textOfOutput)).size > 1)
    .map(([, group]) => group.map(textOfRule));
}
