import { expect, test } from 'vitest';
import { columnOf, lineNumbers, lineStart, positionsIn } from '../../../server/engine/text/lines.ts';

test.each([
  ['', 0, 0, 0],
  ['a', 1, 0, 1],
  ['a\nb', 1, 0, 1],
  ['a\nb', 2, 1, 0],
  ['a\r\nb', 3, 1, 0],
  ['a\rb\r\r', 2, 1, 0],
  ['a\rb\r\r', 5, 3, 0],
  ['a\n', 2, 1, 0],
  ['😀x\n', 2, 0, 2],
])('in %j offset %i is line %i, character %i', (text, offset, line, character) => {
  expect(positionsIn(text)(offset)).toEqual({ line, character });
});

test.each([
  ['', 0, 0],
  ['ab', 1, 0],
  // The only line break is after the offset, but `lastIndexOf` finds it when its start is -1.
  ['\nab', 0, 0],
  ['\nab', 1, 1],
  ['a\r\nbc', 4, 3],
  ['a\n', 2, 2],
])('in %j the line of offset %i starts at %i', (text, offset, start) => {
  expect(lineStart(text, offset)).toBe(start);
  expect(columnOf(text, offset)).toBe(offset - start);
});

test('line numbers count from 1', () => {
  const lineOf = lineNumbers('a\nb\r\nc');
  expect([0, 1, 2, 5].map(lineOf)).toEqual([1, 1, 2, 3]);
});
