/**
 * Commands on Windows find the running service of a folder by a pipe. Any user may create a pipe of any name, so a pipe
 * alone is not trusted.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WindowsProcess, windowsPath } from '../support/windows/machine.ts';
import { openProject, type WindowsProject, windows } from '../support/windows/project.ts';

const nothingRuns = 'Neither headwater dev nor serve is running in this folder.';

let project: WindowsProject;
const running: WindowsProcess[] = [];

beforeEach(() => {
  project = openProject({ 'sync.yaml': 'config:\n  edition: 3\nstreams: {}\n' });
});
afterEach(async () => {
  for (const one of running) one.send({ kind: 'kill', signal: 'SIGKILL' });
  await Promise.all(running.splice(0).map(({ ended }) => ended));
  project.remove();
});

/** Returns the environment of a user whose settings are in a folder of that name. */
const asUser = (name: string) => ({ env: { APPDATA: windowsPath(project.path(name)) } });

/** Starts a process that takes the pipe of this folder, whatever its name, and prints the received data. */
async function takePipe(user: string): Promise<WindowsProcess> {
  const key = JSON.stringify(`${user}/headwater/pipe.key`);
  const script = `
    const crypto = require('node:crypto');
    const folder = fs.realpathSync.native('.');
    const names = [
      crypto.createHmac('sha256', fs.readFileSync(${key}, 'utf8')).update(folder).digest('hex'),
      crypto.createHash('sha256').update(folder).digest('hex').slice(0, 20),
    ];
    let waiting = names.length;
    for (const name of names)
      net.createServer((socket) => {
        socket.on('error', () => {}).on('data', (heard) => {
          console.log('heard ' + heard);
          socket.end('{"url":"http://127.0.0.1:9","token":"theirs"}\\n');
        });
      }).listen('\\\\\\\\.\\\\pipe\\\\headwater-' + name, () => --waiting === 0 && console.log('taken'));`;
  const taker = windows.start({ args: ['-e', script], cwd: windowsPath(project.folder) });
  running.push(taker);
  await taker.shows(/taken/);
  return taker;
}

test('a process that took the pipe of a folder first is not trusted, and is not asked to restart', async () => {
  expect((await project.headwater(['reset'], asUser('ada'))).err).toContain(nothingRuns);
  const taker = await takePipe('ada');
  const { code, err } = await project.headwater(['reset'], asUser('ada'));
  expect(code).toBe(2);
  expect(err).toContain(nothingRuns);
  expect(taker.out()).toContain('heard');
  expect(taker.out()).not.toContain('restart');
});

test('no token is sent to the address of an ended service, whichever process has its pipe', async () => {
  const heard: (string | undefined)[] = [];
  const other = createServer(({ headers }, response) => {
    heard.push(headers.authorization);
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  project.write('.headwater/running.json', JSON.stringify({ url, secrets: true }));
  project.write('.headwater/secrets.json', JSON.stringify({ token: 'secret', key: 'secret' }));
  await project.headwater(['reset'], asUser('ada'));
  await takePipe('ada');
  expect((await project.headwater(['status'], asUser('ada'))).code).toBe(2);
  expect(heard).toEqual([]);
  other.close();
});

test('a user cannot reset the service of another user', async () => {
  const service = project.start(['serve', '--port', '0'], asUser('ada'));
  running.push(service);
  await service.shows(/ready at/);
  expect((await project.headwater(['reset'], asUser('eve'))).err).toContain(nothingRuns);
  expect((await project.headwater(['reset', '--timeout', '1'], asUser('ada'))).err).toContain(
    'Restarting the service',
  );
  await service.shows(/ready at.*ready at/s);
});
