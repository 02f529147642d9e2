/** The local service of the extension on Windows, where its keeper learns about windows from files and has no signals. */
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRecord, type ServiceRecord } from '../../client/local/record.ts';
import { localConfig } from '../../client/project/localConfig.ts';
import { variables } from '../../client/project/localNames.ts';
import { type WindowsProcess, windowsPath } from '../support/windows/machine.ts';
import { openProject, program, type WindowsProject, windows } from '../support/windows/project.ts';

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

function keep(config = usual()): WindowsProcess {
  project.write('wanted', '');
  const folder = windowsPath(project.folder);
  const keeper = windows.start({
    args: [program('keeper.js'), program('service.js'), folder],
    cwd: folder,
    env: {
      POWERSYNC_CONFIG_B64: Buffer.from(config).toString('base64'),
      [variables.token]: 'a-token-for-this-test-only',
      [variables.key]: Buffer.from('a-key-for-this-test-only').toString('base64url'),
    },
  });
  running.push(keeper);
  return keeper;
}

function usual(): string {
  const storage = windowsPath(project.path('data'));
  return localConfig(undefined, { storage, port: 0, source: { kind: 'embedded', schema: [] } });
}

async function until<State extends ServiceRecord['state']>(state: State) {
  await expect.poll(() => readRecord(project.folder)?.state).toBe(state);
  return readRecord(project.folder) as Extract<ServiceRecord, { state: State }>;
}

const isAlive = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/probes/liveness`).then(
    ({ status }) => status === 200,
    () => false,
  );

test('runs the service while a window needs it, and then stops it cleanly', async () => {
  const keeper = keep();
  const { port, keeper: pid } = await until('ready');
  expect(pid).toBe(await keeper.pid);
  expect(await isAlive(port)).toBe(true);
  rmSync(project.path('wanted'));
  expect(await until('ended')).toEqual({ state: 'ended', sentence: 'The local service ended.' });
  expect((await keeper.ended).code).toBe(0);
  expect(await isAlive(port)).toBe(false);
  expect(project.read('service.log')).toContain('The service is stopping');
});

test('keeps running while windows need it', async () => {
  keep();
  const { port } = await until('ready');
  for (let second = 0; second < 3; second += 1) {
    const now = new Date(Date.now() + second * 1000);
    utimesSync(project.path('wanted'), now, now);
    await new Promise((resolve) => setTimeout(resolve, 600));
  }
  expect(await isAlive(port)).toBe(true);
});

test('stops the service when it is killed', async () => {
  const keeper = keep();
  const { port } = await until('ready');
  keeper.send({ kind: 'kill', signal: 'SIGKILL' });
  await keeper.ended;
  await expect.poll(() => isAlive(port)).toBe(false);
});

test('reports why the service cannot start', async () => {
  keep('replication: [');
  const { sentence } = await until('ended');
  expect(sentence).toMatch(/^The local service ended with code 150\.\n\S/);
});

test('starts a new log, and keeps the previous one', async () => {
  project.write('service.log', 'earlier');
  keep('replication: [');
  await until('ended');
  expect(project.read('service.log.old')).toBe('earlier');
});

test('stops the service if no window needs it from the beginning', async () => {
  const keeper = keep();
  rmSync(project.path('wanted'));
  await until('ended');
  expect((await keeper.ended).code).toBe(0);
});

test('writes its record although another program holds the previous one', async () => {
  writeFileSync(project.path('service.json'), '{}');
  const holder = await project.hold('service.json', 'service.json.new');
  running.push(holder);
  keep();
  await until('ready');
  expect(readdirSync(project.folder)).not.toContain('service.json.new');
  expect(existsSync(project.path('service.log'))).toBe(true);
});
