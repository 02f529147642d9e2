/** The paths inside of the project. Links are followed, because a repository may contain links to any place. */
import { resolve } from 'node:path';
import { isWithin, uriOfPath } from '../../../server/shared/uri.ts';
import type { World } from '../world.ts';
import { foldersToRoot } from './location.ts';

type Place = Pick<World, 'folder' | 'files' | 'platform' | 'userEnv'>;

/** The real path of the repository around a folder, or of the folder itself. */
export function projectAround(place: Place): string {
  const { folder, files, userEnv } = place;
  const root = files.real(resolve(folder, '../'.repeat(foldersToRoot(place)) || '.'));
  const home = userEnv.HOME || userEnv.USERPROFILE;
  // Some users keep their home folder in a repository. This does not make every folder below it part of one project.
  return home && isInFolder(place, root, files.real(home)) ? files.real(folder) : root;
}

/**
 * Returns a function that checks whether a file is in the project. The project is found only once, because a command checks
 * many paths.
 */
export function insideProject(place: Place): (path: string) => boolean {
  const { folder, files } = place;
  const root = projectAround(place);
  return (path) => isInFolder(place, root, files.real(resolve(folder, path)));
}

/** Whether a real path is a folder or below it. */
export function isInFolder({ platform }: Pick<World, 'platform'>, folder: string, path: string): boolean {
  return isWithin(uriOfPath(folder, platform), uriOfPath(path, platform));
}
