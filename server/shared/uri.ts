/**
 * The names of files: URIs, paths on this machine, and paths relative to a folder. Names are parsed here when they enter the
 * program, and no other code compares or splits their text. Like `protocol.ts` and `places.ts`, this file is shared by all sides.
 */

/** A value of `process.platform`. Systems that are not named here write and compare paths as Linux does. */
export type Platform = 'win32' | 'darwin' | 'linux' | (string & {});

declare const brand: unique symbol;

/** A string that is equal for all URIs of the same file, and different for all other files. */
export type UriKey = string & { readonly [brand]: 'key of a URI' };

/** The path of a file relative to a folder: decoded, with `/` on every system. Empty for the folder itself. */
export type RelativePath = string & { readonly [brand]: 'relative path' };

export interface Uri {
  /** The URI as the caller spelled it, for display and for answers. Never compare it. */
  readonly text: string;
  readonly key: UriKey;
  readonly scheme: string;
  /** The names of the folders from the root down, and then the name of the file. */
  readonly names: readonly PathName[];
  /**
   * The spelling of everything before the first name, such as `file://`. Undefined for `untitled:Untitled-1`, which is in no
   * folder.
   */
  readonly root: string | undefined;
  /** The name of a server or a container; empty for this machine. */
  readonly authority: string;
  readonly platform: Platform;
}

interface PathName {
  readonly name: string;
  /** The percent-encoded name, as it is in the text. */
  readonly spelling: string;
}

export type UriReader = (text: string) => Uri;

