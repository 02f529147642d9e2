import { expect, test } from 'vitest';
import { openAlarms } from '../../../server/service/ground/clock.ts';
import { createManualClock } from '../../support/service/manualClock.ts';

function start() {
  const clock = createManualClock(1_000_000);
  const alarms = openAlarms(clock);
  const rung: string[] = [];
  const ringOf = (name: string) => () => void rung.push(`${name} at ${clock.now() - 1_000_000}`);
  const set = (name: string, after: number, ring: () => void = ringOf(name)) => {
    alarms.set(1_000_000 + after, ring);
    return () => alarms.drop(1_000_000 + after, ring);
  };
  return { clock, rung, set };
}

test('alarms ring in order, once, and never early', async () => {
  const { clock, rung, set } = start();
  set('late', 500);
  set('early', 200);
  set('between', 260);
  await clock.advance(199);
  expect(rung).toEqual([]);
  await clock.advance(10_000);
  expect(rung).toEqual(['early at 200', 'between at 300', 'late at 500']);
});

test('a cancelled alarm does not ring, but others at the same moment do', async () => {
  const { clock, rung, set } = start();
  const drop = set('gone', 200);
  set('here', 200);
  set('alone', 400)();
  drop();
  await clock.advance(1_000);
  expect(rung).toEqual(['here at 200']);
});

test('an alarm that rings may set the next alarm, and cancel a different one', async () => {
  const { clock, rung, set } = start();
  const again = (): void => {
    rung.push(`again at ${clock.now() - 1_000_000}`);
    drop();
    if (rung.length < 3) set('', rung.length * 1_000 + 100, again);
  };
  set('', 100, again);
  const drop = set('never', 100);
  await clock.advance(5_000);
  expect(rung).toEqual(['again at 100', 'again at 1100', 'again at 2100']);
});

test('thousands of alarms share one timer', async () => {
  const { clock, rung, set } = start();
  for (let n = 0; n < 5_000; n += 1) set('one', 18_000 + (n % 4_000));
  expect(clock.sleeping()).toBe(1);
  await clock.advance(30_000);
  expect([rung.length, clock.sleeping()]).toEqual([5_000, 0]);
});
