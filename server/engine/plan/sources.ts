/**
 * From the branches of a stream to its bucket sources. Branches with the same request filters, the same steps and
 * the same key values give a request the same buckets, so they are one route, and their rows share a source. Routes
 * whose sources hold the same rows under the same keys share it, too.
 */
import type { Expression, Origin } from './expression.ts';
import { textOf } from './expression.ts';
import { textOfExpand, textOfMeeting, textOfRule } from './identity.ts';
import type {
  BucketSource,
  Lookup,
  Meeting,
  OutputColumn,
  Route,
  RowRule,
  Step,
  StreamPlan,
} from './plan.ts';
import type { BranchPlan } from './route.ts';

/** A branch of a query, with what the query syncs. */
export interface QueryBranch {
  readonly number: number;
  readonly plan: BranchPlan;
  readonly columns: readonly OutputColumn[];
  readonly outputTable?: string;
  readonly at: Origin;
  /** For how many branches of the reference it stands. */
  readonly weight: number;
}

interface RouteGroup {
  readonly number: number;
  readonly plan: BranchPlan;
  readonly meetings: readonly Meeting[];
  readonly rules: Map<string, RowRule>;
  readonly at: Origin;
  readonly weight: number;
}

type Built = Pick<StreamPlan, 'sources' | 'routes'>;

export function buildSources(branches: readonly QueryBranch[], lookups: readonly Lookup[]): Built {
  const groups = groupByRoute(branches, lookups);
  const sources: BucketSource[] = [];
  const indexes = new Map<string, number>();
  const routes: Route[] = [];
  for (const group of groups) {
    const { rules, meetings } = inRowOrder(group);
    const identity = rules.map(textOfRule).sort().join('\n');
    const known = indexes.get(identity);
    const source =
      known ?? sources.push({ identity, number: group.number, keys: meetings.length, rules }) - 1;
    indexes.set(identity, source);
    const { filter, steps } = group.plan;
    routes.push({ source, filter, steps, keys: meetings, at: group.at });
  }
  return { sources, routes };
}

/** How many kinds of buckets the reference counts. */
export function countRoutes(branches: readonly QueryBranch[], lookups: readonly Lookup[]): number {
  return groupByRoute(branches, lookups).reduce((sum, { weight }) => sum + weight, 0);
}

function groupByRoute(branches: readonly QueryBranch[], lookups: readonly Lookup[]): readonly RouteGroup[] {
  const groups = new Map<string, RouteGroup>();
  for (const branch of branches) {
    const { plan, number, at, weight } = branch;
    const keys = [...plan.keys]
      .map((key) => ({ ...key, text: textOfMeeting(key.meeting) }))
      .sort((a, b) => compare(a.text, b.text) || compare(textOf(a.row), textOf(b.row)));
    const text = textOfRoute(
      plan,
      keys.map((key) => key.text),
      lookups,
    );
    const meetings = keys.map(({ meeting }) => meeting);
    const known = groups.get(text) ?? { number, plan, meetings, rules: new Map(), at, weight };
    groups.set(text, known);
    const rule = ruleOf(
      branch,
      keys.map(({ row }) => row),
    );
    const ruleText = textOfRule(rule);
    if (!known.rules.has(ruleText)) known.rules.set(ruleText, rule);
  }
  return [...groups.values()];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function textOfRoute(
  { filter, steps }: BranchPlan,
  keys: readonly string[],
  lookups: readonly Lookup[],
): string {
  const filters = filter.map(textOf).sort().join(' and ');
  return `if ${filters}\n${steps.map((step) => textOfStep(step, lookups)).join('\n')}\nkeys ${keys.join(', ')}`;
}

function textOfStep(step: Step, lookups: readonly Lookup[]): string {
  if (step.kind === 'expand') return textOfExpand(step);
  return `${lookups[step.lookup]?.identity} from ${step.inputs.map(textOfMeeting).join(', ')}`;
}

function ruleOf({ plan, columns, outputTable }: QueryBranch, keys: readonly Expression[]): RowRule {
  return { ...plan.rows, keys, columns, ...(outputTable !== undefined && { outputTable }) };
}

/** Puts the keys into the order of the row expressions of the first rule, so that equal sources look equal. */
function inRowOrder({ rules, meetings }: RouteGroup): { rules: RowRule[]; meetings: readonly Meeting[] } {
  const all = [...rules.values()];
  const texts = (all[0]?.keys ?? []).map(textOf);
  const order = texts.map((_, index) => index).sort((a, b) => compare(texts[a] ?? '', texts[b] ?? ''));
  const arranged = <T>(items: readonly T[]): T[] => order.map((index) => items[index] as T);
  return {
    rules: all.map((rule) => ({ ...rule, keys: arranged(rule.keys) })),
    meetings: arranged(meetings),
  };
}
