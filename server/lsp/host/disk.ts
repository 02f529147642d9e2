/** The files of this machine. */
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isSkippedFolder } from '../../places.ts';
import type { WorkspaceFiles } from './host.ts';

/** Larger files are dumps of data, not of a schema. In bytes. */
const largest = 4 * 1024 * 1024;
/** Of one folder of the workspace. */
const mostFiles = 5_000;
const deepest = 16;

export const diskFiles: WorkspaceFiles = {
  async list(folder, isWanted) {
    const root = pathOf(folder);
    const found: string[] = [];
    if (root !== undefined) await collect(root, '', isWanted, found, 0);
    return found.map((path) => pathToFileURL(`${root}/${path}`).href);
  },
  async read(uri) {
    const path = pathOf(uri);
    if (path === undefined) return undefined;
    try {
      const { size } = await stat(path);
      return size > largest ? undefined : await readFile(path, 'utf8');
    } catch {
      return undefined;
    }
  },
  exists(uri) {
    const path = pathOf(uri);
    return path === undefined ? undefined : existsSync(path);
  },
};

/** Links are not followed: they may lead round in circles. */
async function collect(
  root: string,
  folder: string,
  isWanted: (path: string) => boolean,
  found: string[],
  depth: number,
): Promise<void> {
  const entries = await readdir(`${root}/${folder}`, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (found.length >= mostFiles) return;
    if (entry.isFile() && isWanted(path)) found.push(path);
    else if (entry.isDirectory() && depth < deepest && !isSkippedFolder(entry.name))
      await collect(root, path, isWanted, found, depth + 1);
  }
}

/** Undefined for other places than this machine. */
function pathOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}
