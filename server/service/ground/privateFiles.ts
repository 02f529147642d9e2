/**
 * Keeps files of the service private, because they contain rows, keys and passwords. On Windows files inherit their rights from the
 * folder, and modes have no effect.
 */
import fs, { chmodSync, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { keepFromOthers } from '../../shared/files.ts';
import type { Log } from './log.ts';

/** Rights of the group and of all others. */
const others = 0o077;

/** For this process and those that it starts, whatever library makes the file. */
export function writePrivately(): void {
  process.umask(others);
}

/**
 * The same where a library sets modes itself, past the umask: the file system of the embedded database copies the modes of
 * its installation. It asks the module for these functions whenever it needs them.
 */
export function setModesPrivately(): void {
  const { chmodSync: chmod, fchmodSync: fchmod } = fs;
  fs.chmodSync = (path, mode) => chmod(path, Number(mode) & ~others);
  fs.fchmodSync = (file, mode) => fchmod(file, Number(mode) & ~others);
}

/**
 * Makes files private that an earlier version has left readable for others.
 *
 * @param isOurs by name. Where the folder holds something else, it is the user's own, and only what is ours is changed.
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
    log.write('warn', 'Others on this machine could read files of the service. Now only its user can.', {
      folder,
      files: changed,
    });
}

/** Before the first file is in it, which takes its rights from it. */
async function keepFolder(folder: string, isOurs: (name: string) => boolean, log: Log): Promise<void> {
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    // The caller that opens the file reports the reason.
    return;
  }
  if (!readdirSync(folder).every(isOurs) || (await keepFromOthers(resolve(folder), 'folder'))) return;
  const sentence =
    'Others on this machine may be able to read files of the service: Windows did not let us change that.';
  log.write('warn', sentence, { folder });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Makes a file or folder private, with its contents. Returns the number of changed files. */
function tighten(path: string): number {
  const inside = lstatSync(path).isDirectory() ? readdirSync(path) : [];
  return inside.reduce((count, name) => count + tighten(join(path, name)), tightenOne(path));
}

/** Makes one file or folder private. The target of a link is not ours. */
function tightenOne(path: string): number {
  const found = lstatSync(path);
  const isPrivate = (found.mode & others) === 0;
  if (isPrivate || found.isSymbolicLink() || found.uid !== process.getuid?.()) return 0;
  chmodSync(path, found.mode & 0o777 & ~others);
  return 1;
}
