/**
 * Turns the branches of a stream into its bucket sources. Branches with the same request filters, steps and key values give a
 * request the same buckets, so they become one route, and their rows share a source. Routes also share a source if their sources
 * contain the same rows under the same keys.
 */
import { compareTexts } from '../../text/order.ts';
import { expressionText, type Origin } from '../expression.ts';
import { textOfMeeting, textOfRule, textOfStep } from '../identity.ts';
import type {
  BucketRoute,
  BucketSource,
  Lookup,
  Meeting,
  OutputColumn,
  RowRule,
  StreamPlan,
} from '../plan.ts';
import type { BranchPlan } from './route.ts';

/** A branch of a query, and what the query syncs. */
export interface QueryBranch {
  readonly number: number;
  readonly plan: BranchPlan;
  readonly columns: readonly OutputColumn[];
  readonly outputTable?: string;
  readonly at: Origin;
  /** The number of the reference's branches that this branch represents. */
  readonly weight: number;
}

/** The branches of one route. Their keys are in the order of their values. */
interface RouteGroup {
  readonly first: QueryBranch;
  readonly meetings: readonly Meeting[];
  readonly rules: ComparedRule[];
}

interface ComparedRule extends RowRule {
  /** The places of the comparisons of each key. */
  readonly comparedAt: readonly (readonly Origin[])[];
}

/** Counts the kinds of buckets like the reference. */
export function countKinds(groups: readonly RouteGroup[]): number {
  return groups.reduce((sum, { first }) => sum + first.weight, 0);
}

export function groupByRoute(
  branches: readonly QueryBranch[],
  lookups: readonly Lookup[],
): readonly RouteGroup[] {
  if (branches.length === 1) return branches.map((branch) => openGroup(branch, branch.plan.keys));
  const groups = new Map<string, RouteGroup>();
  for (const branch of branches) {
    const keys = branch.plan.keys
      .map((key) => ({ ...key, text: textOfMeeting(key.meeting) }))
      .sort(
        (a, b) => compareTexts(a.text, b.text) || compareTexts(expressionText(a.row), expressionText(b.row)),
      );
    const text = textOfRoute(branch.plan, keys, lookups);
    const known = groups.get(text);
    if (known) known.rules.push(ruleOf(branch, keys));
    else groups.set(text, openGroup(branch, keys));
  }
  return [...groups.values()];
}

type Key = BranchPlan['keys'][number];

function openGroup(first: QueryBranch, keys: readonly Key[]): RouteGroup {
  return { first, meetings: keys.map(({ meeting }) => meeting), rules: [ruleOf(first, keys)] };
}

function ruleOf({ plan, columns, outputTable }: QueryBranch, keys: readonly Key[]): ComparedRule {
  return {
    ...plan.rows,
    keys: keys.map(({ row }) => row),
    comparedAt: keys.map(({ meeting }) => meeting.map((value) => value.at)),
    columns,
    ...(outputTable !== undefined && { outputTable }),
  };
}

function textOfRoute(
  { filter, steps }: BranchPlan,
  keys: readonly { readonly text: string }[],
  lookups: readonly Lookup[],
): string {
  const filters = filter.map(expressionText).join(' and ');
  const walk = steps.map((step) => textOfStep(step, lookups)).join('\n');
  return `if ${filters}\n${walk}\nkeys ${keys.map(({ text }) => text).join(', ')}`;
}

export function buildSources(groups: readonly RouteGroup[]): Pick<StreamPlan, 'sources' | 'routes'> {
  const sources: BucketSource[] = [];
  const indexes = new Map<string, number>();
  const routes = groups.map((group): BucketRoute => {
    const { plan, number, at } = group.first;
    const { rules, meetings } = inRowOrder(group);
    const byText = new Map(rules.map((rule) => [textOfRule(rule), rule]));
    const identity = [...byText.keys()].sort().join('\n');
    let source = indexes.get(identity);
    if (source === undefined) {
      const own = [...byText.values()].map(({ comparedAt: _, ...rule }) => rule);
      source = sources.push({ identity, number, keys: meetings.length, rules: own }) - 1;
      indexes.set(identity, source);
    }
    const comparedAt = (sources[source]?.rules ?? []).map(
      (rule) => byText.get(textOfRule(rule))?.comparedAt ?? [],
    );
    const route = { source, filter: plan.filter, steps: plan.steps, keys: meetings, at };
    return comparedAt.length > 1 ? { ...route, comparedAt } : route;
  });
  return { sources, routes };
}

/** Sorts the keys by the row expressions of the first rule, so that equal sources have equal texts. */
function inRowOrder({ rules, meetings }: RouteGroup): Pick<RouteGroup, 'rules' | 'meetings'> {
  if (meetings.length < 2) return { rules, meetings };
  const texts = (rules[0]?.keys ?? []).map(expressionText);
  const order = texts.map((_, index) => index).sort((a, b) => compareTexts(texts[a] ?? '', texts[b] ?? ''));
  const arrange = <T>(items: readonly T[]): T[] => order.map((index) => items[index] as T);
  return {
    rules: rules.map((rule) => ({
      ...rule,
      keys: arrange(rule.keys),
      comparedAt: arrange(rule.comparedAt),
    })),
    meetings: arrange(meetings),
  };
}
