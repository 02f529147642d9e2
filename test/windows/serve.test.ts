/** Runs `headwater serve` and the service itself on Windows: how they start, stop and share a machine. */

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type WindowsProcess, windowsPath } from '../support/windows/machine.ts';
import {
  driveOf,
  hasAliases,
  openProject,
  program,
  type WindowsProject,
  windows,
} from '../support/windows/project.ts';

let project: WindowsProject;
const running: WindowsProcess[] = [];

beforeEach(() => {
  project = openProject();
});

afterEach(async () => {
  // This includes processes that a failed test has left.
  for (const one of running) one.send({ kind: 'kill', signal: 'SIGKILL' });
  await Promise.all(running.splice(0).map(({ ended }) => ended));
  project.remove();
});

function serve(args: readonly string[] = [], more: { readonly cwd?: string } = {}): WindowsProcess {
  const started = project.start(['serve', '--port', '0', ...args], more);
  running.push(started);
  return started;
}

async function urlOf(service: WindowsProcess): Promise<string> {
  return (await service.shows(/ready at (http:\S+)/))[1] ?? '';
}

const isAlive = (url: string): Promise<boolean> =>
  fetch(`${url}/probes/liveness`).then(
    ({ status }) => status === 200,
    () => false,
  );

const untilGone = (url: string): Promise<void> => expect.poll(() => isAlive(url)).toBe(false);

/** Listens on a port of this machine, which is the same on Windows. */
async function take(port = 0): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as { readonly port: number }).port };
}

const configOf = (path: string): string =>
  `replication:\n  connections:\n    - type: embedded\nstorage:\n  type: embedded\n  path: ${path}\n`;

describe('headwater serve', () => {
  test('runs without a config, with its data in the folder', async () => {
    const url = await urlOf(serve());
    expect(await isAlive(url)).toBe(true);
    expect(existsSync(project.path('.headwater'))).toBe(true);
  });

  test('prints one line of JSON when it is ready', async () => {
    const service = serve(['--json']);
    const [line] = await service.shows(/^\{.*\}$/m);
    const told = JSON.parse(line) as { readonly ready: boolean; readonly url: string };
    expect(told.ready).toBe(true);
    expect(await isAlive(told.url)).toBe(true);
  });

  test('does not share its data with another service, however the folder is spelled', async () => {
    await urlOf(serve());
    const [drive = '', ...names] = windowsPath(project.folder).split('\\');
    const alias = hasAliases ? driveOf(project) : undefined;
    onTestFinished(() => alias?.goAway());
    for (const cwd of [
      windowsPath(project.folder),
      ...(alias === undefined ? [] : [`${alias.path}\\`]),
      [
        drive.toLowerCase(),
        ...names.map((name, index) => (index < names.length - 1 ? name : name.toLowerCase())),
      ].join('\\'),
    ]) {
      const { code, err } = await serve([], { cwd }).ended;
      expect(`${code} ${err}`).toMatch(/^150 .*\.headwater is in use by process \d+\./s);
    }
  });

  test.each(['Ctrl-C', 'Ctrl-Break'] as const)('stops cleanly on %s', async (key) => {
    const service = serve();
    const url = await urlOf(service);
    service.send({ kind: 'press', key });
    const { code, err } = await service.ended;
    expect(`${code} ${err}`).toMatch(/^0 .*The service is stopping/s);
    expect(await isAlive(url)).toBe(false);
  });

  test('stops when the process that started it is killed, and releases the folder', async () => {
    const service = serve();
    const url = await urlOf(service);
    service.send({ kind: 'kill', signal: 'SIGKILL' });
    await service.ended;
    await untilGone(url);
    expect(await isAlive(await urlOf(serve()))).toBe(true);
  });

  test('names the port that another program uses', async () => {
    const { server, port } = await take();
    const service = project.start(['serve', '--port', String(port)]);
    running.push(service);
    const { code, err } = await service.ended;
    server.close();
    expect(`${code} ${err}`).toMatch(
      new RegExp(`^150 .*Port ${port} on \\S+ is taken by another program`, 's'),
    );
  });

  test('can keep its data under a path of more than 260 characters', async () => {
    const deep = Array.from({ length: 12 }, (_, index) => `folder number ${index} of a long path`).join('\\');
    project.write('service.yaml', configOf(deep));
    const service = serve();
    await urlOf(service);
    expect(existsSync(project.path(`${deep.replaceAll('\\', '/')}/lock.sqlite`))).toBe(true);
    service.send({ kind: 'press', key: 'Ctrl-C' });
    expect((await service.ended).code).toBe(0);
  });

  test('reports that a file cannot be the folder for its data', async () => {
    project.write('file', '');
    project.write('service.yaml', configOf('file'));
    const { code, err } = await serve().ended;
    expect(`${code} ${err}`).toMatch(/^150 .*file/s);
    expect(err).not.toContain('    at ');
  });

  test('is restarted by reset from the folder in different letter case', async () => {
    project.write('sync.yaml', 'config:\n  edition: 3\nstreams: {}\n');
    const service = serve();
    await urlOf(service);
    const asked = await project.headwater(['reset', '--timeout', '1'], {
      cwd: windowsPath(project.folder).replace(/[^\\]+$/, (name) => name.toUpperCase()),
    });
    expect(asked.err).toContain('Restarting the service');
    await service.shows(/ready at.*ready at/s);
  });
});

describe('the service itself', () => {
  beforeEach(() => project.write('service.yaml', ''));

  function start(channel: boolean): WindowsProcess {
    const service = windows.start({
      args: [program('service.js'), 'start', '--port', '0'],
      cwd: windowsPath(project.folder),
      channel,
    });
    running.push(service);
    return service;
  }
  const readyUrl = async (service: WindowsProcess): Promise<string> =>
    (JSON.parse((await service.shows(/^\{"ready":true.*\}$/m))[0]) as { readonly url: string }).url;

  test.each(['Ctrl-C', 'Ctrl-Break'] as const)('stops cleanly on %s', async (key) => {
    const service = start(false);
    const url = await readyUrl(service);
    service.send({ kind: 'press', key });
    const { code, err } = await service.ended;
    expect(`${code} ${err}`).toMatch(/^0 .*The service is stopping/s);
    expect(await isAlive(url)).toBe(false);
  });

  test('stops cleanly when its channel closes', async () => {
    const service = start(true);
    await readyUrl(service);
    service.send({ kind: 'disconnect' });
    const { code, err } = await service.ended;
    expect(`${code} ${err}`).toMatch(/^0 .*The service is stopping/s);
  });

  test('uses its data again after it was killed', async () => {
    const service = start(false);
    await readyUrl(service);
    service.send({ kind: 'kill', signal: 'SIGKILL' });
    await service.ended;
    expect(await isAlive(await readyUrl(start(false)))).toBe(true);
  });
});
