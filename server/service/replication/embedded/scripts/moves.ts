/**
 * Finds scripts whose names have changed since they were run. Names are relative to the folder in which the service starts, so
 * all of them change when it starts in another folder. Files may also be renamed.
 */
import { namesIn, readPath } from '../../../../shared/uri.ts';

interface NamedScript {
  readonly name: string;
  readonly hash: string;
}

interface Move {
  readonly from: string;
  readonly to: string;
}

/**
 * @param missed scripts that were run, but whose names no longer exist
 * @param unknown scripts that were not run under their current names
 */
export function movesOf(missed: readonly NamedScript[], unknown: readonly NamedScript[]): readonly Move[] {
  const left = new Set(unknown);
  const moves: Move[] = [];
  const take = (from: NamedScript, to: NamedScript): void => {
    left.delete(to);
    moves.push({ from: from.name, to: to.name });
  };
  const unmoved = missed.filter((script) => {
    const same = [...left].filter(({ hash }) => hash === script.hash);
    const to = same.find((each) => isSamePlace(each, script)) ?? same.find(() => true);
    if (to !== undefined) take(script, to);
    return to === undefined;
  });
  // A script whose text has changed also counts as moved only if it is the only candidate.
  for (const script of unmoved) {
    const [to, ...others] = [...left].filter((each) => isSamePlace(each, script));
    if (to !== undefined && others.length === 0) take(script, to);
  }
  return moves;
}

/** Whether the paths may name the same place in the project, although one of them may begin in a folder further down. */
function isSamePlace(one: NamedScript, other: NamedScript): boolean {
  const [first, second] = [one, other].map(({ name }) => withoutWayUp(name));
  return first !== undefined && second !== undefined && (endsWith(first, second) || endsWith(second, first));
}

function withoutWayUp(name: string): readonly string[] {
  return namesIn(readPath(name)).filter((each) => each !== '..' && each !== '.');
}

function endsWith(names: readonly string[], end: readonly string[]): boolean {
  return end.length > 0 && end.every((name, index) => name === names[names.length - end.length + index]);
}
