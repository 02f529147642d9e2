/** Runs `npm start` on Windows: the service with its own database, its client, and the end of both. */
import { copyFileSync, linkSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { root } from '../../scripts/root.ts';
import { isWindows, type WindowsProcess, windowsPath } from '../support/windows/machine.ts';
import { openProject, type WindowsProject, windows } from '../support/windows/project.ts';

let project: WindowsProject;
const running: WindowsProcess[] = [];

beforeEach(() => {
  project = openProject();
});
afterEach(async () => {
  for (const one of running) one.send({ kind: 'kill', signal: 'SIGKILL' });
  await Promise.all(running.splice(0).map(({ ended }) => ended));
  project.remove();
});

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

function temporaryIn(name: string) {
  const folder = windowsPath(project.path(name));
  return { TMP: folder, TEMP: folder };
}

/** Returns the temporary files that are left, apart from the compile cache of Node. */
const leftIn = (name: string): readonly string[] =>
  readdirSync(project.path(name)).filter((each) => each !== 'node-compile-cache');

/** Starts everything without VS Code, which cannot be installed here. */
function start(): WindowsProcess {
  for (const folder of ['tmp', 'cache', 'no programs']) mkdirSync(project.path(folder));
  const started = windows.start({
    args: [windowsPath(join(root, 'scripts/start.ts')), '--built', '--no-open'],
    cwd: windowsPath(root),
    env: {
      ...temporaryIn('tmp'),
      HEADWATER_CACHE: windowsPath(project.path('cache')),
      npm_config_registry: 'http://127.0.0.1:9',
      PATH: windowsPath(project.path('no programs')),
    },
  });
  running.push(started);
  return started;
}

test('rows arrive, including typed ones; Ctrl-C ends everything, and leaves nothing behind', async () => {
  const started = start();
  // The lines are awaited one after another, because the whole start takes a while.
  await started.shows(/^Starting the service/m);
  await started.shows(/^client {3}\+ \[ \] Olives/m);
  started.send({ kind: 'input', text: 'Pickled herring\r\n' });
  await started.shows(/^client {3}\+ \[ \] Pickled herring$/m);
  await started.shows(/Ctrl-C ends it\./);
  expect(started.out()).toMatch(/Workbench {2}not opened: \S/);
  const [, url = ''] = await started.shows(/Service {4}(http:\S+)/);
  await expect.poll(async () => (await fetch(`${url}/probes/readiness`)).status).toBe(200);
  const ports = [
    ...new Set([...started.out().matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port))),
  ];
  expect(ports).toHaveLength(2);
  expect(await Promise.all(ports.map(isOpen))).toEqual([true, true]);
  started.send({ kind: 'press', key: 'Ctrl-C' });
  expect(await started.ended).toMatchObject({ code: 130, err: '' });
  expect(await Promise.all(ports.map(isOpen))).toEqual([false, false]);
  expect(leftIn('tmp')).toEqual([]);
});

test.each([
  ['Ctrl-C', 130],
  ['Ctrl-Break', 149],
] as const)('a script cleans up after %s', async (key, end) => {
  const module = `file:///${windowsPath(join(root, 'scripts/rigs/temporary.ts')).replaceAll('\\', '/')}`;
  const script = `const { temporaryFolder } = await import(${JSON.stringify(module)});
    temporaryFolder('x');
    console.log('begun');
    setInterval(() => {}, 1000);`;
  mkdirSync(project.path('tmp'));
  const started = windows.start({ args: ['--input-type=module', '-e', script], env: temporaryIn('tmp') });
  running.push(started);
  await started.shows(/begun/);
  expect(leftIn('tmp')).toHaveLength(1);
  started.send({ kind: 'press', key });
  expect((await started.ended).code).toBe(end);
  expect(leftIn('tmp')).toEqual([]);
});

test('a script that npm runs has time to clean up after Ctrl-C, which both receive', async () => {
  const node = (await windows.run({ args: ['-p', 'process.execPath'] })).out.trim();
  for (const path of ['package-lock.json', 'node_modules/.package-lock.json'])
    project.write(path, '{"packages":{}}');
  project.write('scripts/generate.ts', '');
  project.write(
    'scripts/x.ts',
    `process.on('SIGINT', () => setTimeout(() => process.exit(7), 500));
     setInterval(() => {}, 1000);
     console.log('begun ' + process.pid);`,
  );
  copyFileSync(join(root, 'scripts/bootstrap.mjs'), project.path('scripts/bootstrap.mjs'));
  const pinned = project.path('node_modules/node/bin/node.exe');
  mkdirSync(dirname(pinned), { recursive: true });
  if (isWindows) linkSync(node, pinned);
  else symlinkSync(node.replace(/^Z:/i, '').replaceAll('\\', '/'), pinned);
  const started = windows.start({ args: [windowsPath(project.path('scripts/bootstrap.mjs')), 'x'] });
  running.push(started);
  const [, pid] = await started.shows(/begun (\d+)/);
  started.send({ kind: 'press', key: 'Ctrl-C' });
  started.send({ kind: 'press', key: 'Ctrl-C', pid: Number(pid) });
  expect((await started.ended).code).toBe(7);
});
