/** Whether Git tracks a file. Git answers; where it cannot, its index is read. */
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

/** The exit code of `git ls-files --error-unmatch`. Others mean that there is no Git, no repository, or one of another user. */
const notTracked = 1;

/** A repository may be anyone's, so nothing in its settings may start a program. */
function questionFor(path: string, { platform }: World): readonly string[] {
  return [
    // A pager could be one.
    '--no-pager',
    ...['-C', dirname(path)],
    ...['-c', 'core.fsmonitor=false'],
    ...['-c', 'core.hooksPath=/dev/null'],
    // A folder that was cloned may have the form of a repository, with settings of its own.
    ...['-c', 'safe.bareRepository=explicit'],
    ...['ls-files', '--error-unmatch', '--'],
    // On Windows and macOS, the index may spell a name differently from the file system.
    `:(${platform === 'linux' ? 'literal' : 'icase'})${basename(path)}`,
  ];
}

/** A repository that is cloned in part would fetch missing objects with a program of its choice. */
const withoutNetwork = { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0' };

/** Versions 2 and 3 of the index have each path after a byte with its length. */
async function trackingInIndex(path: string, world: World): Promise<Tracking> {
  const root = resolve(world.folder, '../'.repeat(foldersToRoot(world)));
  const repository = resolve(root, '.git');
  if (!world.files.exists(repository)) return 'untracked';
  // A worktree or a submodule, whose index is elsewhere.
  if (!world.files.isFolder(repository)) return 'unknown';
  const place = resolve(repository, 'index');
  if (!world.files.exists(place)) return 'untracked';
  const index = await world.files.read(place).catch(() => '');
  const name = fromNative(relative(root, path), world.platform);
  // Git spells names as they were added, and on macOS their accents in one piece.
  if (index.split('\0').some((entry) => isSameName(entry.slice(1), name, world.platform))) return 'tracked';
  return isReadableIndex(index) ? 'untracked' : 'unknown';
}

/** Version 4 shortens paths, and a split index has most of them in another file. */
function isReadableIndex(index: string): boolean {
  const version = index.charCodeAt('DIRC\0\0\0'.length);
  return index.startsWith('DIRC') && (version === 2 || version === 3) && !index.includes('link\0');
}
