import { expect, test } from 'vitest';
import { CheckpointTimes } from '../../../../../server/service/replication/jobs/stream/checkpointTimes.ts';
import { createManualClock } from '../../../../support/service/manualClock.ts';

function begin() {
  const clock = createManualClock();
  return { clock, times: new CheckpointTimes(clock) };
}

test.each([
  ['no time', 0, 20],
  ['3 ms', 3, 60],
  ['100 ms', 100, 500],
])('after a checkpoint that took %s, the next one waits for later ones (1)', async (_, took, longest) => {
  const { clock, times } = begin();
  const startedAt = clock.steady();
  await clock.advance(took);
  times.record(startedAt);
  expect(times.mayWait()).toBe(true);
  await clock.advance(longest - 1);
  expect(times.mayWait()).toBe(true);
  await clock.advance(1);
  expect(times.mayWait()).toBe(false);
  times.settle();
  expect(times.mayWait()).toBe(true);
});

test('a position is recorded once a minute (2)', async () => {
  const { clock, times } = begin();
  await clock.advance(59_999);
  expect(times.isRecordDue).toBe(false);
  await clock.advance(1);
  expect(times.isRecordDue).toBe(true);
  times.record(clock.steady());
  expect(times.isRecordDue).toBe(false);
});

test('a source is marked every 100 ms at most (3)', async () => {
  const { clock, times } = begin();
  const { signal } = new AbortController();
  expect(await times.mark(signal)).toBe(true);
  let isMarked = false;
  const marking = times.mark(signal).then((result) => {
    isMarked = result;
  });
  await clock.advance(99);
  expect(isMarked).toBe(false);
  await clock.advance(1);
  await marking;
  expect(isMarked).toBe(true);
});

test('a source is not marked after the job is aborted (3)', async () => {
  const { times } = begin();
  expect(await times.mark(AbortSignal.abort())).toBe(false);
});
