/** Finds the files to check: named files, files in named folders, files that match a pattern, or files that look like configs. */
import { matchesGlob, resolve } from 'node:path';
import { conflictIn, type Finding } from '../../../server/engine/index.ts';
import { cutSentence, isConfigName } from '../../../server/shared/places.ts';
import { fromNative, joinPath, splitPath, type UriKey, uriOfPath } from '../../../server/shared/uri.ts';
import { linkName } from '../../project/link.ts';
import { CliFailure } from '../failure.ts';
import { foldersToRoot, listFiles } from '../project/location.ts';
import type { World } from '../world.ts';
import { type CheckedFile, diagnosticsOf } from './checkText.ts';

export interface NamedFile {
  readonly path: string;
  /** Whether the user names the file, so that it must be a config. */
  readonly isNamed: boolean;
}

/** The name for standard input. */
export const inputName = '-';

export async function filesToCheck(words: readonly string[], world: World): Promise<readonly NamedFile[]> {
  if (words.length === 0) return findConfigs(world);
  const found: NamedFile[] = [];
  for (const word of words) {
    // A path without names is the working directory.
    const inside = await filesOf(fromNative(word, world.platform) || '.', world);
    if (inside.length === 0 && words.length === 1)
      throw new CliFailure(withoutConfigs(`No configs found in ${word}.`));
    // If there are several words, a missing file is reported when it is read.
    found.push(...(inside.length > 0 ? inside : [{ path: word, isNamed: true }]));
  }
  // A file that is also named directly has to be a config.
  const files = new Map<UriKey | typeof inputName, NamedFile>();
  for (const each of found) {
    const key =
      each.path === inputName ? inputName : uriOfPath(resolve(world.folder, each.path), world.platform).key;
    if (each.isNamed || !files.has(key)) files.set(key, each);
  }
  return [...files.values()];
}

async function filesOf(word: string, world: World): Promise<readonly NamedFile[]> {
  const { files } = world;
  if (word !== inputName && files.isFolder(word)) {
    const { paths, cut } = await files.list(word, isChecked);
    if (cut !== undefined) world.complain(cutSentence(cut));
    return paths.map((path) => ({ path: joinPath(word, path), isNamed: false }));
  }
  // Most shells expand patterns.
  if (!/[*?[{]/.test(word) || files.exists(word)) return [{ path: word, isNamed: true }];
  const pattern = word.replace(/^\.\//, '');
  const { paths: matching, cut } = await listFiles(world, (path) => matchesGlob(path, pattern));
  if (cut !== undefined) world.complain(cutSentence(cut));
  if (matching.length === 0) throw new CliFailure(`There is no file ${files.shown(word)}.`);
  return matching.map((path) => ({ path, isNamed: false }));
}

/** Finds the configs of the folder, or of the entire repository if the folder has none. */
async function findConfigs(world: World): Promise<readonly NamedFile[]> {
  for (const up of new Set([0, foldersToRoot(world)])) {
    const { paths, cut } = await listFiles(world, isChecked, up);
    if (cut !== undefined) world.complain(cutSentence(cut));
    if (paths.length > 0) return paths.map((path) => ({ path, isNamed: false }));
  }
  throw new CliFailure(withoutConfigs('No configs found here.'));
}

function withoutConfigs(sentence: string): string {
  return `${sentence} Specify their files, or create a project with headwater init.`;
}

function isChecked(path: string): boolean {
  return isConfigName(path) && splitPath(path).name !== linkName;
}

/** Reports a file that was not checked, so that it does not look as if it had passed. */
export function refuseUnread(checked: CheckedFile, named: NamedFile): CheckedFile {
  const { text, kind } = checked;
  const found = kind === 'foreign' ? unreadOf(text, named) : [];
  return found.length === 0 ? checked : { ...checked, diagnostics: diagnosticsOf(found, text) };
}

/** Throws if no checked file is a config. A file can have the name of a config by chance, for example a file for Docker Compose. */
export function refuseNone(checked: readonly CheckedFile[], { files }: Pick<World, 'files'>): void {
  const [first, ...others] = checked;
  if (
    first === undefined ||
    checked.some(({ kind, diagnostics }) => kind !== 'foreign' || diagnostics.length > 0)
  )
    return;
  const [name, rest] = [files.shown(first.path), others.length];
  const what =
    rest === 0
      ? `${name} is neither a sync config nor a service config`
      : `neither ${name} nor ${rest} more are sync configs or service configs`;
  throw new CliFailure(withoutConfigs(`No configs found here: ${what}.`));
}

/** Returns the problem of a file that is not a config. */
export function unreadOf(text: string, { path, isNamed }: NamedFile): readonly Finding[] {
  const conflict = isNamed || isConfigName(path) ? conflictIn(text) : undefined;
  if (conflict !== undefined) return [conflict];
  return isNamed ? [{ code: 'no-config', span: { start: 0, end: 1 }, args: {} }] : [];
}
