/**
 * Keeps files of the service private, because they contain rows, keys and passwords. On Windows, files inherit their rights from
 * the folder, and modes have no effect.
 */
import fs, { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { keepFromOthers } from '../../shared/files.ts';
import type { Log } from './log.ts';

/** The bits of a mode for the group and all other users. */
const others = 0o077;

/** Makes all files private that this process and its child processes create, in any library. */
export function writePrivately(): void {
  process.umask(others);
}

/**
 * Makes files private even if a library sets their modes itself, regardless of the umask. The file system of the embedded
 * database does so: it copies the modes of its installation. It looks up these functions in the module at each call.
 */
export function setModesPrivately(): void {
  const { chmodSync: chmod, fchmodSync: fchmod } = fs;
  fs.chmodSync = (path, mode) => chmod(path, Number(mode) & ~others);
  fs.fchmodSync = (file, mode) => fchmod(file, Number(mode) & ~others);
}

/**
 * Makes files private that an earlier version has left readable for others.
 *
 * @param isOurs decides by name. If the folder contains other files, it belongs to the user, and only our files are changed.
 */
export async function makePrivate(
  folder: string,
  isOurs: (name: string) => boolean,
  log: Log,
): Promise<void> {
  if (process.platform === 'win32') return keepFolder(folder, isOurs, log);
  if (!isFolder(folder)) return;
  const names = readdirSync(folder);
  const ours = names.filter(isOurs);
  let changed = ours.reduce((count, name) => count + tighten(join(folder, name)), 0);
  if (ours.length === names.length) changed += tightenOne(folder);
  if (changed > 0)
    log.write(
      'warn',
      'Other users of this machine could read files of the service. Now only the user of the service can.',
      {
        folder,
        files: changed,
      },
    );
}

/** Makes the folder private before its first file is created, because files inherit the folder's rights. */
async function keepFolder(folder: string, isOurs: (name: string) => boolean, log: Log): Promise<void> {
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    // The caller that opens the file reports the reason.
    return;
  }
  if (!readdirSync(folder).every(isOurs) || (await keepFromOthers(resolve(folder), 'folder'))) return;
  const sentence =
    'Other users of this machine may be able to read files of the service, because Windows did not allow the change of their permissions.';
  log.write('warn', sentence, { folder });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Makes a file or folder private, including its contents. Returns the number of changed files. */
function tighten(path: string): number {
  const inside = lstatSync(path).isDirectory() ? readdirSync(path) : [];
  return inside.reduce((count, name) => count + tighten(join(path, name)), tightenOne(path));
}

/** Makes one file or folder private. Links are skipped, because their targets are not ours. */
function tightenOne(path: string): number {
  const found = lstatSync(path);
  const isPrivate = (found.mode & others) === 0;
  if (isPrivate || found.isSymbolicLink() || found.uid !== process.getuid?.()) return 0;
  chmodSync(path, found.mode & 0o777 & ~others);
  return 1;
}
