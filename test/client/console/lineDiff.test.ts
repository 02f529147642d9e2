import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffParts, diffTexts } from '../../../client/console/service/lineDiff.ts';

const drawn = (before: string, after: string): readonly string[] =>
  diffTexts(before, after).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`);

test('A difference lists changed lines between the unchanged ones', () => {
  expect(drawn('a\nb\nc\nd', 'a\nx\nc\nd\ne')).toEqual([' a', '-b', '+x', ' c', ' d', '+e']);
  expect(drawn('a', 'a')).toEqual([' a']);
});

const texts = fc
  .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
  .map((lines) => lines.join('\n'));

test('Both texts can be restored from their difference', () => {
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const lines = diffTexts(before, after);
      const only = (kind: 'removed' | 'added') =>
        lines
          .filter((line) => line.kind === 'same' || line.kind === kind)
          .map(({ text }) => text)
          .join('\n');
      expect([only('removed'), only('added')]).toEqual([before, after]);
    }),
  );
});

test('Lines far from a change are counted and left out', () => {
  const many = Array.from({ length: 20 }, (_, index) => `${index}`);
  const parts = diffParts(diffTexts(many.join('\n'), many.with(10, 'x').join('\n')));
  expect(parts.map(({ skipped, lines }) => [skipped, lines.length])).toEqual([
    [7, 8],
    [6, 0],
  ]);
  expect(diffParts(diffTexts('a', 'a'))).toEqual([]);
});
