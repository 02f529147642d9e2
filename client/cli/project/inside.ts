/** Which paths are in the project. Links are followed, because a repository may bring along links to any place. */
import { resolve } from 'node:path';
import { isWithin, uriOfPath } from '../../../server/uri.ts';
import type { World } from '../world.ts';
import { foldersToRoot } from './location.ts';

type Place = Pick<World, 'folder' | 'files' | 'platform'>;

/** The real path of the repository around the working directory, or of the directory itself. */
function projectFolder({ folder, files }: Place): string {
  return files.real(resolve(folder, '../'.repeat(foldersToRoot({ folder, files })) || '.'));
}

/** Whether a file is in the project. Reads the repository once, because a command asks about many paths. */
export function insideProject(place: Place): (path: string) => boolean {
  const { folder, files, platform } = place;
  const root = uriOfPath(projectFolder(place), platform);
  return (path) => isWithin(root, uriOfPath(files.real(resolve(folder, path)), platform));
}
