import { expect, test } from 'vitest';
import { columnsIn } from '../../../../client/console/map/mapColumns.ts';
import type { MapNode } from '../../../../client/console/map/picture.ts';
import { countLines, heightOf, type Measure } from '../../../../client/console/map/sizes.ts';

/** A font whose characters are all 10 pixels wide. */
const widthOf = (text: string): number => text.length * 10;
const measure: Measure = { rem: 10, widthOf };

test.each([
  ['', 100, 0],
  ['one', 100, 1],
  ['one two', 70, 1],
  ['one two', 69, 2],
  ['one two three', 80, 2],
  // A word that is wider than the line is broken, and the next word continues after it.
  ['memberships a', 100, 2],
  ['memberships', 50, 3],
  ['a b', 1, 20],
])('The text "%s" in %i pixels has %i lines', (text, room, lines) => {
  expect(countLines(text, room, widthOf)).toBe(lines);
});

test('An entry has room for its name, its sentence and its numbers', () => {
  const node: MapNode = {
    id: 'stream a',
    column: 'streams',
    label: 'a',
    sentence: '',
    marks: [],
    numbers: [],
  };
  const heights = [
    node,
    { ...node, summary: 'Each user gets it.' },
    { ...node, summary: 'Each user gets it.', numbers: ['1 bucket', '2 clients'] },
    // The mark and the numbers are wider than one line, so each has its own.
    { ...node, numbers: ['1 bucket'], marks: [{ kind: 'missing' as const, sentence: '' }] },
    { ...node, summary: 'word '.repeat(1_000) },
    { ...node, label: 'x'.repeat(1_000) },
  ].map((each) => heightOf(each, 118, measure));
  expect(heights).toEqual([22, 45, 57, 45, 80, 35]);
});

test.each([
  [390, ['tables', 'streams']],
  [640, ['tables', 'streams', 'audiences']],
  [1_700, ['tables', 'streams', 'audiences']],
])('A map of %i pixels has the columns %j, which do not overlap and fill the width', (width, names) => {
  const columns = columnsIn(width);
  expect(columns.map(({ column }) => column)).toEqual(names);
  for (const [index, { left, width: own }] of columns.entries())
    expect((columns[index + 1]?.left ?? width + 26) - left - own).toBeGreaterThanOrEqual(25);
  const last = columns.at(-1);
  expect((last?.left ?? 0) + (last?.width ?? 0)).toBeCloseTo(width, -1);
});
