import { describe, expect, test } from 'vitest';
import { delayAfter } from '../../../../server/service/replication/jobs/retry.ts';

describe('the next attempt', () => {
  test.each([
    ['closed', [500, 1000, 2000, 4000, 8000, 10_000, 10_000]],
    ['unreachable', [1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]],
    ['refused', [5000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000]],
    ['backlog-lost', [2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]],
  ] as const)('after %s comes later each time', (kind, delays) => {
    expect([1, 2, 3, 4, 5, 6, 7].map((attempt) => delayAfter(kind, attempt))).toEqual(delays);
  });

  test('comes at some time, after however many failures', () => {
    expect(delayAfter('other', 1_000_000)).toBe(30_000);
  });
});
