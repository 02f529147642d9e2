import { expect, test } from 'vitest';
import { openTurns } from '../../server/shared/turns.ts';

test('work is done one piece at a time, in the order of asking', async () => {
  const turns = openTurns();
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} begins`);
    await Promise.resolve();
    order.push(`${name} ends`);
  };
  await Promise.all([turns.run(work('a')), turns.run(work('b'))]);
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

test('a piece that fails ends its turn, and only its asker hears of it', async () => {
  const turns = openTurns();
  const failing = turns.run(() => {
    throw new Error('no');
  });
  const next = turns.run(() => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('done');
});

test('a turn that was taken lasts until it is ended', async () => {
  const turns = openTurns();
  const end = await turns.take();
  let isDone = false;
  const next = turns.run(() => {
    isDone = true;
  });
  await Promise.resolve();
  expect(isDone).toBe(false);
  end();
  await next;
  expect(isDone).toBe(true);
});
