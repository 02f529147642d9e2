/** Runs `npm start`, which a newcomer sees first, as a process. */
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApi } from '../../client/api/api.ts';
import { readRecord, urlOf } from '../../client/local/record.ts';
import { root } from '../../scripts/root.ts';
import { type RunningProcess, startProcess, until } from '../support/processes/runningProcess.ts';

/**
 * The time limits in seconds: until the first rows arrive, and until everything is ready if VS Code has to be installed
 * first.
 */
const seconds = { rows: 100, all: 400 };

interface Start extends RunningProcess {
  /** The folder of its temporary files. */
  readonly temporary: string;
}

function start(options: readonly string[], env: Readonly<Record<string, string>> = {}): Start {
  const temporary = mkdtempSync(join(tmpdir(), 'headwater-start-test-'));
  const args = [join(root, 'scripts/bootstrap.mjs'), 'start', '--built', ...options];
  const where = { cwd: root, env: { ...process.env, TMPDIR: temporary, ...env } };
  const running = startProcess(process.execPath, args, where);
  onTestFinished(async () => {
    running.child.kill('SIGTERM');
    await running.ended;
    rmSync(temporary, { recursive: true });
  });
  return { ...running, temporary };
}

/** Returns the ports of all printed addresses. */
function portsIn(text: string): readonly number[] {
  return [...new Set([...text.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port)))];
}

/** Returns the temporary files that are left, apart from a cache that npm keeps there. */
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

test('rows arrive, including typed ones; VS Code opens; Ctrl-C leaves nothing behind', async () => {
  const running = start(['--no-open']);
  await until(running, () => running.out().includes('client   + [ ] Olives'), seconds.rows);
  running.child.stdin?.write('Pickled herring\n');
  await until(running, () => running.out().includes('client   + [ ] Pickled herring'));
  await until(running, () => running.out().includes('Ctrl-C ends it.'), seconds.all);
  const url = /^ready (.*)$/m.exec(running.out())?.[1] ?? '';
  expect((await fetch(url)).status).toBe(200);
  const ports = portsIn(running.out());
  expect(ports).toHaveLength(3);
  running.child.kill('SIGINT');
  expect(await running.ended).toBe(130);
  expect(await Promise.all(ports.map(isOpen))).toEqual([false, false, false]);
  expect(leftIn(running)).toEqual([]);
  expect(running.err()).toBe('');
});

test('npm start continues if VS Code cannot be installed, and SIGTERM leaves nothing behind', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'headwater-no-cache-'));
  onTestFinished(() => rmSync(cache, { recursive: true }));
  const nobody = 'http://127.0.0.1:9';
  const running = start(['--no-open'], { HEADWATER_CACHE: cache, npm_config_registry: nobody });
  await until(running, () => running.out().includes('Ctrl-C ends it.'), seconds.rows);
  expect(running.out()).toMatch(/Workbench {2}not opened: code-server \S+ could not be installed/);
  running.child.stdin?.write('Still here\n');
  await until(running, () => running.out().includes('client   + [ ] Still here'));
  running.child.kill('SIGTERM');
  expect(await running.ended).toBe(143);
  expect(leftIn(running)).toEqual([]);
});

/** A program in place of VS Code: it writes down how it was called, and runs until its window is closed. */
const code = `#!/bin/sh
here=$(dirname "$0")
case "$*" in *--install-extension*) exit 0;; esac
echo "$PS_LOCAL_TOKEN" > "$here/token"
echo "$*" > "$here/opened"
cp "$2/User/settings.json" "$here"
while [ ! -e "$here/closed" ]; do sleep 0.1; done
`;

test.skipIf(process.platform === 'win32')(
  'a desktop VS Code gets the folder and the service, and closing its window ends everything',
  async () => {
    const bin = mkdtempSync(join(tmpdir(), 'headwater-code-'));
    onTestFinished(() => rmSync(bin, { recursive: true }));
    writeFileSync(join(bin, 'code'), code, { mode: 0o755 });
    const running = start([], { PATH: `${bin}:${process.env.PATH}` });
    await until(running, () => existsSync(join(bin, 'settings.json')), seconds.rows);
    const read = (name: string): string => readFileSync(join(bin, name), 'utf8').trim();
    expect(read('opened')).toContain(join(root, 'examples/todo/sync.yaml'));
    const { 'headwater.local.dataDirectory': data } = JSON.parse(read('settings.json'));
    const record = readRecord(data);
    const url = record?.state === 'ready' ? urlOf(record) : '';
    const api = openApi({ url, token: read('token') });
    expect(await api.acceptsToken()).toBe(true);
    await api.close();
    writeFileSync(join(bin, 'closed'), '');
    expect(await running.ended).toBe(0);
    expect(leftIn(running)).toEqual([]);
  },
);
