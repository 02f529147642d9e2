/** How one process asks another to start anew: real sockets, named after a folder that need not be there. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resetsIn } from '../../client/cli/process/resets.ts';
import { root } from '../../scripts/root.ts';

const reply = { url: 'http://127.0.0.1:1', token: 'secret' };

test('nobody answers for a folder in which nothing runs', async () => {
  const folder = randomUUID();
  expect(await resetsIn(folder).ask()).toBe(undefined);
  const stop = await resetsIn(folder).answer(async () => reply);
  stop();
  expect(await resetsIn(folder).ask()).toBe(undefined);
});

test('what runs there answers when it runs again, the first one if there are two', async () => {
  const resets = resetsIn(randomUUID());
  const stop = await resets.answer(async () => reply);
  const stopOther = await resets.answer(async () => ({ url: 'http://other' }));
  expect(await resets.ask()).toEqual(reply);
  expect(await resetsIn(randomUUID()).ask()).toBe(undefined);
  stopOther();
  expect(await resets.ask()).toEqual(reply);
  stop();
});

test('what ends instead of running again gives an empty answer', async () => {
  const resets = resetsIn(randomUUID());
  const stop = await resets.answer(() => {
    stop();
    return new Promise(() => {});
  });
  expect(await resets.ask()).toEqual({});
});

test('what a killed process has left behind is in nobody’s way', async () => {
  const folder = randomUUID();
  const module = JSON.stringify(join(root, 'client/cli/process/resets.ts'));
  const { signal } = spawnSync(process.execPath, [
    '--input-type=module',
    '-e',
    `const { resetsIn } = await import(${module});
    await resetsIn('${folder}').answer(async () => ({}));
    process.kill(process.pid, 'SIGKILL');`,
  ]);
  expect(signal).toBe('SIGKILL');
  expect(await resetsIn(folder).ask()).toBe(undefined);
  const stop = await resetsIn(folder).answer(async () => reply);
  expect(await resetsIn(folder).ask()).toEqual(reply);
  stop();
});
