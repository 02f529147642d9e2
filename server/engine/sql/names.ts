import { reservedWords } from './words.ts';

/**
 * A name as it must be written: with quotes where it would be folded without them, or read as something else. Quotes
 * in it are doubled.
 */
export function nameText(name: string): string {
  const isPlain = /^[a-z_][a-z0-9_]*$/.test(name) && !reservedWords.has(name);
  return isPlain ? name : quoteName(name);
}

/** With quotes in any case: for statements that nobody reads. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
