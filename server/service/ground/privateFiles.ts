/**
 * What the service writes is for its own user: rows, keys, passwords. On Windows files inherit their rights from the
 * folder, and nothing here has an effect.
 */
import fs, { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from './log.ts';

/** Of the group and of all others. */
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
 * What an earlier version has left readable for others.
 *
 * @param isOurs by name. Where the folder holds something else, it is the user's own, and only what is ours is changed.
 */
export function makePrivate(folder: string, isOurs: (name: string) => boolean, log: Log): void {
  if (process.platform === 'win32' || !isFolder(folder)) return;
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

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** With all that is in it. Returns how many were changed. */
function tighten(path: string): number {
  const inside = lstatSync(path).isDirectory() ? readdirSync(path) : [];
  return inside.reduce((count, name) => count + tighten(join(path, name)), tightenOne(path));
}

/** What a link leads to is not ours. */
function tightenOne(path: string): number {
  const found = lstatSync(path);
  const isPrivate = (found.mode & others) === 0;
  if (isPrivate || found.isSymbolicLink() || found.uid !== process.getuid?.()) return 0;
  chmodSync(path, found.mode & 0o777 & ~others);
  return 1;
}
