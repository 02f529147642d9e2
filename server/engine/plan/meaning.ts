/**
 * The meaning of a config as a text. Two configs with equal texts give the same rows, with the same keys, to the same clients.
 * Comments, layout, the order of streams, and the names of aliases and CTEs do not affect it. Every option does, because it may
 * change values.
 */
import type { Options } from '../model/definition.ts';
import { expressionText } from './expression.ts';
import { textOfMeeting, textOfOutput, textOfRule, textOfStep } from './identity.ts';
import type { BucketRoute, BucketSource, RowRule, StreamPlan } from './plan.ts';

export function meaningOf(plans: readonly StreamPlan[], options: Options): string {
  return JSON.stringify([meaningOfOptions(options), plans.map(meaningOfStream).sort(), contestsIn(plans)]);
}

/**
 * Returns a text for the options that affect values. The storage version is not among them, because it belongs to the stored data.
 */
export function meaningOfOptions({ storageVersion: _, ...options }: Options): string {
  return JSON.stringify(
    Object.entries(options)
      .filter(([, value]) => value !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** Returns a text for the rows in the buckets of a source, and for their keys. */
export function meaningOfSource({ keys, rules }: BucketSource): string {
  return JSON.stringify([keys, rules.map(textOfRule).sort()]);
}

/** Returns a text for one stream by its name, without the options and without rules of other streams for the same rows. */
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

/** Whether plans that show the same row to clients in different ways are in the same order as before. */
export function keepsOrder(before: readonly StreamPlan[], plans: readonly StreamPlan[]): boolean {
  const kept = new Set(plans.flatMap(({ sources }) => sources.map(meaningOfSource)));
  const shared = before.map((plan) => ({
    sources: plan.sources.filter((source) => kept.has(meaningOfSource(source))),
  }));
  return JSON.stringify(contestsIn(shared)) === JSON.stringify(contestsIn(plans));
}

/**
 * Returns the contested rules. If several rules show a row to clients under the same name but in different ways, the last one
 * counts, so the order of these rules is part of their meaning.
 */
function contestsIn(plans: readonly Pick<StreamPlan, 'sources'>[]): readonly (readonly string[])[] {
  const sources = new Map<string, BucketSource>();
  for (const source of plans.flatMap((plan) => plan.sources))
    if (!sources.has(source.identity)) sources.set(source.identity, source);
  const rules = [...sources.values()].flatMap((source) => source.rules);
  // A rule without an output name may use the name of any table.
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
