/**
 * The settings of the extension `redhat.vscode-yaml` for our files: no schema is looked up for them, and `!env` is a tag. Only
 * these entries are ever added or removed.
 */

export interface YamlSettings {
  /** The setting `yaml.disableSchemaDetection`: paths or globs. A single one need not be in a list. */
  readonly disableSchemaDetection?: unknown;
  /** The setting `yaml.customTags`. */
  readonly customTags?: unknown;
}

export interface QuietSettings {
  readonly disableSchemaDetection: readonly unknown[];
  readonly customTags: readonly unknown[];
}

const tag = '!env scalar';

/**
 * Whether the other extension ignores a file. An entry with an exclamation mark names files that it does not ignore.
 *
 * @param matches whether the file matches a glob pattern, which begins at any folder
 */
export function isQuiet(
  { disableSchemaDetection }: YamlSettings,
  matches: (pattern: string) => boolean,
): boolean {
  const entries = listOf(disableSchemaDetection).filter((entry) => typeof entry === 'string');
  const isMatch = (entry: string): boolean => matches(`**/${entry.replace(/^\//, '')}`);
  const isExcluded = entries.some((entry) => entry.startsWith('!') && isMatch(entry.slice(1)));
  return !isExcluded && entries.some((entry) => !entry.startsWith('!') && isMatch(entry));
}

/** The files of a workspace with certain names. */
export interface NamedFiles {
  readonly pattern: string;
  /** The paths of our files, relative to their folder of the workspace. */
  readonly ours: readonly string[];
  /** Whether other programs have files with these names, or may have them because not all files are known. */
  readonly hasOthers: boolean;
}

/** Returns the entries for our files: patterns, so that later files are included, unless a pattern would include files of others. */
export function quietEntries(named: readonly NamedFiles[]): readonly string[] {
  const [whole, shared] = [named.filter((each) => !each.hasOthers), named.filter((each) => each.hasOthers)];
  const known = new Set(whole.flatMap(({ ours }) => ours));
  const paths = shared.flatMap(({ ours }) => ours).filter((path) => !known.has(path));
  return [...whole.map(({ pattern }) => pattern), ...new Set(paths.map(literally))];
}

/** Returns all entries that may have been written for these files, also by earlier versions, which wrote the paths of all files. */
export function formerEntries(named: readonly NamedFiles[]): readonly string[] {
  return named.flatMap(({ pattern, ours }) => [pattern, ...ours, ...ours.map(literally)]);
}

/** Returns a pattern for a path. Each character with a meaning in patterns becomes one for any character. */
function literally(path: string): string {
  return path.replaceAll(/[[\](){}!*+@\\]/g, '?');
}

/**
 * Returns the place of a schema in a comment at the top of a file, such as the official command line writes. The other extension
 * uses this schema even if detection is disabled for the file, unless its name is `none`.
 */
export function schemaInModeline(text: string): { readonly start: number; readonly end: number } | undefined {
  const [top = ''] = /^(?:[ \t]*(?:#.*|%.*|---[ \t]*)?(?:\r?\n|$))*/.exec(text) ?? [];
  const comment =
    /^[ \t]*#[ \t]+(?:yaml-language-server[ \t]*:.*?\$schema(?:=|:[ \t]*)|\$schema:[ \t]*)([^\s]+)/dm;
  const found = comment.exec(top)?.indices?.[1];
  if (found === undefined) return undefined;
  const [start, end] = found;
  return text.slice(start, end) === 'none' ? undefined : { start, end };
}

/** Adds our entries, and keeps other entries. */
export function withQuiet(settings: YamlSettings, entries: readonly string[]): QuietSettings {
  const schemas = listOf(settings.disableSchemaDetection);
  const tags = listOf(settings.customTags);
  return {
    disableSchemaDetection: [...schemas, ...entries.filter((entry) => !schemas.includes(entry))],
    customTags: tags.includes(tag) ? tags : [...tags, tag],
  };
}

export function withoutQuiet(settings: YamlSettings, entries: readonly string[]): QuietSettings {
  return {
    disableSchemaDetection: listOf(settings.disableSchemaDetection).filter(
      (entry) => typeof entry !== 'string' || !entries.includes(entry),
    ),
    customTags: listOf(settings.customTags).filter((entry) => entry !== tag),
  };
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' && value !== '' ? [value] : [];
}
