import { expect, test } from 'vitest';
import { createAgeClock } from '../../../client/health/clock.ts';

const hour = 3_600_000;

test.each([
  ['both clocks run', [10, 10], 10],
  ['the machine was asleep', [hour, 10], hour],
  ['the clock of the machine was set back', [-24 * hour, 10], 10],
])('The age is correct when %s', (_, [wall = 0, steady = 0], age) => {
  const times = { wall: 1_000_000, steady: 500 };
  const now = createAgeClock(
    () => times.wall,
    () => times.steady,
  );
  const before = now();
  times.wall += wall;
  times.steady += steady;
  expect(now() - before).toBe(age);
  times.wall += 5;
  times.steady += 5;
  expect(now() - before).toBe(age + 5);
});
