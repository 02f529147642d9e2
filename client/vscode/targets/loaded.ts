/**
 * Recognises services whose own config names the sync config. They accept no deploys, so they may never run the config in the
 * editor.
 */
import { isSameName, joinPath, namesIn, readPath } from '../../../server/shared/uri.ts';
import type { Target } from './target.ts';

/**
 * Returns the file that the service loads instead of the shown file. Undefined if both may be the same: a relative path depends
 * on the folder in which the service was started, and an absolute path may be inside of a container.
 *
 * @param shown the path of the shown file from the folder of the workspace, with `/`
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

/** Whether two paths may be the same. Case is ignored, because the service may run on a system that ignores it. */
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
