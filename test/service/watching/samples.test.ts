import { expect, test } from 'vitest';
import { describeSample, openSamples } from '../../../server/service/watching/samples.ts';

/** Opens the samples of a service whose numbers and clock the test sets. */
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

test('The growth of counters is reported per second, even after a process was blocked for a while', () => {
  const { samples, after } = openTested();
  after(1_000, 5);
  after(4_000, 400);
  after(1_000, 0);
  expect(samples.seconds().map(({ rows }) => rows)).toEqual([5, 100, 0]);
});

test('Unknown values are reported as unknown, and zero as zero', () => {
  const { world, samples, after } = openTested();
  after(1_000, 0);
  world.lag = 0;
  after(1_000, 0);
  expect(samples.seconds().map(({ lag, storage }) => [lag, storage])).toEqual([
    [undefined, undefined],
    [0, undefined],
  ]);
});

test('Memory that cannot be read is unknown, and is not sent', () => {
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

test('The history restarts when the clock is set back, so that nothing is in the future', () => {
  const { samples, after } = openTested();
  after(1_000, 1);
  after(-500_000, 2);
  after(1_000, 3);
  expect(samples.seconds().map(({ at }) => at)).toEqual([501_000, 502_000]);
});
