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
  [
    'reaches the limit in weeks',
    growing(780, 8, 3),
    /^At the current growth, it reaches 1,000 in about 4 weeks\.$/,
  ],
  ['reaches the limit in days', growing(900, 20, 1), /in about 4 days/],
  ['reaches the limit tomorrow', growing(900, 95, 1), /in about a day/],
  ['shrinks', growing(900, -10, 3), undefined],
  ['does not change', growing(900, 0, 3), undefined],
  ['reaches the limit in years', growing(100, 0.5, 3), undefined],
  ['has exceeded the limit', growing(990, 20, 3), undefined],
  ['was measured once', growing(900, 200, 1).slice(0, 1), undefined],
  ['was never measured', [], undefined],
])('the forecast is right for a value that %s', (_, samples, expected) => {
  const sentence = growthOf(samples, 1_000);
  if (expected === undefined) expect(sentence).toBeUndefined();
  else expect(sentence).toMatch(expected);
});

test.each([0, 1_000_000_000])('there is no forecast for a limit of %i', (limit) => {
  expect(growthOf(growing(900, 20, 3), limit)).toBeUndefined();
});
