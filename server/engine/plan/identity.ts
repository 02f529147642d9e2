/** Texts of plan parts: two parts do the same if their texts are equal, wherever they are written. */
import { type Expression, expressionText } from './expression.ts';
import type {
  ExpandStep,
  Lookup,
  Meeting,
  NamePattern,
  OutputColumn,
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
  const columns = rule.columns.map(textOfColumn).join(',');
  return `${textOfSelection(rule)} keys ${listOf(rule.keys)} as ${JSON.stringify(rule.outputTable ?? null)} (${columns})`;
}

export function textOfLookup(lookup: Omit<Lookup, 'identity' | 'at'>): string {
  return `${textOfSelection(lookup)} in ${listOf(lookup.inputs)} out ${listOf(lookup.outputs)}`;
}

export function textOfExpand({ expansion, filter, outputs }: ExpandStep): string {
  return `${expansion.function}(${listOf(expansion.args)}) where ${listOf(filter)} out ${listOf(outputs)}`;
}

export function textOfMeeting(meeting: Meeting): string {
  return meeting.map(textOfValue).sort().join(' & ');
}

function textOfSelection({ table, expansions, filter }: Omit<RowSelection, 'at'>): string {
  const over = expansions.map((each) => `${each.function}(${listOf(each.args)})`).join(' x ');
  return `${textOfPattern(table)}${over && ` x ${over}`} where ${filter.map(expressionText).sort().join(' and ')}`;
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
