import { expect, test } from 'vitest';
import { describeSample, openSamples } from '../../../server/service/watching/samples.ts';

/** A service whose numbers and whose clock are what the test says. */
function openTested() {
  const world = {
    at: 1_000_000,
    rows: 0,
    lag: undefined as number | undefined,
    memory: 1 as number | undefined,
  };
  const samples = openSamples({
    metrics: { value: (name) => (name === 'powersync_rows_replicated_total' ? world.rows : undefined) },
    lag: () => world.lag,
    clients: () => 3,
    memory: () => world.memory,
    clock: { now: () => world.at },
  });
  const after = (milliseconds: number, rows: number): void => {
    world.at += milliseconds;
    world.rows += rows;
    samples.take();
  };
  return { world, samples, after };
}

test('What counters have grown by is told for each second, also by a process that could do nothing for a while', () => {
  const { samples, after } = openTested();
  after(1_000, 5);
  after(4_000, 400);
  after(1_000, 0);
  expect(samples.seconds().map(({ rows }) => rows)).toEqual([5, 100, 0]);
});

test('What is not known is told as such, and zero as zero', () => {
  const { world, samples, after } = openTested();
  after(1_000, 0);
  world.lag = 0;
  after(1_000, 0);
  expect(samples.seconds().map(({ lag, storage }) => [lag, storage])).toEqual([
    [undefined, undefined],
    [0, undefined],
  ]);
});

test('Memory that cannot be read is unknown, and is left out of what is sent', () => {
  const { world, samples, after } = openTested();
  after(1_000, 0);
  world.memory = undefined;
  after(1_000, 0);
  expect(samples.seconds().map(({ memory }) => memory)).toEqual([1, undefined]);
  expect(samples.seconds().map((second) => 'memory_bytes' in describeSample(second))).toEqual([true, false]);
});

test('An hour is kept, and no more', () => {
  const { samples, after } = openTested();
  for (let second = 1; second <= 4_000; second += 1) after(1_000, second);
  const rows = samples.seconds().map((each) => each.rows);
  expect([rows.length, rows[0], rows.at(-1)]).toEqual([3_600, 401, 4_000]);
});

test('A clock that is put back begins the history anew: nothing lies in the future', () => {
  const { samples, after } = openTested();
  after(1_000, 1);
  after(-500_000, 2);
  after(1_000, 3);
  expect(samples.seconds().map(({ at }) => at)).toEqual([501_000, 502_000]);
});
