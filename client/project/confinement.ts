/** The places that a local service may use: see `server/service/config/confinement.ts`. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { firstLinkIn, realPath } from '../../server/shared/files.ts';
import { isWithin, uriOfPath } from '../../server/shared/uri.ts';

/**
 * Returns the repository around a folder, or the folder itself. A repository that contains the user's home folder does not
 * count, because some users keep their settings in a repository, and some containers have one at the root of the disk.
 */
export function repositoryAround(folder: string, home = homedir()): string {
  const uriOf = (path: string) => uriOfPath(path, process.platform);
  for (let current = folder; !isWithin(uriOf(current), uriOf(home)); current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return current;
    if (dirname(current) === current) break;
  }
  return folder;
}

/** Whether a folder is in one of these folders, and no link leads out of them. */
export function isConfined(folder: string, folders: readonly string[]): boolean {
  const uriOf = (path: string) => uriOfPath(realPath(path), process.platform);
  return folders.some((each) => isWithin(uriOf(each), uriOf(folder))) && firstLinkIn(folder) === undefined;
}
