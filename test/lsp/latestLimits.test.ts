import { expect, test } from 'vitest';
import { LatestLimits } from '../../server/lsp/workspace/latestLimits.ts';

test('each report has its own number, even a report that cannot be read (1)', () => {
  const limits = new LatestLimits();
  const ids = [limits.id];
  for (const forecast of [{}, 'nothing', {}]) {
    limits.take(forecast);
    ids.push(limits.id);
  }
  expect(new Set(ids).size).toBe(4);
});

test('a report that cannot be read replaces the previous report', () => {
  const limits = new LatestLimits();
  const forecast = { limits: { buckets: 1_000, results: 1_000 }, streams: [], groups: [] };
  expect([limits.take(forecast), limits.known?.limits.buckets]).toEqual([true, 1_000]);
  expect([limits.take('nothing'), limits.known]).toEqual([false, undefined]);
});
