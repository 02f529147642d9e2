/** `npm start` as a process: what a newcomer sees first. */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { root } from '../../scripts/root.ts';
import { type RunningProcess, startProcess, until } from '../support/runningProcess.ts';

/** The first run installs VS Code; in milliseconds. */
const installation = 400_000;

interface Start extends RunningProcess {
  /** Where it keeps all that is temporary. */
  readonly temporary: string;
}

function start(env: Readonly<Record<string, string>> = {}): Start {
  const temporary = mkdtempSync(join(tmpdir(), 'headwater-start-test-'));
  const args = [join(root, 'scripts/bootstrap.mjs'), 'start', '--no-open', '--built'];
  const options = { cwd: root, env: { ...process.env, TMPDIR: temporary, ...env } };
  const running = startProcess(process.execPath, args, options);
  onTestFinished(async () => {
    running.child.kill('SIGTERM');
    await running.ended;
    rmSync(temporary, { recursive: true });
  });
  return { ...running, temporary };
}

/** Every address on the screen. */
function portsIn(text: string): readonly number[] {
  return [...new Set([...text.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port)))];
}

/** npm keeps a cache there. */
function leftIn({ temporary }: Start): readonly string[] {
  return readdirSync(temporary).filter((name) => name !== 'node-compile-cache');
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const opened = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return opened;
}

test('rows arrive, also those that are typed; VS Code opens; Ctrl-C leaves nothing', async () => {
  const running = start();
  await until(running, () => running.out().includes('client   + [ ] Olives'));
  running.child.stdin?.write('Pickled herring\n');
  await until(running, () => running.out().includes('client   + [ ] Pickled herring'));
  await vi.waitUntil(() => running.out().includes('Ctrl-C ends it.'), { timeout: installation });
  const url = /^ready (.*)$/m.exec(running.out())?.[1] ?? '';
  expect((await fetch(url)).status).toBe(200);
  const ports = portsIn(running.out());
  expect(ports).toHaveLength(3);
  running.child.kill('SIGINT');
  expect(await running.ended).toBe(130);
  expect(await Promise.all(ports.map(isOpen))).toEqual([false, false, false]);
  expect(leftIn(running)).toEqual([]);
  expect(running.err()).toBe('');
}, 500_000);

test('it goes on without VS Code where that cannot be had, and SIGTERM leaves nothing', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'headwater-no-cache-'));
  onTestFinished(() => rmSync(cache, { recursive: true }));
  const nobody = 'http://127.0.0.1:9';
  const running = start({ HEADWATER_CACHE: cache, npm_config_registry: nobody, PATH: '/usr/bin:/bin' });
  await until(running, () => running.out().includes('Ctrl-C ends it.'));
  expect(running.out()).toMatch(/Workbench {2}not opened: code-server \S+ could not be installed/);
  running.child.stdin?.write('Still here\n');
  await until(running, () => running.out().includes('client   + [ ] Still here'));
  running.child.kill('SIGTERM');
  expect(await running.ended).toBe(143);
  expect(leftIn(running)).toEqual([]);
}, 120_000);
