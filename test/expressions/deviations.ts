/** Why a difference from the reference is on purpose. Any other difference is a defect. */
import type { DifferenceName } from '../../scripts/pages/differences.ts';
import type { Difference } from './compare.ts';

interface Deviation {
  /** The entry of `docs/SERVICE.md` that explains it. */
  readonly name: DifferenceName;
  readonly applies: (difference: Difference) => boolean;
}

const deviations: readonly Deviation[] = [
  {
    name: 'NULL names no bucket',
    applies: ({ mode, ours, theirs }) =>
      mode.edition !== 3 &&
      [withoutNullKeys(theirs), theirs.replaceAll(/ ?\bs(?:\|\d)?\[null\](?= s|$)/g, '')].includes(ours),
  },
  {
    name: 'names of buckets',
    applies: ({ side, ours, theirs }) =>
      side === 'bucket key' && /\d{16}|e\+/.test(ours) && /\d{16}/.test(theirs),
  },
  {
    name: 'duplicate keys',
    applies: ({ input }) => input.includes('"{\\"a\\":1,\\"a\\":2}"'),
  },
  {
    name: 'loose JSON',
    applies: ({ mode, expression, input }) =>
      (/->|json_/.test(expression) && /"\.5"/.test(input) && !mode.sqlite) ||
      (/->|json_/.test(expression) && mode.sqlite && /[eE]|Inf|\.5|\\u|\\x|\d{16}/.test(input)),
  },
  {
    name: 'guessed dates',
    applies: ({ expression, ours, theirs }) =>
      /datetime|unixepoch/.test(expression) && ours !== 'failed' && theirs !== 'failed',
  },
  {
    name: 'characters of a JSON text',
    applies: ({ expression, input }) => /->>? (?:\d|b)/.test(expression) && /\\"s\\"|"s"/.test(input),
  },
  {
    name: 'infinity as text',
    applies: ({ input }) => input.includes('"Infinity"'),
  },
  {
    name: 'path into null',
    applies: ({ expression, input }) => /json_|->/.test(expression) && input.includes('"null"'),
  },
  {
    name: 'conditions on requests',
    applies: ({ side, expression, ours, theirs }) =>
      side.startsWith('request') &&
      /AND|OR|NOT/.test(expression) &&
      ours.split(' ').every((bucket) => theirs.includes(bucket)),
  },
  {
    name: 'numbers of claims',
    applies: ({ side, input }) => (side === 'match' || side.startsWith('request')) && /\d|\{|\[/.test(input),
  },
  {
    name: 'errors without rows',
    applies: ({ mode, ours, theirs }) => mode.sqlite && [ours, theirs].includes('failed'),
  },
  {
    name: 'queries with warnings',
    applies: ({ mode, input }) => mode.edition === 2 && input === 'config',
  },
];

export function explanation(difference: Difference): DifferenceName | undefined {
  return deviations.find(({ applies }) => applies(difference))?.name;
}

/** The answer without the buckets of a NULL, and the rows in them. */
function withoutNullKeys(answer: string): string {
  return answer
    .replaceAll(/s(?:\|\d)?\[(?:[^\]]*,)?"?null"?(?:,[^\]]*)?\](?: \{[^}]*\})?/g, '')
    .replaceAll(/ +/g, ' ')
    .trim();
}
