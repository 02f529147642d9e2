/**
 * Writes one way in which rows of a table reach a request as a query of a stream: a rule of a bucket source with a route to it. The
 * lookups of the route become a subquery after IN, or a join if several values of the same looked-up row are needed.
 */

import { type Expression, expressionText } from '../plan/expression.ts';
import { meetingsOf } from '../plan/meetings.ts';
import type { BucketRoute, Expansion, Lookup, RouteStep, RouteValue, RowRule } from '../plan/plan.ts';
import { columnsText } from './columns.ts';
import { conditionText, type Names, operandText, valueSql } from './expressions.ts';
import { joinQuery } from './joins.ts';
import { namesOf, type QueryParts, type QueryWorld, selectText, stepOutputs } from './parts.ts';
import { aliasText, rowName, tableText } from './tableSql.ts';

/** Returns undefined if the query never returns anything, because a NULL key names no bucket. */
export function queryText(world: QueryWorld, parts: QueryParts): string | undefined {
  const { rule, route } = parts;
  if (route.keys.some(isNever)) return undefined;
  return needsJoin(parts) ? joinQuery(world, parts) : nestedQuery(world, rule, parts);
}

function isNever(values: readonly RouteValue[]): boolean {
  return values.some(
    (value) =>
      value.kind === 'request' && value.value.kind === 'constant' && value.value.value.type === 'null',
  );
}

/** Whether the query needs a join, because a subquery after IN returns a single value and can be used only once. */
function needsJoin({ rule, route: { steps, keys }, lookups }: QueryParts): boolean {
  const values = meetingsOf({ keys, steps }).flat();
  const uses = steps.map((_, index) =>
    values.filter((value) => value.kind === 'output' && value.step === index),
  );
  const isShared = uses.some((found) => found.length > 1);
  const isWide = steps.some((step) => stepOutputs(step, lookups).length > 1);
  const isScattered = steps.some((step) => {
    const lookup = step.kind === 'lookup' ? lookups[step.lookup] : undefined;
    return (
      lookup && hasScatteredElements(lookup.expansions, lookup.inputs, [...lookup.filter, ...lookup.outputs])
    );
  });
  return isShared || isWide || isScattered || hasScatteredElements(rule.expansions, rule.keys, rule.filter);
}

/**
 * Whether an element is used anywhere other than in a single comparison. IN compares an element with one value, and any other use
 * needs a name for the element.
 */
function hasScatteredElements(
  expansions: readonly Expansion[],
  compared: readonly Expression[],
  others: readonly Expression[],
): boolean {
  const mentions = (text: string, index: number) => text.includes(`[${index}].`);
  return expansions.some(
    (_, index) =>
      compared.filter((value) => mentions(expressionText(value), index)).length !== 1 ||
      others.some((value) => mentions(expressionText(value), index)),
  );
}

function nestedQuery(world: QueryWorld, rule: RowRule, { route, lookups }: QueryParts): string {
  const names = { ...namesOf(world, rowName(rule)), elements: [] };
  const nested: NestedRoute = { world, route, lookups };
  const conditions = [
    ...rule.keys.map((key, index) =>
      meetingText(nested, names, rule.expansions, key, route.keys[index] ?? []),
    ),
    ...route.steps.flatMap((step, index) => existenceText(nested, step, index)),
    ...route.filter.map((filter) => conditionText(names, filter)),
    ...rule.filter.map((filter) => conditionText(names, filter)),
  ];
  const from = `${tableText(world.refusals, rule.table)}${aliasText(rule, 'alone')}`;
  return selectText(columnsText(names, rule, world.starColumns), from, conditions);
}

interface NestedRoute {
  readonly world: QueryWorld;
  readonly route: BucketRoute;
  readonly lookups: readonly Lookup[];
}

