import { relative, resolve } from 'node:path';
import { fromNative } from '../../../server/uri.ts';
import { foldersToRoot } from '../project/location.ts';
import type { World } from '../world.ts';

/**
 * Whether Git keeps a file: by its index, where the length of a path stands in front of it. An index of another form
 * (version 4) says no.
 */
export async function isTracked(path: string, world: World): Promise<boolean> {
  const root = resolve(world.folder, '../'.repeat(foldersToRoot(world)));
  const index = await world.files.read(resolve(root, '.git/index')).catch(() => '');
  const name = fromNative(relative(root, resolve(world.folder, path)), world.platform);
  return index.includes(`\0${String.fromCharCode(name.length)}${name}\0`);
}
