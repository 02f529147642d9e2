/** Makes the plan of a stream of edition 2: each branch of its condition becomes a bucket source with one route. */
import type { StreamDefinition } from '../../../model/definition.ts';
import type { Select } from '../../../sql/ast.ts';
import type { Expression } from '../../expression.ts';
import { textOfLookup, textOfRule } from '../../identity.ts';
import { type Lookups, lookupTable } from '../../lookups.ts';
import type {
  BucketRoute,
  BucketSource,
  Expansion,
  Lookup,
  Meeting,
  OutputColumn,
  RouteStep,
  RowRule,
  StreamPlan,
} from '../../plan.ts';
import type { Conjunction, RowMembership } from '../conditions/condition.ts';
import { elementsOf, requestSide, rowSide, stageOf } from '../conditions/lower.ts';
import { outputNameOf, type QueryTable } from '../table.ts';

/** A query, as far as it can be read. */
export interface StreamQuery {
  readonly text: number;
  readonly select: Select;
  readonly table: QueryTable;
  /** Absent after a problem. */
  readonly branches?: readonly Conjunction[];
  readonly columns?: readonly OutputColumn[];
}

/** The priority of all streams of edition 2, because their own priority has no effect. */
const onlyPriority = 3;

export function planStream(
  { name, autoSubscribe }: StreamDefinition,
  queries: readonly StreamQuery[],
): StreamPlan {
  const lookups = lookupTable();
  const sources = new Map<string, BucketSource>();
  const routes = queries.flatMap((query) =>
    (query.branches ?? []).map((branch): BucketRoute => {
      const { rule, ...route } = planBranch(query, branch, lookups);
      const identity = textOfRule(rule);
      const source = sources.get(identity) ?? {
        identity,
        number: sources.size,
        keys: rule.keys.length,
        rules: [rule],
      };
      sources.set(identity, source);
      return { source: source.number, ...route };
    }),
  );
  return {
    name,
    isDefault: autoSubscribe,
    priority: onlyPriority,
    sources: [...sources.values()],
    lookups: lookups.all,
    routes,
  };
}

type PlannedBranch = Omit<BucketRoute, 'source'> & { readonly rule: RowRule };

function planBranch(
  { table, columns = [], text, select }: StreamQuery,
  { row, request, comparisons, memberships }: Conjunction,
  lookups: Lookups,
): PlannedBranch {
  const at = { text, span: select.span };
  const expansions: Expansion[] = [];
  const steps: RouteStep[] = [];
  const rowKeys = comparisons.map((comparison) => rowSide(comparison, expansions));
  const keys: Meeting[] = comparisons.map((comparison) => [requestSide(comparison, steps)]);
  for (const member of memberships) {
    const step = addLookup(member, steps, lookups);
    if (member.left === 'request') continue;
    rowKeys.push(memberSide(member, expansions));
    keys.push([{ kind: 'output', step, output: 0, at: member.at }]);
  }
  return {
    rule: {
      table: table.pattern,
      expansions,
      filter: row,
      keys: rowKeys,
      columns,
      ...outputNameOf(table),
      at,
    },
    filter: [...request, ...memberships.flatMap(({ rows }) => rows.where.request)],
    steps,
    keys,
    at,
  };
}

function memberSide({ left, value, at }: RowMembership, expansions: Expansion[]): Expression {
  if (left !== 'elements') return value;
  const expansion = expansions.push(elementsOf(value)) - 1;
  return { kind: 'element', expansion, name: 'value', at };
}

/**
 * Returns the index of the step. If the column must contain a value of the request, that value becomes another input; otherwise,
 * the column is the output of the lookup.
 */
function addLookup({ left, value, rows, at }: RowMembership, steps: RouteStep[], lookups: Lookups): number {
  const { table, column, where } = rows;
  const expansions: Expansion[] = [];
  const inputs = where.comparisons.map((comparison) => rowSide(comparison, expansions));
  const values = where.comparisons.map((comparison) => requestSide(comparison, steps));
  if (left === 'request') {
    inputs.push(column);
    values.push({ kind: 'request', value, at });
  }
  const lookup: Omit<Lookup, 'identity'> = {
    table: table.pattern,
    expansions,
    filter: where.row,
    inputs,
    outputs: left === 'request' ? [] : [column],
    at: { text: at.text, span: table.syntax.nameSpan },
  };
  const step: RouteStep = {
    kind: 'lookup',
    lookup: lookups.add({ ...lookup, identity: textOfLookup(lookup) }),
    stage: stageOf(values),
    inputs: values.map((input) => [input]),
  };
  return steps.push(step) - 1;
}
