/** Texts that identify plan parts. Two parts have the same effect if their texts are equal, no matter where they are written. */
import { type Expression, expressionText } from './expression.ts';
import type {
  ExpandStep,
  Lookup,
  Meeting,
  NamePattern,
  OutputColumn,
  RouteStep,
  RouteValue,
  RowRule,
  RowSelection,
  TablePattern,
} from './plan.ts';

export function textOfPattern({ tag, schema, name }: TablePattern): string {
  return JSON.stringify([tag, textOfName(schema), textOfName(name)]);
}

function textOfName({ text, wildcard }: NamePattern): string {
  return wildcard ? `${text}%` : text;
}

export function textOfRule(rule: Omit<RowRule, 'at'>): string {
  return `${textOfSelection(rule)} keys ${listOf(rule.keys)} as ${JSON.stringify(rule.outputTable ?? null)} (${textOfColumns(rule)})`;
}

/** Returns a text for the output of a rule, which is the data of a row that clients see. */
export function textOfOutput(rule: Pick<RowRule, 'table' | 'columns'>): string {
  return `${textOfPattern(rule.table)} (${textOfColumns(rule)})`;
}

export function textOfLookup(lookup: Omit<Lookup, 'identity' | 'at'>): string {
  return `${textOfSelection(lookup)} in ${listOf(lookup.inputs)} out ${listOf(lookup.outputs)}`;
}

export function textOfStep(step: RouteStep, lookups: readonly Lookup[]): string {
  if (step.kind === 'expand') return textOfExpand(step);
  return `${lookups[step.lookup]?.identity} from ${step.inputs.map(textOfMeeting).join(', ')}`;
}

function textOfExpand({ expansion, filter, outputs }: ExpandStep): string {
  return `${expansion.function}(${listOf(expansion.args)}) where ${listOf(filter)} out ${listOf(outputs)}`;
}

export function textOfMeeting(meeting: Meeting): string {
  return meeting.map(textOfValue).sort().join(' & ');
}

function textOfSelection({ table, expansions, filter }: Omit<RowSelection, 'at'>): string {
  const over = expansions.map((each) => `${each.function}(${listOf(each.args)})`).join(' x ');
  return `${textOfPattern(table)}${over && ` x ${over}`} where ${filter.map(expressionText).sort().join(' and ')}`;
}

function textOfColumns({ columns }: Pick<RowRule, 'columns'>): string {
  return columns.map(textOfColumn).join(',');
}

function textOfColumn(column: OutputColumn): string {
  if (column.kind === 'star') return column.visibleOnly ? '* without hidden' : '*';
  const value = `${JSON.stringify(column.name)}: ${expressionText(column.value)}`;
  return column.yieldsToStar ? `${value} or *` : value;
}

function textOfValue(value: RouteValue): string {
  return value.kind === 'request' ? expressionText(value.value) : `#${value.step}.${value.output}`;
}

function listOf(expressions: readonly Expression[]): string {
  return `[${expressions.map(expressionText).join(', ')}]`;
}
