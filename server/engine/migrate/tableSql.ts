/** Writes tables of a plan as SQL. */
import type { NamePattern, RowRule, TablePattern } from '../plan/plan.ts';
import { nameText } from '../sql/names.ts';
import type { Refusals } from './refusals.ts';

/** The schema, in plans, of tables that are written without one. No real schema has an empty name. */
export const unwrittenSchema = '';

export function tableText({ refuse }: Refusals, { tag, schema, name }: TablePattern): string {
  const table = patternText(name);
  if (tag !== 'default')
    return refuse(
      `Its table ${table} is read from the connection \`${tag}\`; streams read only the default one.`,
    );
  return schema.text === unwrittenSchema && !schema.wildcard ? table : `${patternText(schema)}.${table}`;
}

function patternText({ text, wildcard }: NamePattern): string {
  return wildcard ? `"${text}%"` : nameText(text);
}

/** Returns the qualifier of the columns of a rule's table. */
export function rowName({ table, outputTable }: RowRule): string {
  return outputTable ?? (table.name.wildcard ? `${table.name.text}%` : table.name.text);
}

/** Returns the name of the table on clients. In a join, the name is quoted to show that it is intentional. */
export function aliasText({ table, outputTable }: RowRule, place: 'alone' | 'joined'): string {
  if (outputTable === undefined || (!table.name.wildcard && outputTable === table.name.text)) return '';
  return ` AS ${place === 'joined' ? `"${outputTable}"` : nameText(outputTable)}`;
}
