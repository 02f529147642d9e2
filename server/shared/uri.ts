/**
 * What a file is called: URIs, paths of this machine, and paths from a folder. Their texts are read here, when they
 * come in; inside, nobody compares them or takes them apart. Like `protocol.ts` and `places.ts`, it is for all sides.
 */

/** A value of `process.platform`. Systems that are not named here write and compare paths as Linux does. */
export type Platform = 'win32' | 'darwin' | 'linux' | (string & {});

declare const brand: unique symbol;

/** The same for all URIs of one file, and another one for each other file. */
export type UriKey = string & { readonly [brand]: 'key of a URI' };

/** From a folder to what lies in it: decoded, with `/` on every system. Empty for the folder itself. */
export type RelativePath = string & { readonly [brand]: 'relative path' };

export interface Uri {
  /** In the spelling of whoever named it, for telling it back. Never compare it. */
  readonly text: string;
  readonly key: UriKey;
  readonly scheme: string;
  /** Folders from the root on, and the file. */
  readonly names: readonly PathName[];
  /** As it is spelled up to the first name: `file://`. Undefined for `untitled:Untitled-1`, which lies in no folder. */
  readonly root: string | undefined;
  /** A server or a container; empty for this machine. */
  readonly authority: string;
  readonly platform: Platform;
}

interface PathName {
  readonly name: string;
  /** Percent-encoded, as in the text. */
  readonly spelling: string;
}

export type UriReader = (text: string) => Uri;

/** Total: a text that is not a URI is in no folder, and equals only itself. */
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

/** An absolute path of this machine. */
export function uriOfPath(path: string, platform: Platform): Uri {
  const isWindows = platform === 'win32';
  const plain = isWindows ? path.replaceAll('\\', '/').replace(/^\/\/[?.]\/(UNC(?=\/))?/i, asShare) : path;
  const [, server = '', inside = plain] = (isWindows && /^\/\/([^/]+)(.*)$/s.exec(plain)) || [];
  const names = inside.split('/').filter((name) => name !== '');
  return uriReader(platform)(`file://${encode(server)}/${names.map(encode).join('/')}`);
}

/** In the form of this system. Undefined for what is on no disk of this machine, and for names that no disk has. */
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

/** Whether a file is in a folder. A folder is in itself, too. */
export function isWithin(folder: Uri, uri: Uri): boolean {
  const start = folder.key.endsWith('/') ? folder.key : `${folder.key}/`;
  return isSameUri(folder, uri) || (folder.root !== undefined && uri.key.startsWith(start));
}

/** Returns the path of a file in a folder; undefined if it is not there. */
export function pathFrom(folder: Uri, uri: Uri): RelativePath | undefined {
  return isWithin(folder, uri) ? joinPath(...uri.names.slice(folder.names.length).map(nameIn)) : undefined;
}

/** Returns the URI of a path in a folder, spelled as the folder is. Undefined if no URI can express it. */
export function inFolder(folder: Uri, path: string): Uri | undefined {
  return follow(folder, folder.names, path);
}

/** Resolves a path in a file, from its own folder or absolute. Returns undefined if no URI can express it. */
export function beside(uri: Uri, path: string): Uri | undefined {
  const isOfWindows = uri.scheme === 'file' && uri.platform === 'win32';
  if (isOfWindows && /^(?:[a-z]:[\\/]|[\\/]{2})/i.test(path))
    return isWhole(path) ? uriOfPath(path, uri.platform) : undefined;
  const isAbsolute = path.startsWith('/') || (isOfWindows && path.startsWith('\\'));
  return follow(uri, isAbsolute ? driveOf(uri) : uri.names.slice(0, -1), path);
}

/** The way from a file to another one, as {@link beside} reads it. Undefined where none leads there. */
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

/** The folder that a file lies in. */
export function folderOfUri(uri: Uri): Uri {
  return follow(uri, uri.names.slice(0, -1), '') ?? uri;
}

/** From the root on, with `/` on every system: what its names say is read from it. */
export function wholePath({ names }: Uri): string {
  return `/${names.map(nameIn).join('/')}`;
}

/** For people: a path where there is one. */
export function shownUri(uri: Uri): string {
  return pathOfUri(uri) ?? uri.text;
}

/** A path in files and settings that people of all systems share: both slashes separate. */
export function readPath(text: string): RelativePath {
  return joinPath(text.replaceAll('\\', '/'));
}

/** A path as this system writes it. */
export function fromNative(path: string, platform: Platform): RelativePath {
  return platform === 'win32' ? readPath(path) : joinPath(path);
}

/** For two paths from the same folder. */
export function isBelow(folder: string, path: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** For two names in one folder. */
export function isSameName(one: string, other: string, platform: Platform): boolean {
  return foldedName(one, platform) === foldedName(other, platform);
}

/** Returns a path as users of this system write it. */
export function shownPath(path: string, platform: Platform): string {
  return platform === 'win32' ? path.replaceAll('/', '\\') : path;
}

/** Empty parts and `.` mean the folder itself. */
export function joinPath(...parts: readonly string[]): RelativePath {
  const named = parts.filter((part) => part !== '' && part !== '.');
  return named
    .map((part, index) => (index < named.length - 1 ? part.replace(/\/$/, '') : part))
    .join('/') as RelativePath;
}

export function namesIn(path: string): readonly string[] {
  return path.split('/');
}

/** The names of the folders from the outermost on, and that of the file. */
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

/** `file:///c%3A/x`, `file:///C:/x`, `file://c:/x`, `file://%3F/C%3A/x`, `file:///c:\x` and `file://localhost/c:/x` are one. */
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

/** No `..` leads out of a drive, or of what a server shares. */
function driveOf({ scheme, authority, names, platform }: Uri): readonly PathName[] {
  const isOfWindows = scheme === 'file' && platform === 'win32';
  return isOfWindows && (authority !== '' || isDrive(names[0]?.name)) ? names.slice(0, 1) : [];
}

function isDrive(name: string | undefined): boolean {
  return name !== undefined && /^[a-z][:|]$/i.test(name);
}

/** `file:///c|/x` is how it once was written. */
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
 * Windows and macOS ignore the case of names, and macOS also how accents are composed. As in their file
 * systems, this goes character by character: no letter of another alphabet becomes one of ours.
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

/** Half of a pair of surrogates, as in an emoji that is being deleted, cannot be encoded. */
function isWhole(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

function encode(name: string): string {
  return encodeURIComponent(name.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
}

/** Wrong encoding is kept as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
