/** Loads settings from files and variables that exist only in the test. */
import { type LoadedSettings, loadSettings } from '../../../server/service/config/load.ts';
import type { ConfigOptions } from '../../../server/service/config/surroundings.ts';
import { ServiceError } from '../../../server/service/ground/errors.ts';

export interface SettingsInput {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: ConfigOptions;
  /** The targets of links, by their paths. */
  readonly links?: Readonly<Record<string, string>>;
}

/** Loads the settings in the folder `/w`. */
export function load({ files = {}, env = {}, options = {}, links = {} }: SettingsInput): LoadedSettings {
  const contents = new Map(
    Object.entries(files).map(([name, content]) => [`/w/${name}`, Buffer.from(content as string)]),
  );
  return loadSettings(options, {
    env,
    folder: '/w',
    readFile: (path) => contents.get(slashed(path)),
    exists: (path) =>
      [...contents.keys()].some((file) => file === slashed(path) || file.startsWith(`${slashed(path)}/`)),
    real: (path) =>
      Object.entries(links).reduce(
        (way, [link, to]) => (way === link || way.startsWith(`${link}/`) ? to + way.slice(link.length) : way),
        slashed(path),
      ),
    firstLinkIn: (folder) => Object.keys(links).find((link) => link.startsWith(`${slashed(folder)}/`)),
  });
}

/** Removes the drive and replaces the backslashes that a path has on Windows. */
function slashed(path: string): string {
  return path.replaceAll('\\', '/').replace(/^[a-z]:\//i, '/');
}

/** Returns the settings of a `service.yaml` with this text. */
export function settingsOf(text: string, given: SettingsInput = {}): LoadedSettings['settings'] {
  return load({ ...given, files: { ...given.files, 'service.yaml': text } }).settings;
}

/** Returns the lines of the refusal without its heading. Returns no lines if the settings are valid. */
export function refusalOf(text: string, given: SettingsInput = {}): readonly string[] {
  return refusal(() => settingsOf(text, given)).map((line) => line.trim().replace('service.yaml:', ''));
}

export function refusal(act: () => unknown): readonly string[] {
  try {
    act();
    return [];
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const [heading = '', ...lines] = error.message.split('\n');
    return lines.length === 0 ? [heading] : lines;
  }
}
