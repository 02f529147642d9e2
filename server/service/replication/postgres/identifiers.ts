/** Quotes names and texts for statements that cannot have parameters. */
import { quoteName } from '../../../engine/sql/names.ts';

export function quoteTable({ schema, name }: { readonly schema: string; readonly name: string }): string {
  return `${quoteName(schema)}.${quoteName(name)}`;
}

/** Quotes a text. The result is valid for every value of `standard_conforming_strings`. */
export function quoteText(text: string): string {
  return ` E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
