import { expect, test } from 'vitest';
import { growthOf, type TrendPoint } from '../../../server/service/api/limits/trend.ts';

const day = 24 * 60 * 60_000;

function growing(from: number, perDay: number, days: number): readonly TrendPoint[] {
  return Array.from({ length: days * 4 + 1 }, (_, i) => ({
    at: 1_000 + (i * day) / 4,
    value: Math.round(from + (perDay * i) / 4),
  }));
}

test.each<[string, readonly TrendPoint[], RegExp | undefined]>([
  ['in weeks', growing(780, 8, 3), /^As it grows now, it reaches 1,000 in about 4 weeks\.$/],
  ['in days', growing(900, 20, 1), /in about 4 days/],
  ['tomorrow', growing(900, 95, 1), /in about a day/],
  ['that shrinks', growing(900, -10, 3), undefined],
  ['that stands still', growing(900, 0, 3), undefined],
  ['in years', growing(100, 0.5, 3), undefined],
  ['that is there already', growing(990, 20, 3), undefined],
  ['seen for an hour', growing(900, 200, 1).slice(0, 1), undefined],
  ['never seen', [], undefined],
])('a limit %s', (_, samples, expected) => {
  const sentence = growthOf(samples, 1_000);
  if (expected === undefined) expect(sentence).toBeUndefined();
  else expect(sentence).toMatch(expected);
});

test.each([0, 1_000_000_000])('a limit of %i makes no sentence out of nothing', (limit) => {
  expect(growthOf(growing(900, 20, 3), limit)).toBeUndefined();
});
