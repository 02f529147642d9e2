import { expect, test } from 'vitest';
import { limitConcurrency } from '../../../server/service/sync/limit.ts';
import { createManualClock } from '../../support/service/manualClock.ts';

/** Allows two calls at once. The test rings the alarms. */
function open() {
  const alarms = new Map<() => void, number>();
  const turn = limitConcurrency(2, 30_000, {
    clock: createManualClock(),
    alarms: { set: (at, ring) => void alarms.set(ring, at), drop: (_, ring) => void alarms.delete(ring) },
  });
  const ends: (() => void)[] = [];
  const started: string[] = [];
  const run = (name: string): Promise<string> =>
    turn(() => {
      started.push(name);
      return new Promise((resolve) => ends.push(() => resolve(name)));
    });
  return { run, started, ends, alarms };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('Two calls run at once, the third one starts when a call ends, and no alarm is left', async () => {
  const { run, started, ends, alarms } = open();
  const [one, , three] = [run('one'), run('two'), run('three')];
  await settle();
  expect(started).toEqual(['one', 'two']);
  expect(alarms.size).toBe(1);
  ends[0]?.();
  expect(await one).toBe('one');
  await settle();
  expect(started).toEqual(['one', 'two', 'three']);
  expect(alarms.size).toBe(0);
  ends[2]?.();
  expect(await three).toBe('three');
});

test('A call that has waited too long is refused, and does not start later', async () => {
  const { run, started, ends, alarms } = open();
  void run('one');
  void run('two');
  const three = run('three');
  for (const ring of [...alarms.keys()]) ring();
  await expect(three).rejects.toMatchObject({ code: 'SVC_S2001', status: 500 });
  ends[0]?.();
  await settle();
  expect(started).toEqual(['one', 'two']);
});

test('A call that fails also makes room for the next one', async () => {
  const turn = limitConcurrency(1, 1, {
    clock: createManualClock(),
    alarms: { set: () => {}, drop: () => {} },
  });
  await expect(turn(() => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  expect(await turn(async () => 'next')).toBe('next');
});
