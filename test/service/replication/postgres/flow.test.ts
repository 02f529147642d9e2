import { expect, test } from 'vitest';
import { openFlow } from '../../../../server/service/replication/postgres/log/flow.ts';

const start = (limits = { items: 3, bytes: 100 }) => {
  const calls: string[] = [];
  const socket = {
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
  };
  return { calls, flow: openFlow<number>(socket as never, limits) };
};

test('pushed items can be taken at once, in order', async () => {
  const { flow } = start();
  flow.push(1, 1);
  flow.push(2, 1);
  expect(await flow.take()).toEqual([1, 2]);
});

test('waiting items can be read before they are taken', async () => {
  const { flow } = start();
  flow.push(1, 1);
  expect(flow.waiting()).toEqual([1]);
  await flow.take();
  expect(flow.waiting()).toEqual([]);
});

test('`take` waits until an item is pushed', async () => {
  const { flow } = start();
  const taken = flow.take();
  flow.push(1, 1);
  expect(await taken).toEqual([1]);
});

test.each([
  ['items', [1, 1, 1]],
  ['bytes', [60, 60]],
])('the socket is paused while too many %s wait', async (_, sizes) => {
  const { flow, calls } = start();
  for (const size of sizes) flow.push(0, size);
  expect(calls).toEqual(['pause']);
  expect(flow.isPaused()).toBe(true);
  await flow.take();
  expect(calls).toEqual(['pause', 'resume']);
  expect(flow.isPaused()).toBe(false);
});

test('the end comes after the items that were pushed before it', async () => {
  const { flow } = start();
  flow.push(1, 1);
  flow.end();
  flow.push(2, 1);
  expect(await flow.take()).toEqual([1]);
  expect(await flow.take()).toBeUndefined();
});

test('an error comes after the items that were pushed before it, and the first error counts', async () => {
  const { flow } = start();
  flow.push(1, 1);
  flow.end(new Error('first'));
  flow.end(new Error('second'));
  expect(await flow.take()).toEqual([1]);
  await expect(flow.take()).rejects.toThrow('first');
  await expect(flow.take()).rejects.toThrow('first');
});
