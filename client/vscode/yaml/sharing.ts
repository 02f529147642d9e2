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
 * Whether the other extension ignores a file.
 *
 * @param path relative to a folder of the workspace
 * @param matches whether the file matches a glob pattern
 */
export function isQuiet(
  { disableSchemaDetection }: YamlSettings,
  path: string,
  matches: (pattern: string) => boolean = () => false,
): boolean {
  return listOf(disableSchemaDetection).some(
    (entry) => typeof entry === 'string' && (entry === path || matches(entry)),
  );
}

/**
 * Returns the place of a schema in a comment, such as the official command line writes. The other extension uses this schema
 * even if detection is disabled for the file, unless its name is `none`.
 */
export function schemaInModeline(text: string): { readonly start: number; readonly end: number } | undefined {
  const found = /^[ \t]*#[ \t]*yaml-language-server[ \t]*:.*?\$schema=(\S+)/dm.exec(text)?.indices?.[1];
  if (found === undefined) return undefined;
  const [start, end] = found;
  return text.slice(start, end) === 'none' ? undefined : { start, end };
}

/** Adds our entries, and keeps other entries. */
export function withQuiet(settings: YamlSettings, paths: readonly string[]): QuietSettings {
  const schemas = listOf(settings.disableSchemaDetection);
  const tags = listOf(settings.customTags);
  return {
    disableSchemaDetection: [...schemas, ...paths.filter((path) => !schemas.includes(path))],
    customTags: tags.includes(tag) ? tags : [...tags, tag],
  };
}

export function withoutQuiet(settings: YamlSettings, paths: readonly string[]): QuietSettings {
  return {
    disableSchemaDetection: listOf(settings.disableSchemaDetection).filter(
      (entry) => typeof entry !== 'string' || !paths.includes(entry),
    ),
    customTags: listOf(settings.customTags).filter((entry) => entry !== tag),
  };
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' && value !== '' ? [value] : [];
}