/** Returns a parser that accepts every text: a text that is not a URI is in no folder and equals only itself. */
export function uriReader(platform: Platform): UriReader {
  return (text) => {
    const parts = /^(([a-z][\w+.-]+):(?:\/\/([^/\\?#]*))?)([^?#]*)(.*)$/is.exec(text);
    const [, start = '', scheme = '', authority, path = text, rest = ''] = parts ?? [];
    const read = { text, scheme: scheme.toLowerCase(), rest, platform };
    if (read.scheme === 'file') return fileUri(read, start, authority ?? '', path);
    const isRooted = authority !== undefined || path.startsWith('/');
    if (!isRooted) return uriOf(read, undefined, '', [{ name: path, spelling: path }]);
    return uriOf(read, start, decode(authority ?? ''), readNames(path));
  };
}

/** Returns the URI of an absolute path on this machine. */
export function uriOfPath(path: string, platform: Platform): Uri {
  const isWindows = platform === 'win32';
  const plain = isWindows ? path.replaceAll('\\', '/').replace(/^\/\/[?.]\/(UNC(?=\/))?/i, asShare) : path;
  const [, server = '', inside = plain] = (isWindows && /^\/\/([^/]+)(.*)$/s.exec(plain)) || [];
  const names = inside.split('/').filter((name) => name !== '');
  return uriReader(platform)(`file://${encode(server)}/${names.map(encode).join('/')}`);
}

/**
 * Returns a path in the notation of this system; undefined for a file that is on no disk of this machine, or whose name no disk
 * allows.
 */
export function pathOfUri({ scheme, authority, names, platform }: Uri): string | undefined {
  if (scheme !== 'file') return undefined;
  const isWindows = platform === 'win32';
  if (names.some(({ name }) => (isWindows ? /[\0/\\]/ : /[\0/]/).test(name))) return undefined;
  const path = names.map(({ name }) => name);
  if (!isWindows) return authority === '' ? `/${path.join('/')}` : undefined;
  if (authority !== '') return `\\\\${[authority, ...path].join('\\')}`;
  if (!isDrive(path[0])) return undefined;
  return path.length === 1 ? `${path[0]}\\` : path.join('\\');
}

export function isSameUri(one: Uri, other: Uri): boolean {
  return one.key === other.key;
}

/** Whether a file is in a folder. A folder is also in itself. */
export function isWithin(folder: Uri, uri: Uri): boolean {
  const start = folder.key.endsWith('/') ? folder.key : `${folder.key}/`;
  return isSameUri(folder, uri) || (folder.root !== undefined && uri.key.startsWith(start));
}

/** Returns the path of a file relative to a folder; undefined if the file is not in the folder. */
export function pathFrom(folder: Uri, uri: Uri): RelativePath | undefined {
  return isWithin(folder, uri) ? joinPath(...uri.names.slice(folder.names.length).map(nameIn)) : undefined;
}

/** Returns the URI of a path in a folder, spelled like the folder. Undefined if no URI can express the path. */
export function inFolder(folder: Uri, path: string): Uri | undefined {
  return follow(folder, folder.names, path);
}

/**
 * Resolves a path that is written in a file, absolute or relative to the file's folder. Returns undefined if no URI can express it.
 */
export function beside(uri: Uri, path: string): Uri | undefined {
  const isOfWindows = uri.scheme === 'file' && uri.platform === 'win32';
  if (isOfWindows && /^(?:[a-z]:[\\/]|[\\/]{2})/i.test(path))
    return isWhole(path) ? uriOfPath(path, uri.platform) : undefined;
  const isAbsolute = path.startsWith('/') || (isOfWindows && path.startsWith('\\'));
  return follow(uri, isAbsolute ? driveOf(uri) : uri.names.slice(0, -1), path);
}

/** Returns the relative path from one file to another, as {@link beside} reads it. Undefined if no such path exists. */
export function pathBetween(from: Uri, to: Uri): RelativePath | undefined {
  if (from.scheme !== to.scheme || from.root === undefined || !isSameRoot(from, to)) return undefined;
  const [start, goal] = [from.names.slice(0, -1), to.names];
  const isSame = (index: number): boolean => {
    const [one, other] = [start[index], goal[index]];
    return one !== undefined && other !== undefined && isSameName(one.name, other.name, from.platform);
  };
  let shared = 0;
  while (shared < goal.length - 1 && isSame(shared)) shared += 1;
  if (shared < driveOf(from).length) return undefined;
  return joinPath(...start.slice(shared).map(() => '..'), ...goal.slice(shared).map(nameIn));
}

function isSameRoot(one: Uri, other: Uri): boolean {
  return one.authority.toLowerCase() === other.authority.toLowerCase();
}

/** Returns the folder that contains a file. */
export function folderOfUri(uri: Uri): Uri {
  return follow(uri, uri.names.slice(0, -1), '') ?? uri;
}

/** Returns the path from the root, with `/` on every system, for callers that examine its names. */
export function wholePath({ names }: Uri): string {
  return `/${names.map(nameIn).join('/')}`;
}

/** Returns the text to show to users: a path if the file has one, otherwise the URI. */
export function shownUri(uri: Uri): string {
  return pathOfUri(uri) ?? uri.text;
}

/** Reads a path from a file or setting that users of all systems share, so both kinds of slashes separate names. */
export function readPath(text: string): RelativePath {
  return joinPath(text.replaceAll('\\', '/'));
}

/** Reads a path that this system has written. */
export function fromNative(path: string, platform: Platform): RelativePath {
  return platform === 'win32' ? readPath(path) : joinPath(path);
}

/** Whether a path is inside a folder, both relative to the same folder. */
export function isBelow(folder: string, path: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** Whether two names in one folder name the same file. */
export function isSameName(one: string, other: string, platform: Platform): boolean {
  return foldedName(one, platform) === foldedName(other, platform);
}

/** Returns a path with the separators of this system. */
export function shownPath(path: string, platform: Platform): string {
  return platform === 'win32' ? path.replaceAll('/', '\\') : path;
}

/** Joins parts of a path. Empty parts and `.` mean the folder itself. */
export function joinPath(...parts: readonly string[]): RelativePath {
  const named = parts.filter((part) => part !== '' && part !== '.');
  return named
    .map((part, index) => (index < named.length - 1 ? part.replace(/\/$/, '') : part))
    .join('/') as RelativePath;
}

export function namesIn(path: string): readonly string[] {
  return path.split('/');
}

/** Splits a path into the names of its folders, outermost first, and the name of the file. */
export function splitPath(path: string): { readonly folders: readonly string[]; readonly name: string } {
  const names = namesIn(path);
  return { folders: names.slice(0, -1), name: names.at(-1) ?? '' };
}

interface ReadUri {
  readonly text: string;
  readonly scheme: string;
  /** The query and the fragment. */
  readonly rest: string;
  readonly platform: Platform;
}

/**
 * `file:///c%3A/x`, `file:///C:/x`, `file://c:/x`, `file://%3F/C%3A/x`, `file:///c:\x` and `file://localhost/c:/x` are the same
 * file.
 */
function fileUri(read: ReadUri, start: string, host: string, path: string): Uri {
  const isWindows = read.platform === 'win32';
  const authority = decode(host).toLowerCase();
  const names = readNames(isWindows ? path.replaceAll('\\', '/') : path);
  if (authority === 'localhost') return uriOf(read, 'file://', '', names);
  if (!isWindows) return uriOf(read, start, authority, names);
  if (isDrive(authority)) return uriOf(read, 'file://', '', [{ name: authority, spelling: host }, ...names]);
  if (authority !== '?' && authority !== '.') return uriOf(read, start, authority, names);
  const [first, server, ...others] = names;
  if (first?.name.toLowerCase() !== 'unc' || server === undefined) return uriOf(read, 'file://', '', names);
  return uriOf(read, `file://${server.spelling}`, server.name.toLowerCase(), others);
}

function uriOf(read: ReadUri, root: string | undefined, authority: string, parts: readonly PathName[]): Uri {
  const { text, scheme, rest, platform } = read;
  const names = scheme === 'file' && platform === 'win32' ? parts.map(withColon) : parts;
  const folded = names.map(({ name }) => encode(scheme === 'file' ? foldedName(name, platform) : name));
  const key = `${scheme}:${root === undefined ? '' : `//${encode(authority.toLowerCase())}/`}${folded.join('/')}${rest}`;
  return { text, key: key as UriKey, scheme, names, root, authority, platform };
}

function readNames(path: string): readonly PathName[] {
  const names: PathName[] = [];
  for (const spelling of path.split('/')) {
    const name = decode(spelling);
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push({ name, spelling });
  }
  return names;
}

function follow(from: Uri, start: readonly PathName[], path: string): Uri | undefined {
  const { root, authority, scheme, platform } = from;
  if (root === undefined || !isWhole(path)) return undefined;
  const least = driveOf(from).length;
  const separator = scheme === 'file' && platform === 'win32' ? /[\\/]/ : '/';
  const names = [...start];
  for (const name of path.split(separator))
    if (name === '..') names.splice(Math.max(least, names.length - 1));
    else if (name !== '' && name !== '.') names.push({ name, spelling: encode(name) });
  const text = `${root}/${names.map(({ spelling }) => spelling).join('/')}`;
  return uriOf({ text, scheme, rest: '', platform }, root, authority, names);
}

/** Returns the names that `..` cannot leave: a drive, or the share of a server. */
function driveOf({ scheme, authority, names, platform }: Uri): readonly PathName[] {
  const isOfWindows = scheme === 'file' && platform === 'win32';
  return isOfWindows && (authority !== '' || isDrive(names[0]?.name)) ? names.slice(0, 1) : [];
}

function isDrive(name: string | undefined): boolean {
  return name !== undefined && /^[a-z][:|]$/i.test(name);
}

/** Replaces the bar in `file:///c|/x`, the former spelling of a drive. */
function withColon(name: PathName, index: number): PathName {
  return index === 0 && isDrive(name.name) ? { ...name, name: name.name.replace('|', ':') } : name;
}

function nameIn({ name }: PathName): string {
  return name;
}

function asShare(_: string, share: string | undefined): string {
  return share === undefined ? '' : '/';
}

/**
 * Windows and macOS ignore the case of names, and macOS also ignores whether an accent is a separate character. Like their file
 * systems, this function folds one character at a time, and it never turns a letter of another alphabet into an ASCII letter.
 */
function foldedName(name: string, platform: Platform): string {
  if (platform !== 'win32' && platform !== 'darwin') return name;
  const letters = platform === 'darwin' ? name.normalize('NFD') : name;
  return letters
    .replaceAll(/[^\0-\x7f]/gu, upperCased)
    .replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function upperCased(letter: string): string {
  const upper = letter.toUpperCase();
  return upper.length === letter.length && upper > '\x7f' ? upper : letter;
}

/** Whether a text can be encoded. Half of a surrogate pair cannot; it remains, for example, while a user deletes an emoji. */
function isWhole(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

function encode(name: string): string {
  return encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
}

/** Decodes a name. An invalid encoding is kept unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
