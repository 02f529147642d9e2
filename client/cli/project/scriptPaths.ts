/** The names and places of SQL files, in the form that a temporary database expects. */
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { fromNative, namesIn } from '../../../server/shared/uri.ts';
import type { World } from '../world.ts';
import { foldersToRoot } from './location.ts';

/** Returns the paths of the schema, with their names in the project. */
export function schemaPathsIn(root: string, paths: readonly string[], world: World) {
  return paths.map((each) => ({
    path: resolve(world.folder, each),
    name: nameIn(root, each, world),
    folder: root,
  }));
}

/** Returns the root of the repository, or the working directory; for a file in neither, its own folder. */
export function rootAround(path: string, world: World): string {
  const root = resolve(world.folder, '../'.repeat(foldersToRoot(world)));
  return isInside(root, path, world) ? root : dirname(resolve(world.folder, path));
}

export function nameIn(root: string, path: string, { folder, platform }: World): string {
  return fromNative(relative(root, resolve(folder, path)), platform);
}

/** Whether the real path is inside of the root. Links are resolved. */
export function isInside(root: string, path: string, { files, platform }: World): boolean {
  const way = relative(files.real(root), files.real(path));
  return !isAbsolute(way) && namesIn(fromNative(way, platform))[0] !== '..';
}
