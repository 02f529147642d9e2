import { expect, test } from 'vitest';
import { openTurns } from '../../client/deploy/turns.ts';

test('There is one deploy at a time', async () => {
  const turns = openTurns();
  const first = Promise.resolve();
  let ran = 0;
  const run = async () => {
    ran += 1;
    await first;
  };
  const taken = turns.take(run);
  expect(await turns.take(run)).toBe(false);
  expect(await taken).toBe(true);
  expect(await turns.take(run)).toBe(true);
  expect(ran).toBe(2);
});

test('Whoever follows one is told to stop, and then there is room for the next', async () => {
  const turns = openTurns();
  const stopped = turns.take(
    (following) => new Promise((resolve) => following.addEventListener('abort', () => resolve())),
  );
  expect(turns.isTaken()).toBe(true);
  await turns.stop();
  expect(turns.isTaken()).toBe(false);
  expect(await stopped).toBe(true);
  expect(await turns.take(async () => {})).toBe(true);
});

test('One that fails leaves the turn to the next', async () => {
  const turns = openTurns();
  await expect(turns.take(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await turns.stop();
  expect(turns.isTaken()).toBe(false);
  expect(await turns.take(async () => {})).toBe(true);
});
