import { expect, test } from 'vitest';
import { drawTable } from '../../client/drawTable.ts';

test('Columns are aligned, and null differs from an empty text', () => {
  expect(
    drawTable(
      ['id', 'name'],
      [
        ['1', 'Ada'],
        ['20', null],
        ['3', ''],
      ],
    ),
  ).toEqual(['id  name', '──  ────', '1   Ada', '20  ∅', '3']);
});

test('Emoji, Chinese and combining characters are aligned', () => {
  expect(
    drawTable(
      ['name', 'n'],
      [
        ['日本', '1'],
        ['👩‍👩‍👧', '2'],
        ['e\u0301', '3'],
      ],
    ),
  ).toEqual(['name  n', '────  ─', '日本  1', '👩‍👩‍👧    2', 'e\u0301     3']);
});

test('A long value is cut between characters, never within one', () => {
  const cut = (value: string) => drawTable(['v'], [[value]]).at(-1);
  expect(cut('x'.repeat(60))).toBe('x'.repeat(60));
  expect(cut('x'.repeat(61))).toBe(`${'x'.repeat(59)}…`);
  expect(cut(`${'x'.repeat(58)}😀😀`)).toBe(`${'x'.repeat(58)}…`);
  expect(cut('日'.repeat(40))).toBe(`${'日'.repeat(29)}…`);
});

test('A character of control is written as its escape', () => {
  expect(drawTable(['v'], [['a\nb\u001b']]).at(-1)).toBe('a\\nb\\u001b');
});
