/** The files of this machine, for commands. */
import { existsSync, type Stats, statSync, watch } from 'node:fs';
import { mkdir, open, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import {
  keepFromOthers,
  projectFilesBelow,
  readProjectText,
  realPath,
  replaceFile,
} from '../../../server/shared/files.ts';
import { isSameName, shownPath } from '../../../server/shared/uri.ts';
import type { Files, Privacy } from '../world.ts';

/** The maximum number of wanted files in one folder, with its subfolders. */
const mostFiles = 20_000;

/** The modes of new files. */
const modes = { all: 0o666, owner: 0o600 } as const;
const folderModes = { all: 0o777, owner: 0o700 } as const;

export const disk: Files = {
  read: readProjectText,
  async write(path, text) {
    const found = await stat(path).catch(() => undefined);
    await replace(path, text, found?.mode ?? 0o644, found);
  },
  async writePrivately(path, text) {
    const before = await stat(path);
    if (!before.isFile()) throw Object.assign(new Error('not a file'), { code: 'ENOTFILE' });
    if (!mayBeRestricted(before)) {
      await replace(path, text, before.mode, before);
      return isReadByOthers(before) ? openBecause('it belongs to another user') : { kind: 'private' };
    }
    if (process.platform === 'win32') {
      const isPrivate = await keepFromOthers(resolve(path), 'file');
      // The file is written in place, because a new file would have the access rights of its folder.
      await writeFile(path, text);
      return isPrivate ? { kind: 'private' } : openBecause('Windows refused to restrict access to it');
    }
    await replace(path, text, modes.owner, before);
    if (isReadByOthers(await stat(path))) return openBecause('its file system does not store permissions');
    return { kind: isReadByOthers(before) ? 'made private' : 'private' };
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
  real: realPath,
  async list(folder, isWanted) {
    const found = await projectFilesBelow(folder, { isWanted, most: mostFiles });
    return { ...found, paths: found.paths.toSorted() };
  },
  watch(path, changed) {
    // Editors often replace a file, so its folder is watched.
    const name = basename(path);
    const watcher = watch(dirname(path), (_, file) => {
      if (file === null || isSameName(file, name, process.platform)) changed();
    });
    // Stop watching if the folder is deleted, or if its network share is lost.
    watcher.on('error', () => watcher.close());
    return () => watcher.close();
  },
};

/** Replaces a file. The file keeps its owner if root writes it. */
function replace(path: string, text: string, mode: number, found: Stats | undefined): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}`);
  const isOfAnother = found !== undefined && found.uid !== process.getuid?.();
  return replaceFile(path, text, { draft, mode, ...(isOfAnother && isRoot() && { owner: found }) });
}

function mayBeRestricted({ uid }: Stats): boolean {
  return process.platform === 'win32' || isRoot() || uid === process.getuid?.();
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function isReadByOthers({ mode }: Stats): boolean {
  return (mode & 0o077) !== 0;
}

function openBecause(reason: string): Privacy {
  return { kind: 'open', reason };
}

/**
 * Creates folders step by step, because a recursive `mkdir` never returns in places such as /proc, where folders cannot be
 * created.
 */
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
