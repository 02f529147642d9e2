/** A service whose own config names its sync config takes no deploys: what is in the editor may never get there. */
import type { Target } from './target.ts';

/**
 * The file that the service loads instead of this one; undefined if it may be this one. Where a relative path begins
 * depends on how the service was started, and an absolute one may be in a container.
 *
 * @param shown from the folder of the workspace, with `/`
 */
export function loadedInstead({ loads, origin }: Target, shown: string): string | undefined {
  if (loads === undefined) return undefined;
  const named = partsOf(loads);
  const wanted = partsOf(shown);
  const isAbsolute = /^([/\\]|[A-Za-z]:)/.test(loads);
  const folders = partsOf(origin).map((_, depth, parts) => parts.slice(0, depth));
  const isSame = isAbsolute
    ? named.at(-1) === wanted.at(-1)
    : folders.some((folder) => withoutDots([...folder, ...named]).join('/') === shown);
  return isSame ? undefined : loads;
}

function partsOf(path: string): readonly string[] {
  return path.split(/[/\\]/);
}

function withoutDots(parts: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const part of parts)
    if (part === '..' && kept.length > 0) kept.pop();
    else if (part !== '.' && part !== '') kept.push(part);
  return kept;
}
