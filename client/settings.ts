import { workspace } from 'vscode';

export interface Settings {
  readonly enable: boolean;
  /** Glob patterns of sync configs with unusual names. */
  readonly files: readonly string[];
}

export const section = 'headwater';

/** Whatever stands in settings.json: a value of another type counts as absent. */
export function readSettings(): Settings {
  const settings = workspace.getConfiguration(section);
  const files: unknown = settings.get('files');
  return {
    enable: settings.get('enable') !== false,
    files: Array.isArray(files) ? files.filter((glob) => typeof glob === 'string') : [],
  };
}
