import { expect, test } from 'vitest';
import { nextAlarm, periodOf, secondsLeft } from '../../../server/service/sync/keepalive.ts';

test('the next alarm is the expiry, the warning before the expiry, or a sign of life, whichever comes first', () => {
  expect(nextAlarm(0, 100, 20_000)).toEqual({ at: 20_000, kind: 'alive' });
  expect(nextAlarm(70_000, 100, 20_000)).toEqual({ at: 80_000, kind: 'warning' });
  expect(nextAlarm(80_000, 100, 20_000)).toEqual({ at: 100_000, kind: 'expired' });
  expect(nextAlarm(85_000, 100, 10_000)).toEqual({ at: 95_000, kind: 'alive' });
  expect(nextAlarm(0, 100, undefined)).toEqual({ at: 80_000, kind: 'warning' });
});

test('the remaining seconds are rounded up, and never below 0', () => {
  expect([secondsLeft(500, 2), secondsLeft(2000, 2), secondsLeft(9000, 2)]).toEqual([2, 0, 0]);
});

test('signs of life of many connections are spread from 18 s to 22 s', () => {
  const periods = Array.from({ length: 100 }, (_, i) => periodOf(i));
  expect(Math.min(...periods)).toBeGreaterThanOrEqual(18_000);
  expect(Math.max(...periods)).toBeLessThanOrEqual(22_000);
  expect(new Set(periods).size).toBeGreaterThan(90);
});
