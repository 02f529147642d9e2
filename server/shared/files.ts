/** Reads and replaces files on this machine for the service and the tools, including the special cases on Windows. */
import { execFile } from 'node:child_process';
import { type Dirent, readdirSync, realpathSync } from 'node:fs';
import { chown, readdir, readlink, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSkippedFolder } from './places.ts';
import { isWithin, joinPath, type Platform, type RelativePath, uriOfPath } from './uri.ts';

/** The files that `headwater dev` keeps next to the data of its service, readable only by the same user as the data. */
export const namesBesideData = {
  ignored: '.gitignore',
  running: 'running.json',
  secrets: 'secrets.json',
  choice: 'chosen.json',
} as const;

interface Search {
  readonly isWanted: (path: RelativePath) => boolean;
  /** Whether to search a folder. Hidden folders and folders made by other programs are always skipped. */
  readonly isEntered?: (path: RelativePath) => boolean;
  /** The maximum number of files, including those in subfolders. */
  readonly most: number;
  /**
   * The treatment of unreadable entries: `left out` skips unreadable subfolders and broken links; `failure` fails on an unreadable
   * subfolder and treats a broken link as a file.
   */
  readonly unreadable: 'left out' | 'failure';
}

const deepest = 16;

/** Returns the wanted files in a folder and its subfolders. Rejects if the folder itself cannot be read. */
export async function filesBelow(root: string, search: Search): Promise<readonly RelativePath[]> {
  const found: RelativePath[] = [];
  await collect(root, joinPath(), search, found, 0);
  return found;
}

async function collect(
  root: string,
  folder: RelativePath,
  search: Search,
  found: RelativePath[],
  depth: number,
): Promise<void> {
  const { isWanted, isEntered = () => true, most, unreadable } = search;
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    if (found.length >= most) return;
    const path = joinPath(folder, entry.name);
    const kind = entry.isSymbolicLink() ? await kindOfLink(join(root, path)) : kindOf(entry);
    const isFile = kind === 'file' || (kind === 'nowhere' && unreadable === 'failure');
    if (isFile && isWanted(path)) found.push(path);
    else if (kind === 'folder' && depth < deepest && !isSkippedFolder(entry.name) && isEntered(path))
      await collect(root, path, search, found, depth + 1).catch((error: unknown) => {
        if (unreadable === 'failure') throw error;
      });
  }
}

type Kind = 'file' | 'folder' | 'nowhere' | 'other';

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): Kind {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : 'other';
}

/**
 * Links to folders are not followed, because they may form a cycle. Node also reports files that OneDrive and similar programs
 * store online as links, but those links have no target.
 */
async function kindOfLink(path: string): Promise<Kind> {
  try {
    const kind = kindOf(await stat(path));
    const leads = await readlink(path).then(
      () => true,
      () => false,
    );
    return kind === 'folder' && leads ? 'other' : kind;
  } catch {
    return 'nowhere';
  }
}

/** Returns the absolute path, with all links resolved as far as the path exists. */
export function realPath(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync.native(whole);
  } catch {
    const above = dirname(whole);
    return above === whole ? whole : join(realPath(above), basename(whole));
  }
}

/** Returns the path of a link in a folder or its subfolders; undefined if there is no link or no such folder. */
export function firstLinkIn(folder: string): string | undefined {
  let entries: readonly Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
  const link = entries.find((entry) => entry.isSymbolicLink());
  if (link !== undefined) return join(folder, link.name);
  for (const entry of entries) {
    const found = entry.isDirectory() ? firstLinkIn(join(folder, entry.name)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Delays between attempts, in milliseconds. They add up to one second, which is how long a virus scanner holds a new file. */
const pauses = [10, 20, 50, 100, 200, 300, 320];

interface Replacement {
  /** The path of a temporary file in the same folder, which is removed afterwards. */
  readonly draft: string;
  readonly mode: number;
  /** Absent: the user of this process. Only root can write files for another user. */
  readonly owner?: { readonly uid: number; readonly gid: number };
}

/**
 * Replaces a file atomically: a reader sees either the old or the new content. On Windows, an open file cannot be replaced. If the
 * file stays open, its content is overwritten instead.
 */
export async function replaceFile(
  path: string,
  text: string,
  { draft, mode, owner }: Replacement,
): Promise<void> {
  try {
    // A killed process may have left a draft with other permissions, or the draft may be a link from a repository.
    await rm(draft, { force: true });
    await writeFile(draft, text, { mode, flag: 'wx' });
    if (owner) await chown(draft, owner.uid, owner.gid);
    await renameInTime(draft, path).catch(async (error: unknown) => {
      if (!isHeld(error)) throw error;
      await writeFile(path, text);
    });
  } finally {
    await rm(draft, { force: true });
  }
}

async function renameInTime(draft: string, path: string): Promise<void> {
  for (const pause of pauses) {
    try {
      return await rename(draft, path);
    } catch (error) {
      if (!isHeld(error)) throw error;
    }
    await sleep(pause);
  }
  await rename(draft, path);
}

/**
 * Whether an open file prevents its replacement. On other systems, an open file can be replaced, so these codes have their usual
 * meaning.
 */
function isHeld(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return process.platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(code);
}

interface System {
  readonly platform: Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Runs a program and returns whether it succeeded. */
  readonly run: (program: string, args: readonly string[]) => Promise<boolean>;
}

const thisSystem: System = {
  platform: process.platform,
  env: process.env,
  home: homedir(),
  run: (program, args) =>
    new Promise((resolve) => {
      execFile(program, [...args], { windowsHide: true }, (error) => resolve(error === null));
    }),
};

/**
 * The system account and the administrators, who can read everything anyway:
 * https://learn.microsoft.com/windows/win32/secauthz/well-known-sids
 */
const trusted = ['*S-1-5-18', '*S-1-5-32-544'];

/**
 * Makes a file or folder on Windows accessible only to its user, as mode 0600 or 0700 does on other systems. Files in the user's
 * home folder already have such permissions.
 *
 * @param path absolute
 * @returns false if others may be able to read it
 */
export async function keepFromOthers(
  path: string,
  kind: 'file' | 'folder',
  { platform, env, home, run }: System = thisSystem,
): Promise<boolean> {
  if (platform !== 'win32' || isWithin(uriOfPath(home, platform), uriOfPath(path, platform))) return true;
  const { SystemRoot: root = 'C:\\Windows', USERDOMAIN: domain, USERNAME: name } = env;
  if (!name) return false;
  const user = domain ? `${domain}\\${name}` : name;
  // The rights to a folder also apply to everything that it will contain.
  const rights = kind === 'folder' ? '(OI)(CI)F' : 'F';
  const grants = [user, ...trusted].map((who) => `${who}:${rights}`);
  return run(join(root, 'System32', 'icacls.exe'), [path, '/inheritance:r', '/grant:r', ...grants, '/q']);
}
