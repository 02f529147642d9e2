/** Recognises services whose own config names the sync config. They take no deploys, so the text in the editor may never get there. */
import { isSameName, joinPath, namesIn, readPath } from '../../../server/shared/uri.ts';
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
    ? isAlike(named.at(-1) ?? '', wanted.at(-1) ?? '')
    : folders.some((folder) => isAlike(joinPath(...withoutDots([...folder, ...named])), shown));
  return isSame ? undefined : loads;
}

function partsOf(path: string): readonly string[] {
  return namesIn(readPath(path));
}

/** The service may run on another system, where case tells files apart, or on this one, where it may not. */
function isAlike(one: string, other: string): boolean {
  return isSameName(one, other, 'darwin');
}

function withoutDots(parts: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const part of parts)
    if (part === '..' && kept.length > 0) kept.pop();
    else if (part !== '.' && part !== '') kept.push(part);
  return kept;
}
