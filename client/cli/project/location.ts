/** The location of a project's files: in the working directory and below, or in the repository around it. */
import { dirname, join, resolve } from 'node:path';
import type { FoundFiles } from '../../../server/shared/places.ts';
import type { World } from '../world.ts';

/** Returns paths relative to the working directory, with `/` as separator. */
export async function listFiles(
  world: World,
  isWanted: (path: string) => boolean,
  up = 0,
): Promise<FoundFiles<string>> {
  const prefix = '../'.repeat(up);
  const folder = up === 0 ? world.folder : resolve(world.folder, prefix);
  const { paths, cut } = await world.files.list(folder, isWanted);
  return { paths: paths.map((path) => `${prefix}${path}`), ...(cut && { cut }) };
}

/** Returns the number of folders from here up to the root of the repository. 0 in the root, and outside of a repository. */
export function foldersToRoot({ folder, files }: Pick<World, 'folder' | 'files'>): number {
  let current = folder;
  for (let up = 0; ; up++) {
    if (files.exists(join(current, '.git'))) return up;
    const above = dirname(current);
    if (above === current) return 0;
    current = above;
  }
}
