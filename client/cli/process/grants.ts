/** The permissions that the user has given, in the user's own folder for settings, where no project can write. */
import { mkdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../../server/shared/files.ts';
import { type Grant, type PlaceGrant, readGrants } from '../../project/trust.ts';
import type { World } from '../world.ts';

/**
 * @param env only the variables of the process, because an `.env` of the working directory must not choose the place of the
 * file
 */
export function grantsOf(env: Readonly<Record<string, string | undefined>>): World['grants'] {
  const path = join(settingsFolder(env), 'headwater', 'trust.json');
  const read = async (): Promise<readonly (Grant | PlaceGrant)[]> => {
    try {
      return readGrants(JSON.parse(await readFile(path, 'utf8')));
    } catch {
      return [];
    }
  };
  return {
    path,
    read,
    async add(grant) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const draft = `${path}.${process.pid}`;
      const text = `${JSON.stringify([...(await read()), grant], undefined, 2)}\n`;
      await replaceFile(path, text, { draft, mode: 0o600 });
    },
  };
}

export function settingsFolder(env: Readonly<Record<string, string | undefined>>): string {
  if (process.platform === 'win32') return env.APPDATA || join(homedir(), 'AppData', 'Roaming');
  return env.XDG_CONFIG_HOME || join(homedir(), '.config');
}
