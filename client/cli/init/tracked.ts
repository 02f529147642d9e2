import { relative, resolve } from 'node:path';
import { fromNative, isSameName } from '../../../server/uri.ts';
import { foldersToRoot } from '../project/location.ts';
import type { World } from '../world.ts';

/**
 * Whether Git tracks a file: its index has the path after a byte with its length. An index in another format
 * (version 4) says no.
 */
export async function isTracked(path: string, world: World): Promise<boolean> {
  const root = resolve(world.folder, '../'.repeat(foldersToRoot(world)));
  const index = await world.files.read(resolve(root, '.git/index')).catch(() => '');
  const name = fromNative(relative(root, resolve(world.folder, path)), world.platform);
  // Git spells names as they were added, and on macOS their accents in one piece.
  return index.split('\0').some((entry) => isSameName(entry.slice(1), name, world.platform));
}
