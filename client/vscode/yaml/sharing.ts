/**
 * Settings of the extension `redhat.vscode-yaml` about our files: no schema is looked up for them, and `!env`
 * is a tag. Only these are ever added or removed.
 */

export interface YamlSettings {
  /** `yaml.disableSchemaDetection`: paths or globs; a single one need not be in a list. */
  readonly disableSchemaDetection?: unknown;
  /** `yaml.customTags` */
  readonly customTags?: unknown;
}

export interface QuietSettings {
  readonly disableSchemaDetection: readonly unknown[];
  readonly customTags: readonly unknown[];
}

const tag = '!env scalar';

/** Whether it leaves this file alone. `path` counts from a folder of the workspace. */
export function isQuiet({ disableSchemaDetection }: YamlSettings, path: string): boolean {
  return listOf(disableSchemaDetection).includes(path);
}

/** Others' entries stay as they are. */
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
