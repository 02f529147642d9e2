import { expect, test } from 'vitest';
import { openWaitReporter } from '../../../../server/service/replication/postgres/log/waiting.ts';
import { createManualClock } from '../../../support/service/manualClock.ts';

/** Opens a reporter, and collects its reports with the seconds since the beginning. */
function begin() {
  const clock = createManualClock();
  const begun = clock.now();
  const said: (readonly [seconds: number, reason: string | undefined])[] = [];
  const waiting = openWaitReporter(clock, (reason) => said.push([(clock.now() - begun) / 1000, reason]));
  return { clock, waiting, said };
}

test('a short wait is not reported', async () => {
  const { clock, waiting, said } = begin();
  const waited = waiting(
    'a lock',
    clock.sleep(9_000).then(() => 'done'),
  );
  await clock.advance(60_000);
  expect(await waited).toBe('done');
  expect(said).toEqual([]);
});

test('a long wait is reported at growing intervals, and then its end', async () => {
  const { clock, waiting, said } = begin();
  const work = clock.sleep(1_000_000).then(() => {
    throw new Error('given up');
  });
  const failure = expect(waiting('a lock', work)).rejects.toThrow('given up');
  await clock.advance(2_000_000);
  await failure;
  expect(said).toEqual([
    ...[10, 30, 70, 150, 310, 610, 910].map((seconds) => [seconds, 'a lock']),
    [1000, undefined],
  ]);
});
