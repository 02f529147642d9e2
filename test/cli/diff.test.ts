import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changes } from '../../client/cli/diff/lines.ts';

test('a change is shown with three lines around it', () => {
  const before = 'abcdefghij'.split('').join('\n');
  expect(changes(`${before}\n`, `${before.replace('f', 'F')}\n`)).toEqual([
    '@@ -3 +3 @@',
    ...[' c', ' d', ' e', '-f', '+F', ' g', ' h', ' i'],
  ]);
});

test('a line break at the end is a difference', () => {
  expect(changes('a\n', 'a')).toEqual(['@@ -1 +1 @@', '-a', '+a (no line break at the end)']);
});

test('without the lines of one side, what is left is the other', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 7 });
  fc.assert(
    fc.property(texts, texts, (a, b) => {
      const lines = changes(`${a.join('\n')}\n`, `${b.join('\n')}\n`).filter(
        (line) => !line.startsWith('@@'),
      );
      const side = (sign: string) => lines.filter((line) => line[0] !== sign).map((line) => line.slice(1));
      // What is far from every change is not shown; here that is nothing, or all.
      if (lines.length === 0) return a.join('\n') === b.join('\n');
      return isWithin(side('+'), a) && isWithin(side('-'), b);
    }),
    { seed: 1, numRuns: 500 },
  );
});

function isWithin(some: readonly string[], all: readonly string[]): boolean {
  let at = 0;
  for (const line of all.length === 0 ? [''] : all) if (some[at] === line) at += 1;
  return at === some.length;
}
