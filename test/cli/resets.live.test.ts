/** Requests of one process that another one start again, over real sockets that are named after a folder. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pipeSecret } from '../../client/cli/process/pipeSecret.ts';
import { resetsAt, resetsIn } from '../../client/cli/process/resets.ts';
import { root } from '../../scripts/root.ts';

const reply = { url: 'http://127.0.0.1:1', token: 'secret' };

test('nobody answers for a folder in which nothing runs', async () => {
  const folder = randomUUID();
  expect(await resetsIn(folder, {}).ask()).toBe(undefined);
  const stop = await resetsIn(folder, {}).answer(async () => reply);
  stop();
  expect(await resetsIn(folder, {}).ask()).toBe(undefined);
});

test('what runs there answers when it runs again, the first one if there are two', async () => {
  const resets = resetsIn(randomUUID(), {});
  const stop = await resets.answer(async () => reply);
  const stopOther = await resets.answer(async () => ({ url: 'http://other' }));
  expect(await resets.ask()).toEqual(reply);
  expect(await resetsIn(randomUUID(), {}).ask()).toBe(undefined);
  stopOther();
  expect(await resets.ask()).toEqual(reply);
  stop();
});

test('what ends instead of running again gives an empty answer', async () => {
  const resets = resetsIn(randomUUID(), {});
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
    await resetsIn('${folder}', {}).answer(async () => ({}));
    process.kill(process.pid, 'SIGKILL');`,
  ]);
  expect(signal).toBe('SIGKILL');
  expect(await resetsIn(folder, {}).ask()).toBe(undefined);
  const stop = await resetsIn(folder, {}).answer(async () => reply);
  expect(await resetsIn(folder, {}).ask()).toEqual(reply);
  stop();
});

describe('Where no system says whose a pipe is', () => {
  let above: string;
  let address: string;
  beforeEach(() => {
    above = mkdtempSync(join(tmpdir(), 'headwater-'));
    address = process.platform === 'win32' ? `\\\\.\\pipe\\headwater-${randomUUID()}` : join(above, 'pipe');
  });
  afterEach(() => rmSync(above, { recursive: true, force: true }));

  test('who knows the secret of this user is asked, and answers', async () => {
    const resets = resetsAt({ address, secret: 'ours' });
    const stop = await resets.answer(async () => reply);
    expect(await resets.isAnswered()).toBe(true);
    expect(await resets.ask()).toEqual(reply);
    stop();
    expect(await resets.isAnswered()).toBe(false);
  });

  test('who does not know it is asked for nothing, and believed nothing', async () => {
    const restart = vi.fn(async () => reply);
    const stop = await resetsAt({ address, secret: 'theirs' }).answer(restart);
    const resets = resetsAt({ address, secret: 'ours' });
    expect(await resets.isAnswered()).toBe(false);
    expect(await resets.ask()).toBe(undefined);
    expect(restart).not.toHaveBeenCalled();
    stop();
  });

  test.each([
    ['says nothing', () => {}],
    ['repeats what it hears', (socket: Socket) => void socket.on('data', (heard) => socket.write(heard))],
    ['answers before it is asked', (socket: Socket) => void socket.end(JSON.stringify(reply))],
    ['hangs up', (socket: Socket) => void socket.destroy()],
  ])('who %s is nobody, and keeps nobody waiting', async (_, meet) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      meet(socket);
    }).listen(address);
    const resets = resetsAt({ address, secret: 'ours', patience: 100 });
    expect(await resets.isAnswered()).toBe(false);
    expect(await resets.ask()).toBe(undefined);
    server.close();
  });

  describe('the secret', () => {
    const path = () => join(above, 'headwater', 'pipe.key');
    const env = () => ({ APPDATA: above, XDG_CONFIG_HOME: above });

    test('is made once, for all processes of the user and for nobody else', async () => {
      const found = await Promise.all([pipeSecret(env()), pipeSecret(env()), pipeSecret(env())]);
      expect(found[0]).toMatch(/^[0-9a-f]{64}$/);
      expect(new Set(found)).toEqual(new Set([readFileSync(path(), 'utf8')]));
      if (process.platform !== 'win32') expect(statSync(path()).mode & 0o777).toBe(0o600);
      expect(readdirSync(dirname(path()))).toEqual(['pipe.key']);
    });

    test('is made again if it was never written to its end', async () => {
      mkdirSync(dirname(path()));
      writeFileSync(path(), 'ab12');
      const found = await pipeSecret(env());
      expect(found).toMatch(/^[0-9a-f]{64}$/);
      expect(await pipeSecret(env())).toBe(found);
    });

    test('is none where no file can be', async () => {
      writeFileSync(join(above, 'headwater'), '');
      expect(await pipeSecret(env())).toBe(undefined);
      expect(existsSync(path())).toBe(false);
    });
  });
});
