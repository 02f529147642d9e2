/** The files of this machine, for commands. */
import { existsSync, realpathSync, statSync, watch } from 'node:fs';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { filesBelow, keepFromOthers, replaceFile } from '../../../server/files.ts';
import { isSameName, shownPath } from '../../../server/uri.ts';
import type { Files } from '../world.ts';

/** In one folder, with its subfolders. */
const mostFiles = 20_000;

/** The modes of new files. */
const modes = { all: 0o666, owner: 0o600 } as const;
const folderModes = { all: 0o777, owner: 0o700 } as const;

export const disk: Files = {
  read: (path) => readFile(path, 'utf8'),
  async write(path, text) {
    const { mode } = await stat(path).catch(() => ({ mode: 0o644 }));
    await replaceFile(path, text, { draft: join(dirname(path), `.${basename(path)}.${process.pid}`), mode });
  },
  async create(path, text, readers) {
    try {
      const file = await open(path, 'wx', modes[readers]);
      if (readers === 'owner') await keepFromOthers(resolve(path), 'file');
      await file.writeFile(text).finally(() => file.close());
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  },
  makeFolder,
  shown: (path) => shownPath(path, process.platform),
  exists: existsSync,
  isFolder: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false,
  real: trueName,
  async list(folder) {
    const found = await filesBelow(folder, { isWanted: () => true, most: mostFiles, unreadable: 'left out' });
    return found.toSorted();
  },
  watch(path, changed) {
    // Editors often replace a file, so its folder is watched.
    const name = basename(path);
    const watcher = watch(dirname(path), (_, file) => {
      if (file === null || isSameName(file, name, process.platform)) changed();
    });
    // A folder that is deleted, or on a share that goes away, is watched no more.
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  },
};

/** Step by step: where nothing can be made, as below /proc, a recursive `mkdir` never returns. */
async function makeFolder(path: string, readers: keyof typeof folderModes): Promise<void> {
  const mode = folderModes[readers];
  try {
    await mkdir(path, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && existsSync(path) && statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    await makeFolder(dirname(path), readers);
    await mkdir(path, { mode });
  }
}

function trueName(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync.native(whole);
  } catch {
    const above = dirname(whole);
    return above === whole ? whole : join(trueName(above), basename(whole));
  }
}
