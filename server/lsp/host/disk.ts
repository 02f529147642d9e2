/** The files of this machine. */
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSkippedFolder } from '../../places.ts';
import { inFolder, joinPath, pathOfUri, type RelativePath } from '../../uri.ts';
import type { WorkspaceFiles } from './host.ts';

/** Larger files are dumps of data, not of a schema. In bytes. */
const largest = 4 * 1024 * 1024;
/** Of one folder of the workspace. */
const mostFiles = 5_000;
const deepest = 16;

export const diskFiles: WorkspaceFiles = {
  async list(folder, isWanted) {
    const root = pathOfUri(folder);
    const found: RelativePath[] = [];
    if (root !== undefined) await collect(root, joinPath(), isWanted, found, 0);
    return found.flatMap((path) => inFolder(folder, path) ?? []);
  },
  async read(uri) {
    const path = pathOfUri(uri);
    if (path === undefined) return undefined;
    try {
      const { size } = await stat(path);
      return size > largest ? undefined : await readFile(path, 'utf8');
    } catch {
      return undefined;
    }
  },
  exists(uri) {
    const path = pathOfUri(uri);
    return path === undefined ? undefined : existsSync(path);
  },
};

/** Links are not followed: they may lead round in circles. */
async function collect(
  root: string,
  folder: RelativePath,
  isWanted: (path: RelativePath) => boolean,
  found: RelativePath[],
  depth: number,
): Promise<void> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = joinPath(folder, entry.name);
    if (found.length >= mostFiles) return;
    if (entry.isFile() && isWanted(path)) found.push(path);
    else if (entry.isDirectory() && depth < deepest && !isSkippedFolder(entry.name))
      await collect(root, path, isWanted, found, depth + 1);
  }
}
