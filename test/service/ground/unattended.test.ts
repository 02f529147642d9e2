import { expect, onTestFinished, test } from 'vitest';
import {
  attempt,
  callSafely,
  noteFailures,
  repeat,
  startAlone,
} from '../../../server/service/ground/unattended.ts';
import { recordLog } from '../../support/processes/http.ts';
import { createManualClock } from '../../support/service/manualClock.ts';

function watch() {
  const log = recordLog();
  const counted = { failures: 0 };
  const stop = noteFailures(log, () => {
    counted.failures += 1;
  });
  onTestFinished(stop);
  return { log, counted, stop };
}

const noHandle = () => Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });

test.each([
  [
    'throws',
    (): Promise<void> => {
      throw noHandle();
    },
  ],
  ['rejects', (): Promise<void> => Promise.reject(noHandle())],
])('a step that %s does not end its loop, is counted each time and logged once', async (_, fail) => {
  const { log, counted } = watch();
  const clock = createManualClock();
  const over = new AbortController();
  let steps = 0;
  const loop = repeat('Sampling', { every: 1_000, clock, signal: over.signal }, () => {
    steps += 1;
    return steps % 2 === 0 ? undefined : fail();
  });
  await clock.advance(10_000);
  over.abort();
  await loop;
  expect([steps, counted.failures]).toEqual([10, 5]);
  expect(log.lines.map(({ level, message }) => [level, message])).toEqual([
    ['error', 'Sampling failed: EMFILE: too many open files'],
  ]);
});

test('failures of another kind or of other work are also logged', async () => {
  const { log, counted } = watch();
  const fail = (error: Error) => () => {
    throw error;
  };
  await attempt('Sampling', fail(noHandle()));
  await attempt('Sampling', fail(new TypeError('no memory')));
  await attempt('Sweeping', fail(noHandle()));
  await attempt('Sweeping', fail(noHandle()));
  expect(counted.failures).toBe(4);
  expect(log.lines.map(({ message }) => message.split(':')[0])).toEqual([
    'Sampling failed',
    'Sampling failed',
    'Sweeping failed',
  ]);
});

test('a failed reading returns undefined and is counted', () => {
  const { counted } = watch();
  expect(callSafely('Reading', () => 5)).toBe(5);
  expect(
    callSafely('Reading', () => {
      throw noHandle();
    }),
  ).toBeUndefined();
  expect(counted.failures).toBe(1);
});

test('work that is not awaited fails without an unhandled rejection', async () => {
  const { counted } = watch();
  startAlone('Work', async () => {
    throw noHandle();
  });
  await expect.poll(() => counted.failures).toBe(1);
});

test('failures are not noted after noting has been stopped', async () => {
  const { log, counted, stop } = watch();
  stop();
  await attempt('Sampling', () => {
    throw noHandle();
  });
  expect([counted.failures, log.lines.length]).toEqual([0, 0]);
});
