/** Finds the place in a sync config that a service's message is about. */
import type { ReportedError } from './answers.ts';

/** Returns a half-open range. Undefined if the message is not about a place in the config. */
export function placeInConfig(
  { location, message }: Pick<ReportedError, 'location' | 'message'>,
  text: string,
): ReportedError['location'] {
  if (location !== undefined) return location;
  const names = [...message.matchAll(/"([^"\s]+)"/g)].map(([, name = '']) => name).reverse();
  for (const name of names) {
    const at = positionOf(name, text);
    if (at !== undefined) return { start: at, end: at + name.length };
  }
  return undefined;
}

/** Returns the position of the name as a separate word outside of comments. */
function positionOf(name: string, text: string): number | undefined {
  const word = new RegExp(`(?<![\\w$])${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w$])`, 'g');
  for (const { index } of text.matchAll(word)) {
    const line = text.slice(text.lastIndexOf('\n', index) + 1, index);
    if (!/(?:^|\s)#/.test(line) && !isKey(text, index + name.length)) return index;
  }
  return undefined;
}

/** Whether a word is a key. Keys are skipped, because streams often have the name of the table that they read. */
function isKey(text: string, end: number): boolean {
  return /^["']?\s*:(?:\s|$)/.test(text.slice(end, end + 20));
}
