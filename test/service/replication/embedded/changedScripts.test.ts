import { describe, expect, test } from 'vitest';
import { hashStatements } from '../../../../server/service/replication/embedded/loading/statements.ts';
import { continuationOf } from '../../../../server/service/replication/embedded/scripts/corrections.ts';
import { movesOf } from '../../../../server/service/replication/embedded/scripts/moves.ts';

describe('The statements of a script that still have to run', () => {
  /** Returns these statements. In `before`, a skipped statement ends with `?`, and one that never ended with `!`. */
  const continued = (before: string, now: string): string | undefined => {
    const known = (hashStatements(before.replace(/[?!]/g, '')) ?? []).map(({ hash }, index) => {
      const end = before.split(';')[index]?.trim().at(-1);
      return { hash, became: end === '?' ? 'left out' : end === '!' ? 'fatal' : 'run' } as const;
    });
    const rest = continuationOf(now, known);
    if (rest === undefined) return undefined;
    const without = new Set([...rest.done, ...rest.fatal.map(({ start }) => start)]);
    const starts = (hashStatements(now) ?? [])
      .map(({ start }) => start)
      .filter((start) => !without.has(start));
    return starts.map((start) => now.slice(start).split(';')[0]).join('; ');
  };

  test.each([
    ['are none if only comments and blanks changed', 'a b; c;', '-- x\nA  b;\n/* y */ c', ''],
    ['are the skipped ones, corrected or not', 'a; b ?; c ?; d;', 'a; b b; c; d;', 'b b; c'],
    ['are the new ones', 'a; b;', 'x; a; b; y;', 'x; y'],
    ['are not the skipped ones that were removed', 'a; b ?; c;', 'a; c;', ''],
    ['are not those that never ended, unless they were corrected', 'a; b !; c !;', 'a; b; c c;', 'c c'],
    ['are unknown if a statement that was run is gone', 'a; b; c ?;', 'a; c;', undefined],
    ['are unknown if the order has changed', 'a; b;', 'b; a;', undefined],
    ['are unknown if the script includes another one', 'a;', 'a;\n\\i other.sql', undefined],
    [
      'are unknown if only the last of many values has changed',
      `INSERT INTO t VALUES (${'1,'.repeat(90)}1);`,
      `INSERT INTO t VALUES (${'1,'.repeat(90)}2);`,
      undefined,
    ],
  ])('%s', (_, before, now, expected) => {
    expect(continued(before, now)).toBe(expected);
  });
});

describe('A moved script', () => {
  /** Parses scripts such as `m/1=a m/2=b`: their names and hashes. */
  const scripts = (text: string) =>
    text
      .split(' ')
      .filter(Boolean)
      .map((each) => {
        const [name = '', hash = ''] = each.split('=');
        return { name, hash };
      });
  test.each([
    [
      'is found at its path from where the service starts now',
      'm/1=a m/2=b',
      '../m/1=a ../m/2=b',
      'm/1>../m/1 m/2>../m/2',
    ],
    ['is found even with another text', 'db/m/1=a', 'm/1=b', 'db/m/1>m/1'],
    ['is not found if there are two candidates with other texts', 'm/1=a', 'x/m/1=b y/m/1=c', ''],
    ['is the one of two candidates that has the same text', 'm/1=a', 'x/m/1=b y/m/1=a', 'm/1>y/m/1'],
    ['is found under another name if its text is the same', 'm/1=a', 'm/2=a', 'm/1>m/2'],
    [
      'is found by its name if several scripts have the same text',
      'm/1=a m/2=a',
      'x/m/2=a x/m/1=a',
      'm/1>x/m/1 m/2>x/m/2',
    ],
    ['is not found if neither its place nor its text is the same', 'm/1=a', 'm/2=b n/1=c', ''],
  ])('%s', (_, missed, unknown, expected) => {
    expect(
      movesOf(scripts(missed), scripts(unknown))
        .map(({ from, to }) => `${from}>${to}`)
        .join(' '),
    ).toBe(expected);
  });
});
