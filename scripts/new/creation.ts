/** The files and rows that `npm run new` creates, as data, so that a test can check them without writing anything. */

export interface Creation {
  /** New files with their texts by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Rows in files that exist. */
  readonly rows: readonly Row[];
  /** The test that fails until the logic is written. */
  readonly test: string;
}

/** A row in a table, which may be an object, an array or a table of a page. */
interface Row {
  readonly path: string;
  /** The text with which the table begins. */
  readonly begin: string;
  /** The first text after `begin` before which the row is inserted. */
  readonly end: string;
  readonly text: string;
}

/** A name in the spellings of the places where it is used. */
export interface Name {
  /** `unlisted-value` */
  readonly kebab: string;
  /** `unlistedValue` */
  readonly camel: string;
  /** `UnlistedValue` */
  readonly pascal: string;
  /** `unlisted_value` */
  readonly snake: string;
  /** `unlisted value` */
  readonly words: string;
  /** `Unlisted Value` */
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

/** An import after the first one of a file. Biome sorts it. */
export function importRow(path: string, statement: string): Row {
  return { path, begin: '\nimport ', end: '\nimport ', text: `\n${statement}` };
}

/** A line under *Added* in the change log. */
export function changelogRow(subject: string): Row {
  const text = `\n- TODO: what users can do with ${subject}.`;
  return { path: 'CHANGELOG.md', begin: '\n## Unreleased\n\n### Added\n', end: '\n\n##', text };
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