/** Writes a condition that a value of a row must be among values of the request. */
function meetingText(
  nested: NestedRoute,
  names: Names,
  expansions: readonly Expansion[],
  side: Expression,
  values: readonly RouteValue[],
): string {
  const list = side.kind === 'element' ? expansions[side.expansion]?.args[0] : undefined;
  const left = list === undefined ? operandText(names, side) : operandText(names, list);
  return values
    .map((value) => {
      const right = routeValueText(nested, value);
      if (list !== undefined) return right.isSet ? `${left} && ${right.text}` : `${right.text} IN ${left}`;
      return right.isSet ? `${left} IN ${right.text}` : `${left} = ${right.text}`;
    })
    .join(' AND ');
}

interface Right {
  readonly text: string;
  readonly isSet: boolean;
}

function routeValueText(nested: NestedRoute, value: RouteValue): Right {
  const { world, route, lookups } = nested;
  if (value.kind === 'request')
    return { text: operandText({ ...namesOf(world, ''), elements: [] }, value.value), isSet: false };
  const step = route.steps[value.step];
  if (step?.kind === 'expand') return { text: elementsText(world, step), isSet: true };
  const lookup = step && lookups[step.lookup];
  const output = lookup?.outputs[value.output];
  if (!step || !lookup || !output) return { text: 'NULL', isSet: false };
  return { text: world.share(lookupText(nested, lookup, step.inputs, output)), isSet: true };
}

/** Writes the elements of an array in the request: the array itself if all elements count. */
function elementsText(
  world: QueryWorld,
  { expansion, filter, outputs }: RouteStep & { kind: 'expand' },
): string {
  const [array] = expansion.args;
  const [output] = outputs;
  const names: Names = { ...namesOf(world, ''), elements: [] };
  if (!array || !output) return world.refusals.refuse('It reads a list without using its elements.');
  const isPlain = output.kind === 'element' && output.name === 'value' && filter.length === 0;
  if (isPlain) return operandText(names, array);
  const conditions = filter.map((condition) => conditionText(names, condition));
  return `(${selectText(valueSql(names, output), `json_each(${valueSql(names, array)})`, conditions)})`;
}

function lookupText(
  nested: NestedRoute,
  lookup: Lookup,
  inputs: readonly (readonly RouteValue[])[],
  output: Expression,
  without?: number,
): string {
  const { world } = nested;
  const names: Names = { ...namesOf(world, lookup.table.name.text), elements: [] };
  const conditions = [
    ...lookup.inputs.flatMap((input, index) =>
      index === without ? [] : [meetingText(nested, names, lookup.expansions, input, inputs[index] ?? [])],
    ),
    ...lookup.filter.map((filter) => conditionText(names, filter)),
  ];
  return `(${selectText(valueSql(names, output), tableText(world.refusals, lookup.table), conditions)})`;
}

/** Writes a lookup that only has to find something. One of its conditions becomes the comparison with the found value. */
function existenceText(nested: NestedRoute, step: RouteStep, index: number): string[] {
  const { world, route, lookups } = nested;
  const isUsed = meetingsOf(route)
    .flat()
    .some((value) => value.kind === 'output' && value.step === index);
  if (isUsed) return [];
  const lookup = step.kind === 'lookup' ? lookups[step.lookup] : undefined;
  if (!lookup || step.kind !== 'lookup')
    return [world.refusals.refuse('It only checks whether a list has elements.')];
  const at = lookup.inputs.findIndex(({ kind }) => kind !== 'element');
  const input = lookup.inputs[at];
  const [value] = step.inputs[at] ?? [];
  if (!input || !value) {
    const found = `It only checks whether the table \`${lookup.table.name.text}\` has a matching row`;
    return [world.refusals.refuse(`${found}, without comparing it with the request.`)];
  }
  const left = routeValueText(nested, value);
  const operator = left.isSet ? '&&' : 'IN';
  return [`${left.text} ${operator} ${lookupText(nested, lookup, step.inputs, input, at)}`];
}
