/** Reads and replaces files on this machine for the service and the tools, including the special cases on Windows. */
import { isUtf8 } from 'node:buffer';
import { execFile } from 'node:child_process';
import { type Dirent, existsSync, readdirSync, realpathSync } from 'node:fs';
import { chown, readdir, readFile, readlink, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FolderRules, readGitignore } from './gitignore.ts';
import { type FoundFiles, isSkippedFolder, type SearchCut } from './places.ts';
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
  /** The maximum number of wanted files, including those in subfolders. */
  readonly most: number;
  /**
   * The treatment of unreadable entries: `left out` skips unreadable subfolders and broken links; `failure` fails on an unreadable
   * subfolder and treats a broken link as a file.
   */
  readonly unreadable: 'left out' | 'failure';
}

/** The maximum number of files and folders that a search looks at, wanted or not. Reading their names takes a few seconds. */
export const mostEntries = 500_000;

const deepest = 16;

/** Reads a file of a project. All programs read an SQL file in the same way, so that they know the same tables. */
export async function readProjectText(path: string): Promise<string> {
  return /\.sql$/i.test(path) ? sqlTextOf(await readFile(path)) : readFile(path, 'utf8');
}

/** Reads an SQL file whose statements will run. Rejects bytes in another encoding, because the rows would have other texts. */
export async function readSqlText(path: string): Promise<string> {
  const bytes = await readFile(path);
  if (isUtf16(bytes) || isUtf8(bytes)) return sqlTextOf(bytes);
  throw new NotUtf8(path, lineOfOtherEncoding(bytes));
}

class NotUtf8 extends Error {
  readonly path: string;

  constructor(path: string, line: number) {
    super(`line ${line} is not in UTF-8. Save the file in UTF-8.`);
    this.path = path;
  }
}

/** Decodes an SQL file without its byte order mark, in the encodings of editors and shells. */
function sqlTextOf(bytes: Buffer): string {
  return bytes.toString(isUtf16(bytes) ? 'utf16le' : 'utf8').replace(/^\ufeff/, '');
}

/** Whether the file begins with the byte order mark that the `>` of PowerShell writes. */
function isUtf16(bytes: Buffer): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xfe;
}

function lineOfOtherEncoding(bytes: Buffer): number {
  let [line, start] = [1, 0];
  for (
    let end = bytes.indexOf('\n');
    end >= 0 && isUtf8(bytes.subarray(start, end));
    end = bytes.indexOf('\n', start)
  ) {
    line += 1;
    start = end + 1;
  }
  return line;
}

/** Returns the wanted files in a folder and its subfolders. Rejects if the folder itself cannot be read. */
export async function filesBelow(root: string, search: Search): Promise<readonly RelativePath[]> {
  const walk = new Walk(root, search, Number.POSITIVE_INFINITY);
  await walk.collect(joinPath(), 0);
  return walk.found;
}

/**
 * Returns the wanted files of a project in a folder and its subfolders, without folders that its `.gitignore` files exclude.
 * Rejects if the folder itself cannot be read.
 */
export async function projectFilesBelow(
  root: string,
  { isWanted, most }: Pick<Search, 'isWanted' | 'most'>,
): Promise<FoundFiles<RelativePath>> {
  const walk = new Walk(
    root,
    { isWanted, most, unreadable: 'left out' },
    mostEntries,
    await rulesAbove(root),
  );
  await walk.collect(joinPath(), 0);
  return { paths: walk.found, ...(walk.cut && { cut: walk.cut }) };
}

/**
 * Collects the files of a folder.
 *
 * 1. `found` never has more than `most` files. If a file may be missing, `cut` says why, for the first reason.
 * 2. A folder that is ignored is not entered, so nothing inside can be included again, as in Git.
 */
class Walk {
  readonly found: RelativePath[] = [];
  cut: SearchCut | undefined;
  readonly #root: string;
  readonly #search: Search;
  readonly #mostEntries: number;
  /** The rules of the folders from the outermost to the one that is being read; absent if all folders count. */
  readonly #rules: readonly FolderRules[] | undefined;
  #entries = 0;

