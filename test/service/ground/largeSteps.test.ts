import { expect, test } from 'vitest';
import { openLargeSteps } from '../../../server/service/ground/largeSteps.ts';

const large = 100_000;

/** Records the order of all steps, ends of rounds, and pauses. */
function open(costOfStep = 0) {
  const log: string[] = [];
  let time = 0;
  const steps = openLargeSteps({
    now: () => time,
    nextRound: async () => {
      // Promises that the step resolves continue before the next round, as in a real event loop.
      for (let n = 0; n < 10; n += 1) await Promise.resolve();
      log.push('|');
    },
    rest: async (ms) => {
      log.push(`rest ${ms}`);
    },
  });
  const request = async (name: string, bytes: number, count: number): Promise<void> => {
    for (let n = 1; n <= count; n += 1) {
      await (n === 1 ? steps.start(bytes) : steps.next(bytes));
      log.push(`${name}${n}`);
      time += costOfStep;
    }
  };
  return { log, steps, request };
}

test('each round has one step of a large request, and requests that have begun go first', async () => {
  const { log, request } = open();
  await Promise.all([request('a', large, 3), request('b', large, 2), request('c', large, 1)]);
  expect(log.filter((entry) => !entry.startsWith('rest')).join(' ')).toBe('a1 | a2 | a3 | b1 | b2 | c1');
});

test('small requests do not wait for large ones', async () => {
  const { log, request } = open();
  await Promise.all([request('a', large, 3), request('small', 1_000, 2)]);
  const round = log.indexOf('|');
  expect(log.slice(0, round)).toEqual(expect.arrayContaining(['a1', 'small1', 'small2']));
});

test('after a step, the event loop is free for as long as the step took, up to a limit', async () => {
  for (const [took, rest] of [
    [7, 7],
    [1_000, 20],
  ] as const) {
    const { log, request } = open(took);
    await request('a', large, 2);
    expect(log.slice(0, 4)).toEqual(['a1', '|', `rest ${rest}`, 'a2']);
  }
});

test('a request is large if it has many bytes, subscriptions or buckets', async () => {
  const { log, steps, request } = open();
  const many = steps.nextFor(4_500).then(() => log.push('many'));
  const few = steps.nextFor(100).then(() => log.push('few'));
  await Promise.all([many, few, request('a', large, 1)]);
  expect(log.filter((entry) => !entry.startsWith('rest'))).toEqual(['few', 'many', '|', 'a1']);
});
