/** Uses a folder as if it were the working directory. */
import { isAbsolute, resolve } from 'node:path';
import { readVariables } from '../../../server/shared/envText.ts';
import { joinPath } from '../../../server/shared/uri.ts';
import type { World } from '../world.ts';

/** Returns the world of a folder. The `.env` of the working directory does not apply to it. */
export async function worldIn(folder: string, world: World): Promise<World> {
  if (folder === '.') return world;
  const { files } = world;
  const at = (path: string): string => (isAbsolute(path) ? path : joinPath(folder, path));
  const variables = readVariables(await files.read(at('.env')).catch(() => ''));
  return {
    ...world,
    env: { ...variables, ...world.userEnv },
    folder: resolve(world.folder, folder),
    files: {
      read: (path) => files.read(at(path)),
      write: (path, text) => files.write(at(path), text),
      writePrivately: (path, text) => files.writePrivately(at(path), text),
      create: (path, text, readers) => files.create(at(path), text, readers),
      makeFolder: (path, readers) => files.makeFolder(at(path), readers),
      exists: (path) => files.exists(at(path)),
      isFolder: (path) => files.isFolder(at(path)),
      real: (path) => files.real(at(path)),
      list: (path, isWanted) => files.list(at(path), isWanted),
      shown: (path) => files.shown(at(path)),
      watch: (path, changed) => files.watch(at(path), changed),
    },
  };
}
