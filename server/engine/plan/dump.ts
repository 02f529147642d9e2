/**
 * Writes a plan as text for users and golden files:
 *
 *     source 0: rows of trips under [.boat_id] as trips (*)
 *     lookup 0: rows of boats if .active, by [.owner_id], gives [.id]
 *     route to source 0
 *       step 0: lookup 0 with [(->> auth "sub")]
 *       under [step 0.0]
 */
import { type Expression, expressionText } from './expression.ts';
import type {
  BucketRoute,
  Expansion,
  Lookup,
  Meeting,
  NamePattern,
  OutputColumn,
  RouteStep,
  RouteValue,
  RowRule,
  RowSelection,
  StreamPlan,
  TablePattern,
} from './plan.ts';

export function dumpPlan({ sources, lookups, routes }: StreamPlan): string {
  return [
    ...sources.flatMap(({ rules }, index) => rules.map((rule) => `source ${index}: ${textOfRule(rule)}`)),
    ...lookups.map((lookup, index) => `lookup ${index}: ${textOfLookup(lookup)}`),
    ...routes.map(textOfRoute),
  ].join('\n');
}

function textOfRule(rule: RowRule): string {
  const keys = rule.keys.length > 0 ? ` under ${listOf(rule.keys)}` : '';
  const columns = rule.columns.map(columnText).join(', ');
  return `${textOfSelection(rule)}${keys} as ${rule.outputTable ?? 'their table'} (${columns})`;
}

export function columnText(column: OutputColumn): string {
  if (column.kind === 'star') return column.visibleOnly ? '* without hidden' : '*';
  const value = expressionText(column.value);
  if (column.yieldsToStar) return `${column.name} = ${value} or *`;
  return value === `.${column.name}` ? column.name : `${column.name} = ${value}`;
}

function textOfLookup(lookup: Lookup): string {
  const inputs = lookup.inputs.length > 0 ? `, by ${listOf(lookup.inputs)}` : '';
  const outputs = lookup.outputs.length > 0 ? `, gives ${listOf(lookup.outputs)}` : ', must exist';
  return `${textOfSelection(lookup)}${inputs}${outputs}`;
}

function textOfSelection({ table, expansions, filter }: RowSelection): string {
  const over = expansions.map((each, index) => ` x [${index}] ${textOfExpansion(each)}`).join('');
  return `rows of ${textOfTable(table)}${over}${conditionText(filter)}`;
}

function textOfTable({ schema, name }: TablePattern): string {
  return `${schema.text === 'public' ? '' : `${textOfName(schema)}.`}${textOfName(name)}`;
}

function textOfName({ text, wildcard }: NamePattern): string {
  return wildcard ? `${text}%` : text;
}

function textOfExpansion({ function: name, args }: Expansion): string {
  return `${name}(${args.map(expressionText).join(', ')})`;
}

function conditionText(filter: readonly Expression[]): string {
  return filter.length > 0 ? ` if ${filter.map(expressionText).join(' and ')}` : '';
}

function textOfRoute({ source, filter, steps, keys, priority }: BucketRoute): string {
  const urgency = priority === undefined ? '' : ` at priority ${priority}`;
  return [
    `route to source ${source}${urgency}${conditionText(filter)}`,
    ...steps.map((step, index) => `  step ${index}: ${textOfStep(step)}`),
    ...(keys.length > 0 ? [`  under ${meetingsText(keys)}`] : []),
  ].join('\n');
}

function textOfStep(step: RouteStep): string {
  if (step.kind === 'lookup') {
    const inputs = step.inputs.length > 0 ? ` with ${meetingsText(step.inputs)}` : '';
    return `lookup ${step.lookup}${inputs}${step.stage > 0 ? `, stage ${step.stage}` : ''}`;
  }
  const outputs = step.outputs.length > 0 ? `, gives ${listOf(step.outputs)}` : ', must exist';
  return `elements of ${textOfExpansion(step.expansion)}${conditionText(step.filter)}${outputs}`;
}

function meetingsText(meetings: readonly Meeting[]): string {
  return `[${meetings.map((meeting) => meeting.map(textOfValue).join(' & ')).join(', ')}]`;
}

function textOfValue(value: RouteValue): string {
  return value.kind === 'request' ? expressionText(value.value) : `step ${value.step}.${value.output}`;
}

function listOf(expressions: readonly Expression[]): string {
  return `[${expressions.map(expressionText).join(', ')}]`;
}
