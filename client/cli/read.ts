/** Reads and writes files for a command. Problems are reported in a sentence. */
import { syncConfigNames } from '../../server/shared/places.ts';
import { CliFailure, explainFile } from './failure.ts';
import type { Files } from './world.ts';

/** Reads a text without its byte order mark, because editors do not count it as text. */
export async function readText(path: string, files: Files): Promise<string> {
  return (await readMarked(path, files)).text;
}

/** Reads a text together with its mark, for callers that write it again. */
export async function readMarked(path: string, files: Files): Promise<{ mark: string; text: string }> {
  try {
    const whole = await files.read(path);
    const mark = whole.startsWith('\ufeff') ? '\ufeff' : '';
    return { mark, text: whole.slice(mark.length) };
  } catch (error) {
    throw new CliFailure(explainFile('read', files.shown(path), error), 2, { cause: error });
  }
}

export async function writeText(path: string, text: string, files: Files): Promise<void> {
  try {
    await files.write(path, text);
  } catch (error) {
    throw new CliFailure(explainFile('write', files.shown(path), error), 2, { cause: error });
  }
}

/** @param directory the folder of the project (default: `powersync`, or the working directory) */
export function findSyncConfig(named: string | undefined, { exists }: Files, directory?: string): string {
  const folders = directory === undefined ? ['powersync/', ''] : [`${directory.replace(/[\\/]$/, '')}/`];
  const places = folders.flatMap((folder) => syncConfigNames.map((name) => `${folder}${name}`));
  const found = named ?? places.find((path) => exists(path));
  if (found === undefined)
    throw new CliFailure(
      `No sync.yaml or sync-config.yaml found ${directory === undefined ? 'here' : `in ${directory}`}. Specify the file of the sync config.`,
    );
  return found;
}
