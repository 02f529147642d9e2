/** The texts that the user interface shows while it waits for an answer, read from its sources. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../root.ts';

/** Texts with the same ending that ask for a choice. */
const choices: readonly string[] = ['Choose …', 'Another Service …'];

/** Returns all texts of the client that end with an ellipsis, which marks progress. */
export function progressTexts(): readonly string[] {
  const sources = globSync('client/**/*.{ts,tsx}', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  );
  const found = sources.flatMap((text) => [
    ...text.matchAll(/['"`>]\s*([A-Z][a-z][^'"`<>{}$]* …)\s*['"`<]/g),
  ]);
  return [...new Set(found.map(([, text = '']) => text))].filter((text) => !choices.includes(text)).sort();
}