  constructor(root: string, search: Search, most: number, rules?: readonly FolderRules[]) {
    this.#root = root;
    this.#search = search;
    this.#mostEntries = most;
    this.#rules = rules;
  }

  async collect(folder: RelativePath, depth: number, outer = this.#rules): Promise<void> {
    const { isWanted, isEntered = () => true, most, unreadable } = this.#search;
    const entries = await readdir(join(this.#root, folder), { withFileTypes: true });
    const rules = outer && [...outer, ...(await this.#rulesIn(folder, entries))];
    for (const entry of entries) {
      this.#entries += 1;
      if (this.#entries > this.#mostEntries) return this.#cutBy({ kind: 'entries', most: this.#mostEntries });
      const path = joinPath(folder, entry.name);
      const kind = entry.isSymbolicLink() ? await kindOfLink(join(this.#root, path)) : kindOf(entry);
      const isFile = kind === 'file' || (kind === 'nowhere' && unreadable === 'failure');
      if (isFile && isWanted(path)) {
        if (this.found.length >= most) return this.#cutBy({ kind: 'files', most });
        this.found.push(path);
        continue;
      }
      const isFolder = kind === 'folder' || kind === 'linked folder';
      if (!isFolder || isSkippedFolder(entry.name) || !isEntered(path) || isIgnored(path, rules)) continue;
      if (kind === 'folder' && depth < deepest)
        await this.collect(path, depth + 1, rules).catch((error: unknown) => {
          if (unreadable === 'failure') throw error;
          this.#cutBy({ kind: 'unreadable', path });
        });
      else if (kind === 'folder') this.#cutBy({ kind: 'deep', path });
      else if (!this.#contains(path)) this.#cutBy({ kind: 'link', path });
    }
  }

  #cutBy(cut: SearchCut): void {
    this.cut ??= cut;
  }

  async #rulesIn(folder: RelativePath, entries: readonly Dirent[]): Promise<readonly FolderRules[]> {
    if (!entries.some(({ name }) => name === ignoreFile)) return [];
    const rules = await rulesOf(join(this.#root, folder));
    return [(path) => rules(folder === '' ? path : path.slice(folder.length + 1))];
  }

  /** Whether a link refers to a folder that is searched anyway. */
  #contains(path: RelativePath): boolean {
    const target = realPath(join(this.#root, path));
    const root = realPath(this.#root);
    return target === root || target.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
  }
}

const ignoreFile = '.gitignore';

function isIgnored(path: string, rules: readonly FolderRules[] = []): boolean {
  // The rules of an inner folder take precedence.
  for (const rule of rules.toReversed()) {
    const verdict = rule(path);
    if (verdict !== 'unknown') return verdict === 'ignored';
  }
  return false;
}

async function rulesOf(folder: string): Promise<FolderRules> {
  return readGitignore(await readFile(join(folder, ignoreFile), 'utf8').catch(() => ''));
}

/**
 * Returns the rules of the folders around a folder, up to the root of its repository. There are none outside of a repository, or
 * if the folder itself is ignored, because the user has chosen it.
 */
async function rulesAbove(root: string): Promise<readonly FolderRules[]> {
  const names: string[] = [];
  let at = resolve(root);
  while (!existsSync(join(at, '.git'))) {
    const above = dirname(at);
    if (above === at) return [];
    names.unshift(basename(at));
    at = above;
  }
  const own: FolderRules[] = [];
  const around = (depth: number): readonly FolderRules[] =>
    own.map((rules, from) => (path) => rules(joinPath(...names.slice(from, depth), path)));
  for (const [depth, name] of names.entries()) {
    own.push(await rulesOf(at));
    if (isIgnored(name, around(depth))) return [];
    at = join(at, name);
  }
  return around(names.length);
}

type Kind = 'file' | 'folder' | 'linked folder' | 'nowhere' | 'other';

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
    return kind === 'folder' && leads ? 'linked folder' : kind;
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
