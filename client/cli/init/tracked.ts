/** Whether Git tracks a file. If Git cannot answer, its index is read directly. */
import { basename, dirname, relative, resolve } from 'node:path';
import { fromNative, isSameName } from '../../../server/shared/uri.ts';
import { foldersToRoot } from '../project/location.ts';
import type { World } from '../world.ts';

/** `unknown`: Git did not answer, and its index cannot be read here. */
export type Tracking = 'tracked' | 'untracked' | 'unknown';

export async function trackingOf(path: string, world: World): Promise<Tracking> {
  const whole = resolve(world.folder, path);
  const code = await world.startProgram('git', questionFor(whole, world), {
    onLine: () => {},
    errors: 'dropped',
    env: withoutNetwork,
  }).ended;
  if (code === 0) return 'tracked';
  return code === notTracked ? 'untracked' : trackingInIndex(whole, world);
}

/**
 * The exit code of `git ls-files --error-unmatch`. Other codes mean that there is no Git, no repository, or a repository of
 * another user.
 */
const notTracked = 1;

/** Returns the arguments for Git. A stranger may have written the repository, so its settings must not start a program. */
function questionFor(path: string, { platform }: World): readonly string[] {
  return [
    // A pager could be such a program.
    '--no-pager',
    ...['-C', dirname(path)],
    ...['-c', 'core.fsmonitor=false'],
    ...['-c', 'core.hooksPath=/dev/null'],
    // A cloned folder may look like a repository with settings of its own.
    ...['-c', 'safe.bareRepository=explicit'],
    ...['ls-files', '--error-unmatch', '--'],
    // The index may spell a name differently from the file system on Windows and macOS.
    `:(${platform === 'linux' ? 'literal' : 'icase'})${basename(path)}`,
  ];
}

/** A partly cloned repository would fetch missing objects with a program of its choice. */
const withoutNetwork = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0' };

/** Reads versions 2 and 3 of the index, in which each path follows a byte with its length. */
async function trackingInIndex(path: string, world: World): Promise<Tracking> {
  const root = resolve(world.folder, '../'.repeat(foldersToRoot(world)));
  const repository = resolve(root, '.git');
  if (!world.files.exists(repository)) return 'untracked';
  // The folder is a worktree or a submodule, whose index is in a different place.
  if (!world.files.isFolder(repository)) return 'unknown';
  const place = resolve(repository, 'index');
  if (!world.files.exists(place)) return 'untracked';
  const index = await world.files.read(place).catch(() => '');
  const name = fromNative(relative(root, path), world.platform);
  // Git keeps the spelling with which a name was added, and on macOS it uses composed accents.
  if (index.split('\0').some((entry) => isSameName(entry.slice(1), name, world.platform))) return 'tracked';
  return isReadableIndex(index) ? 'untracked' : 'unknown';
}

/** Whether the index contains complete paths: version 4 shortens them, and a split index has most of them in another file. */
function isReadableIndex(index: string): boolean {
  const version = index.charCodeAt('DIRC\0\0\0'.length);
  return index.startsWith('DIRC') && (version === 2 || version === 3) && !index.includes('link\0');
}
