/**
 * Collects the strings of the extension for translations. `l10n/bundle.l10n.json` contains all of them, and `bundle.l10n.de.json`
 * next to it needs only their German versions. The strings of package.json are in `package.nls.json`.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sentencesIn as sentencesOfMessage } from '../../client/l10n.ts';
import { sourceFindings } from '../../server/engine/diagnostics/advice.ts';
import { root } from '../root.ts';

const bundlePath = 'l10n/bundle.l10n.json';

/** Returns the bundle and its translations by path. `rulePages` are the texts of the pages in `docs/rules/`. */
export function renderSentences(rulePages: readonly string[]): ReadonlyMap<string, string> {
  const bundle = renderBundle(rulePages);
  const translations = globSync('l10n/bundle.l10n.*.json', { cwd: root }).map((path) => {
    const posixPath = path.replaceAll('\\', '/');
    return [posixPath, prune(readFileSync(join(root, path), 'utf8'), bundle)] as const;
  });
  return new Map([[bundlePath, bundle], ...translations]);
}

/** Returns the strings of VS Code's `l10n.t`, of `t` in `client/l10n.ts`, and of the language server if its pages show them. */
function renderBundle(rulePages: readonly string[]): string {
  const sentences = [
    ...new Set([...sourcesOf('client').flatMap(sentencesIn), ...sentencesOfServer(rulePages)]),
  ].sort();
  return `${JSON.stringify(Object.fromEntries(sentences.map((text) => [text, text])), undefined, 2)}\n`;
}

/** Returns the messages in the examples on the pages of codes. */
function sentencesOfServer(pages: readonly string[]): readonly string[] {
  const answers = pages.flatMap((page) => [
    ...page.matchAll(/^Headwater says:\n\n```text\n([\s\S]*?)\n```/gm),
  ]);
  const messages = answers.flatMap(([, answer = '']) => [
    ...answer.matchAll(/^\S+:\d+:\d+ (?:error|warning|hint) \S+ (.+)$/gm),
  ]);
  const shown = messages.map(([, message = '']) => message);
  return [...shown, ...ofDatabases].flatMap((message) =>
    sentencesOfMessage(message).map(({ template }) => template),
  );
}

/** Examples of findings about a database, and about the schema of a project. The pages have those about all of its files. */
const ofDatabases = (['unknown-schema', 'unknown-table', 'unknown-column'] as const).flatMap((code) => {
  const { message } = sourceFindings[code];
  const names = { schema: 'a', table: 'a', column: 'a' };
  return [message(names), message({ ...names, from: 'schema' })];
});

/** Removes strings that no longer exist from a translation. */
function prune(translation: string, bundle: string): string {
  const said = JSON.parse(bundle) as object;
  const kept = Object.entries(JSON.parse(translation) as object).filter(([text]) =>
    Object.hasOwn(said, text),
  );
  return `${JSON.stringify(Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1))), undefined, 2)}\n`;
}

function sourcesOf(folder: string): readonly string[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'));
}

/**
 * Matches calls. If the first argument is not a literal, there is nothing to collect, and `sentencesIn` leaves the call to the
 * test.
 */
const call = /(?<![\w$.])(?:l10n\.)?t\(\s*('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/g;

export function sentencesIn(source: string): readonly string[] {
  return [...source.matchAll(call)].map(([, literal = '']) => textOf(literal));
}

/** Returns the text of a literal. A literal in double quotes is JSON. */
function textOf(literal: string): string {
  if (literal.startsWith('"')) return JSON.parse(literal) as string;
  const inner = literal.slice(1, -1).replaceAll("\\'", "'").replaceAll('"', '\\"');
  return JSON.parse(`"${inner}"`) as string;
}
