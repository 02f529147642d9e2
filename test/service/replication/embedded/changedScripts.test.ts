import { describe, expect, test } from 'vitest';
import { hashStatements } from '../../../../server/service/replication/embedded/loading/statements.ts';
import { continuationOf } from '../../../../server/service/replication/embedded/scripts/corrections.ts';
import { movesOf } from '../../../../server/service/replication/embedded/scripts/moves.ts';

describe('What is still to be run of a script', () => {
  /** A statement that was left out ends with `?`, one that never ended with `!`. */
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
    ['nothing, where only comments and blanks changed', 'a b; c;', '-- x\nA  b;\n/* y */ c', ''],
    ['what was left out, corrected or not', 'a; b ?; c ?; d;', 'a; b b; c; d;', 'b b; c'],
    ['what is new', 'a; b;', 'x; a; b; y;', 'x; y'],
    ['not what was left out and is gone', 'a; b ?; c;', 'a; c;', ''],
    ['not what never ended, but its correction', 'a; b !; c !;', 'a; b; c c;', 'c c'],
    ['nobody knows, where what was run is gone', 'a; b; c ?;', 'a; c;', undefined],
    ['nobody knows, where it has another order', 'a; b;', 'b; a;', undefined],
    ['nobody knows, where others are included', 'a;', 'a;\n\\i other.sql', undefined],
    [
      'values count to the last',
      `INSERT INTO t VALUES (${'1,'.repeat(90)}1);`,
      `INSERT INTO t VALUES (${'1,'.repeat(90)}2);`,
      undefined,
    ],
  ])('%s', (_, before, now, expected) => {
    expect(continued(before, now)).toBe(expected);
  });
});

describe('A script has moved', () => {
  /** `name=text`, separated by blanks. */
  const scripts = (text: string) =>
    text
      .split(' ')
      .filter(Boolean)
      .map((each) => {
        const [name = '', hash = ''] = each.split('=');
        return { name, hash };
      });
  test.each([
    ['to where the service starts now', 'm/1=a m/2=b', '../m/1=a ../m/2=b', 'm/1>../m/1 m/2>../m/2'],
    ['even with another text', 'db/m/1=a', 'm/1=b', 'db/m/1>m/1'],
    ['unless two may be meant', 'm/1=a', 'x/m/1=b y/m/1=c', ''],
    ['to the one of the same text, of two', 'm/1=a', 'x/m/1=b y/m/1=a', 'm/1>y/m/1'],
    ['to another name with the same text', 'm/1=a', 'm/2=a', 'm/1>m/2'],
    ['one by one, where texts are the same', 'm/1=a m/2=a', 'x/m/2=a x/m/1=a', 'm/1>x/m/1 m/2>x/m/2'],
    ['not where neither place nor text is the same', 'm/1=a', 'm/2=b n/1=c', ''],
  ])('%s', (_, missed, unknown, expected) => {
    expect(
      movesOf(scripts(missed), scripts(unknown))
        .map(({ from, to }) => `${from}>${to}`)
        .join(' '),
    ).toBe(expected);
  });
});
