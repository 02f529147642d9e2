import type { TableSource } from './ast.ts';
import { reservedWords } from './words.ts';

/** Writes a name, with quotes if it would otherwise be folded or read as something else. Quotes in the name are doubled. */
export function nameText(name: string): string {
  const isPlain = /^[a-z_][a-z0-9_]*$/.test(name) && !reservedWords.has(name);
  return isPlain ? name : quoteName(name);
}

/** Returns the name in quotes, even if it needs none, for generated statements that users do not see. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The maximum length of an alias that counts as an abbreviation rather than as a table name. */
const longestAbbreviation = 3;

/** Whether the alias of a table only shortens the query. Quotes show that it is intended as a name. */
export function isAbbreviated({ alias, name }: TableSource): boolean {
  if (alias === undefined || alias.name.quoted) return false;
  const { length } = alias.name.text;
  return length <= longestAbbreviation && length < name.text.length;
}

/** Returns the name, or the first of `name_2`, `name_3` etc. that is not taken. */
export function unusedName(name: string, isTaken: (name: string) => boolean): string {
  let candidate = name;
  for (let count = 2; isTaken(candidate); count++) candidate = `${name}_${count}`;
  return candidate;
}
