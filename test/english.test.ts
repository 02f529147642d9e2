/** Counts constructions that readers have to read twice. Their number in each room may only fall. */
import { describe, expect, test } from 'vitest';
import { constructions, constructionsIn, type TextKind } from '../scripts/english/constructions.ts';
import { countByRoom, hardTexts, readCounts } from '../scripts/english/report.ts';
import { projectTexts } from '../scripts/english/texts.ts';
import pairs from './fixtures/english/pairs.json' with { type: 'json' };

const texts = pairs.map(({ kind, ...pair }) => ({ ...pair, kind: kind as TextKind }));

test.each(texts)('Would be noticed: $before', ({ before, kind }) => {
  expect(constructionsIn(before, kind)).not.toEqual([]);
});

test.each(texts)('Reads well: $after', ({ after, kind }) => {
  expect(constructionsIn(after, kind).map(({ name }) => name)).toEqual([]);
});

test('Each construction is shown by a pair', () => {
  const shown = new Set(texts.flatMap(({ before, kind }) => constructionsIn(before, kind)));
  expect(constructions.filter((each) => !shown.has(each)).map(({ name }) => name)).toEqual([]);
});

describe('No room gets more hard sentences than it had (npm run english -- ROOM lists them)', () => {
  const now = countByRoom(hardTexts());
  const before = readCounts();

  test.each(Object.keys({ ...before, ...now }))('%s', (room) => {
    expect(now[room] ?? 0).toBeLessThanOrEqual(before[room] ?? 0);
  });

  test('Texts of all kinds are looked at', () => {
    const kinds = new Set(projectTexts().map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['comment', 'message', 'page', 'title']);
  });
});
