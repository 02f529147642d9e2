import type { TableSource } from './ast.ts';
import { reservedWords } from './words.ts';

/**
 * A name as it must be written: with quotes where it would be folded without them, or read as something else. Quotes
 * in it are doubled.
 */
export function nameText(name: string): string {
  const isPlain = /^[a-z_][a-z0-9_]*$/.test(name) && !reservedWords.has(name);
  return isPlain ? name : quoteName(name);
}

/** Returns the name in quotes in any case, for statements that nobody reads. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Aliases up to this many characters are abbreviations, which nobody means as the name of a table. */
const longestAbbreviation = 3;

/** Whether the alias of a table only shortens the query. Quotes show that it is meant as a name. */
export function isAbbreviated({ alias, name }: TableSource): boolean {
  if (alias === undefined || alias.name.quoted) return false;
  const { length } = alias.name.text;
  return length <= longestAbbreviation && length < name.text.length;
}

/** Returns the name, or the first of `name_2`, `name_3` and so on that is not taken. */
export function unusedName(name: string, isTaken: (name: string) => boolean): string {
  let candidate = name;
  for (let count = 2; isTaken(candidate); count++) candidate = `${name}_${count}`;
  return candidate;
}
