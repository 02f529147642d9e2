import { expect, test } from 'vitest';
import { positionsIn } from '../../../server/engine/text/lines.ts';

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
