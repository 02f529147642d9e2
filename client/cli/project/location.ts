/** The location of a project's files: in the working directory and below, or in the repository around it. */
import { dirname, join, resolve } from 'node:path';
import type { World } from '../world.ts';

/** Relative to the working directory, with `/`: as they are shown. */
export async function listFiles(world: World, up = 0): Promise<readonly string[]> {
  const prefix = '../'.repeat(up);
  const folder = up === 0 ? world.folder : resolve(world.folder, prefix);
  return (await world.files.list(folder)).map((path) => `${prefix}${path}`);
}

/** Returns the number of folders from here up to the root of the repository; 0 outside of any, and in its root. */
export function foldersToRoot({ folder, files }: Pick<World, 'folder' | 'files'>): number {
  let current = folder;
  for (let up = 0; ; up++) {
    if (files.exists(join(current, '.git'))) return up;
    const above = dirname(current);
    if (above === current) return 0;
    current = above;
  }
}
