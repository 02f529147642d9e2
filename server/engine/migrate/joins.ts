/** Writes queries with joins, for conditions that need several values of the same looked-up row or element. */
import type { Expression } from '../plan/expression.ts';
import type { Expansion, Lookup, RouteStep, RouteValue } from '../plan/plan.ts';
import { nameText, unusedName } from '../sql/names.ts';
import { columnsText } from './columns.ts';
import { conditionText, type Names, operandText, valueSql } from './expressions.ts';
import { namesOf, type QueryParts, type QueryWorld, selectText, stepOutputs } from './parts.ts';
import { aliasText, rowName, tableText } from './tableSql.ts';

export function joinQuery(world: QueryWorld, { rule, route, lookups }: QueryParts): string {
  const joins = openJoins(world, rowName(rule));
  const row = joins.openTable(rowName(rule), rule.expansions);
  const steps = route.steps.map((step) => openStep(world, joins, step, lookups));
  const textOfValue = (value: RouteValue): string => {
    if (value.kind === 'request') return operandText(joins.request, value.value);
    const step = route.steps[value.step];
    const output = step && stepOutputs(step, lookups)[value.output];
    const names = steps[value.step];
    return output && names ? operandText(names, output) : 'NULL';
  };
  const equal = (names: Names, sides: readonly Expression[], values: readonly (readonly RouteValue[])[]) =>
    sides.flatMap((side, index) =>
      (values[index] ?? []).map((value) => `${operandText(names, side)} = ${textOfValue(value)}`),
    );
  const conditions = [
    ...equal(row, rule.keys, route.keys),
    ...route.steps.flatMap((step, index) => {
      const names = steps[index] ?? row;
      if (step.kind === 'expand') return step.filter.map((filter) => conditionText(names, filter));
      const lookup = lookups[step.lookup];
      if (!lookup) return [];
      return [
        ...equal(names, lookup.inputs, step.inputs),
        ...lookup.filter.map((filter) => conditionText(names, filter)),
      ];
    }),
    ...route.filter.map((filter) => conditionText(joins.request, filter)),
    ...rule.filter.map((filter) => conditionText(row, filter)),
  ];
  const from = `${tableText(world.refusals, rule.table)}${aliasText(rule, 'joined')}`;
  const items = [from, ...joins.items];
  return selectText(columnsText(row, rule, world.starColumns), items.join(', '), conditions);
}

interface Joins {
  /** The items of FROM after the synced table. */
  readonly items: readonly string[];
  readonly request: Names;
  readonly openTable: (name: string, expansions: readonly Expansion[]) => Names;
  readonly openLookup: (lookup: Lookup) => Names;
  readonly openElements: (expansion: Expansion) => Names;
}

function openJoins(world: QueryWorld, first: string): Joins {
  const taken = new Set([first.toLowerCase()]);
  const items: string[] = [];
  const request: Names = { ...namesOf(world, ''), elements: [] };
  const takeName = (name: string): string => {
    const unused = unusedName(name, (candidate) => taken.has(candidate.toLowerCase()));
    taken.add(unused.toLowerCase());
    return unused;
  };
  const addFunction = (names: Names, { args }: Expansion): string => {
    const alias = takeName('element');
    items.push(`json_each(${args.map((arg) => valueSql(names, arg)).join(', ')}) AS ${alias}`);
    return alias;
  };
  const openTable = (name: string, expansions: readonly Expansion[]): Names => {
    const names = { ...namesOf(world, name), row: name, elements: [] };
    return { ...names, elements: expansions.map((expansion) => addFunction(names, expansion)) };
  };
  return {
    items,
    request,
    openTable,
    openLookup: ({ table, expansions }) => {
      const { text, wildcard } = table.name;
      const alias = takeName(wildcard ? 'other' : text);
      const written = tableText(world.refusals, table);
      items.push(alias === text && !wildcard ? written : `${written} AS ${nameText(alias)}`);
      return openTable(alias, expansions);
    },
    openElements: (expansion) => ({ ...request, elements: [addFunction(request, expansion)] }),
  };
}

function openStep(world: QueryWorld, joins: Joins, step: RouteStep, lookups: readonly Lookup[]): Names {
  if (step.kind === 'expand') return joins.openElements(step.expansion);
  const lookup = lookups[step.lookup];
  return lookup ? joins.openLookup(lookup) : { ...namesOf(world, ''), elements: [] };
}
