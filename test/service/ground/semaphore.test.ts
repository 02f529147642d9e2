import { expect, test } from 'vitest';
import { createSemaphore } from '../../../server/service/ground/semaphore.ts';

const { signal } = new AbortController();

test('a free place goes to the caller that has waited longest, and a caller is refused if too many wait', async () => {
  const semaphore = createSemaphore({ running: 1, waiting: 2 });
  const leave = await semaphore.enter(signal);
  const order: string[] = [];
  const wait = async (name: string) => {
    const leaveAgain = await semaphore.enter(signal);
    order.push(name);
    leaveAgain?.();
  };
  const waiting = [wait('first'), wait('second')];
  expect(await semaphore.enter(signal)).toBeUndefined();
  leave?.();
  await Promise.all(waiting);
  expect(order).toEqual(['first', 'second']);
  expect(semaphore.running).toBe(0);
});

test('a caller that stops waiting takes no place', async () => {
  const semaphore = createSemaphore({ running: 1, waiting: 1 });
  const leave = await semaphore.enter(signal);
  const controller = new AbortController();
  const waiting = semaphore.enter(controller.signal);
  controller.abort();
  expect(await waiting).toBeUndefined();
  leave?.();
  expect(semaphore.running).toBe(0);
  expect(await semaphore.enter(controller.signal)).toBeUndefined();
});

test('leaving twice frees only one place', async () => {
  const semaphore = createSemaphore({ running: 2, waiting: 0 });
  const [leave] = [await semaphore.enter(signal), await semaphore.enter(signal)];
  leave?.();
  leave?.();
  expect(semaphore.running).toBe(1);
});

test('a caller can also wait without a signal, and stop waiting', () => {
  const semaphore = createSemaphore({ running: 1, waiting: 2 });
  const leave = semaphore.tryEnter();
  const went: string[] = [];
  const quit = semaphore.tryWait(() => went.push('first'));
  semaphore.tryWait((leaveAgain) => {
    went.push('second');
    leaveAgain();
  });
  expect(semaphore.tryWait(() => went.push('third'))).toBeUndefined();
  quit?.();
  leave?.();
  expect(went).toEqual(['second']);
  expect(semaphore.running).toBe(0);
});
