/** Names and texts inside of statements that cannot take parameters. */
import { quoteName } from '../../../engine/sql/names.ts';

export function quoteTable({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}

/** Holds whatever `standard_conforming_strings` says. */
export function quoteText(text: string): string {
  return ` E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
