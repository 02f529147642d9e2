/**
 * Reads the patterns of `.gitignore` files as far as they exclude folders. A file that is ignored individually is still a file of
 * the project for us, because a schema or a config may be kept out of Git on purpose.
 *
 * Matching takes time proportional to the lengths of the pattern and the path, because the patterns may be a stranger's.
 */
import { namesIn } from './uri.ts';

/** Whether a folder is excluded or included again. The path is relative to the folder of the `.gitignore`. */
export type FolderRules = (path: string) => 'ignored' | 'kept' | 'unknown';

export function readGitignore(text: string): FolderRules {
  // The last matching pattern counts.
  const patterns = text
    .split('\n')
    .flatMap((line) => patternIn(line) ?? [])
    .toReversed();
  return (path) => {
    const names = namesIn(path);
    const found = patterns.find(({ segments }) => matchesAll(segments, names, isAnyDepth, matchesName));
    if (found === undefined) return 'unknown';
    return found.isNegated ? 'kept' : 'ignored';
  };
}

interface Pattern {
  readonly isNegated: boolean;
  readonly segments: readonly Segment[];
}

/** Any number of folders, or the characters of one name. */
type Segment = 'any depth' | readonly Character[];

type Character =
  | { readonly kind: 'star' }
  | { readonly kind: 'any' }
  | { readonly kind: 'one'; readonly text: string }
  | { readonly kind: 'class'; readonly form: RegExp };

function patternIn(line: string): Pattern | undefined {
  const written = line.replace(/\r$/, '').replace(/(?<!\\)[ \t]+$/, '');
  if (written === '' || written.startsWith('#')) return undefined;
  const isNegated = written.startsWith('!');
  const path = written.slice(isNegated ? 1 : 0).replace(/\/$/, '');
  const names = namesIn(path.replace(/^\//, ''));
  const segments = names.map((name, index): Segment => {
    if (name !== '**') return charactersIn(name);
    // Two stars at the end match everything inside, but not the folder itself.
    return index === names.length - 1 ? [{ kind: 'any' }, { kind: 'star' }] : 'any depth';
  });
  const isAnchored = path.includes('/');
  const isDeep = names.length > 1 && names.at(-1) === '**';
  return {
    isNegated,
    segments: [
      ...(isAnchored ? [] : ['any depth' as const]),
      ...segments.slice(0, isDeep ? -1 : undefined),
      ...(isDeep ? (['any depth', [{ kind: 'any' }, { kind: 'star' }]] as const) : []),
    ],
  };
}

const next = /\\([\s\S])|\[([!^]?)(\]?[^\]]*)\]|([\s\S])/gy;

function charactersIn(name: string): readonly Character[] {
  return [...name.matchAll(next)].map(([, escaped, not, listed, plain]): Character => {
    if (listed !== undefined) return classOf(listed, not !== '');
    if (plain === '*') return { kind: 'star' };
    if (plain === '?') return { kind: 'any' };
    return { kind: 'one', text: escaped ?? plain ?? '' };
  });
}

/** An invalid range, such as `[z-a]`, matches nothing. */
function classOf(listed: string, isNegated: boolean): Character {
  const inside = listed.replace(/[\\\]^[]/g, '\\$&');
  try {
    return { kind: 'class', form: new RegExp(`^[${isNegated ? '^' : ''}${inside}]$`) };
  } catch {
    return { kind: 'one', text: '' };
  }
}

function isAnyDepth(segment: Segment): segment is 'any depth' {
  return segment === 'any depth';
}

function matchesName(segment: Segment, name: string): boolean {
  if (segment === 'any depth') return true;
  return matchesAll(segment, [...name], ({ kind }) => kind === 'star', matchesCharacter);
}

function matchesCharacter(wanted: Character, character: string): boolean {
  switch (wanted.kind) {
    case 'one':
      return wanted.text === character;
    case 'class':
      return wanted.form.test(character);
    default:
      return true;
  }
}

/** Whether all items match. Only the last repeatable element is tried with more items, which is enough for such patterns. */
function matchesAll<P, T>(
  pattern: readonly P[],
  items: readonly T[],
  isRepeatable: (element: P) => boolean,
  matches: (element: P, item: T) => boolean,
): boolean {
  let [at, item, again, used] = [0, 0, -1, 0];
  while (item < items.length) {
    const element = pattern[at];
    if (element !== undefined && isRepeatable(element)) {
      again = at++;
      used = item;
    } else if (element !== undefined && matches(element, items[item] as T)) {
      at++;
      item++;
    } else if (again >= 0) {
      at = again + 1;
      used++;
      item = used;
    } else return false;
  }
  return pattern.slice(at).every(isRepeatable);
}
