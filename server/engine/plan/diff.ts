/**
 * Compares two configs, stream by stream, for the users of the old one. Two parts are equal if they have the same effect, no matter
 * where and how they are written.
 */
import { expressionText } from './expression.ts';
import { textOfMeeting, textOfPattern, textOfRule, textOfStep } from './identity.ts';
import type { BucketRoute, BucketSource, RowSelection, StreamPlan, TablePattern } from './plan.ts';

/**
 * - `rows`: other rows or columns are synced, or under other keys, so clients load them again.
 * - `access`: other users get the rows.
 * - `delivery`: only the priority changes, or whether clients get the stream without subscribing.
 */
type Extent = 'rows' | 'access' | 'delivery';

export interface StreamDifference {
  readonly stream: string;
  readonly change: 'new' | 'gone' | 'untouched' | Extent;
  /** Tables that must be read from the start, for rules and lookups that no stream of the old config contains. */
  readonly reads: readonly TablePattern[];
}

/** Returns the changes in the order of the new plans, followed by those of the removed plans. */
export function diffPlans(
  before: readonly StreamPlan[],
  after: readonly StreamPlan[],
): readonly StreamDifference[] {
  const old = new Map(before.map((plan) => [plan.name, plan]));
  const present = new Set(after.map(({ name }) => name));
  const kept = new Set(before.flatMap((plan) => partsOf(plan).map(({ text }) => text)));
  return [
    ...after.map((plan): StreamDifference => {
      const previous = old.get(plan.name);
      const change = previous === undefined ? 'new' : extentOf(previous, plan);
      return { stream: plan.name, change, reads: readsOf(plan, kept) };
    }),
    ...before
      .filter(({ name }) => !present.has(name))
      .map(({ name }) => ({ stream: name, change: 'gone', reads: [] }) as const),
  ];
}

function extentOf(before: StreamPlan, after: StreamPlan): Extent | 'untouched' {
  if (rowsText(before) !== rowsText(after)) return 'rows';
  if (accessText(before) !== accessText(after)) return 'access';
  return deliveryText(before) === deliveryText(after) ? 'untouched' : 'delivery';
}

function rowsText({ sources }: StreamPlan): string {
  return sources.map(textOfSource).sort().join('\n\n');
}

function textOfSource({ rules }: BucketSource): string {
  return rules.map(textOfRule).sort().join('\n');
}

function accessText(plan: StreamPlan): string {
  return [...new Set(plan.routes.map((route) => textOfRoute(route, plan)))].sort().join('\n\n');
}

function textOfRoute(route: BucketRoute, { sources, lookups }: StreamPlan): string {
  const source = sources[route.source];
  return [
    source && textOfSource(source),
    ...route.filter.map(expressionText).sort(),
    ...route.steps.map((step) => textOfStep(step, lookups)),
    ...route.keys.map(textOfMeeting),
  ].join('\n');
}

function deliveryText(plan: StreamPlan): string {
  const { isDefinition = false, isDefault, priority, routes } = plan;
  const priorities = routes.map((route) => `${route.priority ?? priority} ${textOfRoute(route, plan)}`);
  return JSON.stringify([isDefinition, isDefault, ...new Set(priorities.sort())]);
}

/** The part of a stream that syncs rows of one table. */
interface Part {
  readonly text: string;
  readonly table: TablePattern;
}

function partsOf({ sources, lookups }: StreamPlan): readonly Part[] {
  const part = (text: string, { table }: RowSelection): Part => ({ text, table });
  return [
    ...sources.flatMap(({ rules }) => rules.map((rule) => part(`rule ${textOfRule(rule)}`, rule))),
    ...lookups.map((lookup) => part(`lookup ${lookup.identity}`, lookup)),
  ];
}

function readsOf(plan: StreamPlan, kept: ReadonlySet<string>): readonly TablePattern[] {
  const missing = partsOf(plan).filter(({ text }) => !kept.has(text));
  return [...new Map(missing.map(({ table }) => [textOfPattern(table), table])).values()];
}
