/** The files of this machine, for commands. */
import { existsSync, statSync, watch } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isSkippedFolder } from '../../../server/places.ts';
import type { Files } from '../world.ts';

/** Of one folder, with those in it. */
const mostFiles = 20_000;
const deepest = 16;

/** Of new files. */
const modes = { all: 0o666, owner: 0o600 } as const;

export const disk: Files = {
  read: (path) => readFile(path, 'utf8'),
  async write(path, text) {
    const { mode } = await stat(path).catch(() => ({ mode: 0o644 }));
    const draft = join(dirname(path), `.${basename(path)}.${process.pid}`);
    try {
      await writeFile(draft, text, { mode });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  },
  async create(path, text, readers) {
    try {
      const file = await open(path, 'wx', modes[readers]);
      await file.writeFile(text).finally(() => file.close());
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  },
  makeFolder,
  exists: existsSync,
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
  async list(folder) {
    const found: string[] = [];
    await collect(folder, '', found, 0);
    return found.sort();
  },
  watch(path, changed) {
    // Editors often replace a file, so its folder is watched.
    const name = basename(path);
    const watcher = watch(dirname(path), (_, file) => {
      if (file === null || file === name) changed();
    });
    return () => watcher.close();
  },
};

/** Step by step: where nothing can be made, as below /proc, a recursive `mkdir` never returns. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && existsSync(path) && statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    await makeFolder(dirname(path));
    await mkdir(path);
  }
}

/** Links are not followed: they may lead round in circles. */
async function collect(root: string, folder: string, found: string[], depth: number): Promise<void> {
  const entries = await readdir(join(root, folder), { withFileTypes: true });
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (found.length >= mostFiles) return;
    if (entry.isFile()) found.push(path);
    else if (entry.isDirectory() && depth < deepest && !isSkippedFolder(entry.name))
      // One that cannot be read is left out.
      await collect(root, path, found, depth + 1).catch(() => undefined);
  }
}
