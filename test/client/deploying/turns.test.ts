import { expect, test } from 'vitest';
import { type DeployTurn, openDeployTurns } from '../../../client/deploying/turns.ts';

/** Follows a deployment until it is stopped. */
async function follow({ following, noteSent }: DeployTurn): Promise<void> {
  noteSent();
  await new Promise<void>((resolve) => following.addEventListener('abort', () => resolve()));
}

test('Only one deploy runs at a time', async () => {
  const turns = openDeployTurns();
  const first = turns.take(follow);
  expect(await turns.take(async () => {})).toBe(false);
  await turns.stop();
  expect(await first).toBe(true);
  expect(await turns.take(async () => {})).toBe(true);
});

test('The phase shows whether the config has been sent', async () => {
  const turns = openDeployTurns();
  const phases = [turns.phase()];
  const taken = turns.take(async (turn) => {
    phases.push(turns.phase());
    const following = follow(turn);
    phases.push(turns.phase());
    await following;
    phases.push(turns.phase());
  });
  await turns.stop();
  await taken;
  expect([...phases, turns.phase()]).toEqual(['free', 'preparing', 'following', 'ending', 'free']);
});

test('A deploy that is stopped before it is sent is still sent, but not followed', async () => {
  const turns = openDeployTurns();
  let go = (): void => {};
  const ready = new Promise<void>((resolve) => {
    go = resolve;
  });
  let seen: unknown;
  const taken = turns.take(async ({ following, noteSent }) => {
    await ready;
    noteSent();
    seen = [turns.phase(), following.aborted];
  });
  const stopped = turns.stop();
  go();
  await stopped;
  expect([await taken, seen]).toEqual([true, ['ending', true]]);
});

test('A deploy can be cancelled before it is sent, but not afterwards', async () => {
  const turns = openDeployTurns();
  let seen: unknown;
  const taken = turns.take(async ({ preparing, following, noteSent }) => {
    turns.cancel();
    seen = [preparing.aborted, following.aborted];
    noteSent();
  });
  await taken;
  expect(seen).toEqual([true, false]);
  await turns.take(async ({ preparing, noteSent }) => {
    noteSent();
    turns.cancel();
    seen = preparing.aborted;
  });
  expect(seen).toBe(false);
});

test('A deploy that fails leaves the turn to the next one', async () => {
  const turns = openDeployTurns();
  await expect(turns.take(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await turns.stop();
  expect(turns.phase()).toBe('free');
});
