/** Finds the files that differ from the main branch, using Git. */
import { spawnSync } from 'node:child_process';
import { generatedModules } from '../generate.ts';
import { root } from '../root.ts';

interface Changes {
  /** The commit with which the working tree was compared, as text for the user. */
  readonly since: string;
  /** Paths relative to the root: changed, new, renamed (both names) and deleted files. */
  readonly files: readonly string[];
}

/** The main branches in order of preference. A fork's own main branch comes later, because it may already contain the change. */
const mainBranches = ['upstream/main', 'origin/main', 'main'];

/** Returns uncommitted changes, and the commits since this branch left the main branch. Throws if Git cannot determine them. */
export function changesSince(branch: string | undefined): Changes {
  const candidates = branch === undefined ? mainBranches : [branch];
  const main = candidates.find((each) => git('rev-parse', '--verify', '--quiet', `${each}^{commit}`).isDone);
  if (main === undefined)
    throw new Error(
      `Git does not know ${candidates.join(', ')}. Name a branch: npm run test:changed -- BRANCH`,
    );
  const base = gitOrThrow('merge-base', 'HEAD', main).trim();
  const changed = gitOrThrow('diff', '--name-only', '--no-renames', '-z', base);
  const added = gitOrThrow('ls-files', '--others', '--exclude-standard', '-z');
  const files = new Set(`${changed}${added}`.split('\0').filter((path) => path !== ''));
  return { since: `${main} (${base.slice(0, 8)})`, files: withGenerated([...files]) };
}

/** Adds generated modules. Git ignores them, but they change with their sources. */
function withGenerated(files: readonly string[]): readonly string[] {
  const made = generatedModules.filter(({ sources }) => sources.some((source) => files.includes(source)));
  return [...files, ...made.map(({ path }) => path)].sort();
}

function git(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return { isDone: status === 0, stdout, stderr };
}

function gitOrThrow(...args: readonly string[]): string {
  const { isDone, stdout, stderr } = git(...args);
  if (!isDone) throw new Error(`git ${args.join(' ')} failed: ${stderr?.trim() ?? 'Git is not installed.'}`);
  return stdout;
}
