/** Creates the files and rows of `npm run new` as data, so that a test can check them without writing files. */
import { Script } from 'node:vm';

export interface Creation {
  /** The texts of new files, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Rows in existing files. */
  readonly rows: readonly Row[];
  /** The test that fails until the logic is written. */
  readonly test: string;
}

/** A row of a table, which may be an object, an array or a Markdown table. */
interface Row {
  readonly path: string;
  /** The text with which the table begins. */
  readonly begin: string;
  /** The first text after `begin`. The row is inserted before it. */
  readonly end: string;
  readonly text: string;
}

/** A name in all spellings that are used in different places. */
export interface Name {
  /** The name as `unlisted-value`. */
  readonly kebab: string;
  /** The name as `unlistedValue`. */
  readonly camel: string;
  /** The name as `UnlistedValue`. */
  readonly pascal: string;
  /** The name as `unlisted_value`. */
  readonly snake: string;
  /** The name as `unlisted value`. */
  readonly words: string;
  /** The name as `Unlisted Value`. */
  readonly title: string;
}

/** Returns undefined for a text that is not in kebab case. */
export function readName(kebab: string): Name | undefined {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(kebab)) return undefined;
  const words = kebab.split('-');
  const capitals = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`);
  const pascal = capitals.join('');
  return {
    kebab,
    camel: `${pascal.charAt(0).toLowerCase()}${pascal.slice(1)}`,
    pascal,
    snake: words.join('_'),
    words: words.join(' '),
    title: capitals.join(' '),
  };
}

/** Returns why a name cannot be used for a creation, as a sentence; undefined if it can. */
export function problemWith({ kebab, camel }: Name, { files }: Creation): string | undefined {
  const declares = new RegExp(`\\bconst ${camel}\\b`);
  const imports = new RegExp(`^import \\{[^}]*\\b${camel}\\b`, 'm');
  const texts = Object.values(files);
  if (texts.some((text) => declares.test(text)) && !isIdentifier(camel))
    return `"${kebab}" cannot be used, because ${camel} is a reserved word of JavaScript. Choose another name.`;
  if (texts.some((text) => declares.test(text) && imports.test(text)))
    return `"${kebab}" cannot be used, because the new file imports something named ${camel}. Choose another name.`;
  return undefined;
}

function isIdentifier(text: string): boolean {
  try {
    return new Script(`'use strict'; async () => { const ${text} = 0; };`) !== undefined;
  } catch {
    return false;
  }
}

/** Returns an import after the first one of a file. Biome sorts it. */
export function importRow(path: string, statement: string): Row {
  return { path, begin: '\nimport ', end: '\nimport ', text: `\n${statement}` };
}

/** Returns a line under *Added* in the changelog. */
export function changelogRow(subject: string): Row {
  const text = `\n- TODO: what users can do with ${subject}.`;
  return { path: 'CHANGELOG.md', begin: '\n### Added\n', end: '\n\n##', text };
}

/** Returns the texts of all files that a creation adds or changes, by path. */
export function textsOf(
  { files, rows }: Creation,
  textOf: (path: string) => string,
): ReadonlyMap<string, string> {
  const texts = new Map(Object.entries(files));
  for (const row of rows) texts.set(row.path, withRow(texts.get(row.path) ?? textOf(row.path), row));
  return texts;
}

function withRow(file: string, { path, begin, end, text }: Row): string {
  const start = file.indexOf(begin);
  const at = start < 0 ? -1 : file.indexOf(end, start + begin.length);
  if (at < 0)
    throw new Error(
      `${path} has no table that begins with "${begin.trim()}" and ends before "${end.trim()}": add it, or correct scripts/new/.`,
    );
  return `${file.slice(0, at)}${text}${file.slice(at)}`;
}
