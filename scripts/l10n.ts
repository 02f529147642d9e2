/**
 * `npm run l10n`: writes the sentences of the extension into `l10n/bundle.l10n.json`, from which translations into
 * other languages begin: `bundle.l10n.de.json` beside it is all that German needs. Those of package.json are in
 * `package.nls.json`. The result is committed; a test compares.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

export const bundlePath = 'l10n/bundle.l10n.json';

/** What is said through `l10n.t` of VS Code, or `t` of `client/l10n.ts`. */
export function renderBundle(): string {
  const sentences = [...new Set(sourcesOf('client').flatMap(sentencesIn))].sort();
  return `${JSON.stringify(Object.fromEntries(sentences.map((text) => [text, text])), undefined, 2)}\n`;
}

function sourcesOf(folder: string): readonly string[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));
}

/** A call whose first argument is no literal has nothing to collect: `sentencesIn` leaves it to the test. */
const call = /(?<![\w$.])(?:l10n\.)?t\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g;

export function sentencesIn(source: string): readonly string[] {
  return [...source.matchAll(call)].map(([, literal = '']) => textOf(literal));
}

/** Of a literal as it is written: with the quotes of JSON it is JSON. */
function textOf(literal: string): string {
  if (literal.startsWith('"')) return JSON.parse(literal) as string;
  const inner = literal.slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"');
  return JSON.parse(`"${inner}"`) as string;
}

if (import.meta.main) writeFileSync(join(root, bundlePath), renderBundle());
