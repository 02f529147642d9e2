import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../server/service/ground/clock.ts';

test('a sleep ends when it is aborted, without an error', async () => {
  const end = new AbortController();
  const sleeping = systemClock.sleep(60_000, end.signal);
  end.abort();
  await sleeping;
  await systemClock.sleep(60_000, end.signal);
});

test('a sleep lasts for the requested time', async () => {
  const begun = performance.now();
  await systemClock.sleep(20);
  expect(performance.now() - begun).toBeGreaterThan(15);
});

test('a sleep with a negative duration ends at once, without a warning', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => void warnings.push(name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  await systemClock.sleep(-1000);
  expect(warnings).toEqual([]);
});

test('a sleep that is longer than the longest timer does not end at once', async () => {
  const end = new AbortController();
  let ends = 0;
  const sleeping = [2 ** 31, 40 * 86_400_000, Number.POSITIVE_INFINITY].map((ms) =>
    systemClock.sleep(ms, end.signal).then(() => {
      ends += 1;
    }),
  );
  await systemClock.sleep(20);
  expect(ends).toBe(0);
  end.abort();
  await Promise.all(sleeping);
});
