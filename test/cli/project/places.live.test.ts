/** Repositories whose service config, links or `.env` lead out of them, run as their user would: real processes, on a real disk. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { root } from '../../../scripts/root.ts';
import { type RunningProcess, startProcess, until } from '../../support/processes/runningProcess.ts';

let folder = '';
const started: RunningProcess[] = [];

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'headwater-places-')));
  for (const name of ['home', 'victim', 'app/.git']) mkdirSync(join(folder, name), { recursive: true });
  write('app/sync.yaml', 'config: { edition: 3 }\nstreams: { x: { query: SELECT id FROM t } }\n');
  write('app/schema.sql', 'create table t (id uuid primary key);');
});

afterEach(async () => {
  for (const { child } of started) child.kill('SIGTERM');
  await Promise.all(started.splice(0).map(({ ended }) => ended));
  rmSync(folder, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

function config(storage: string, schema = 'schema.sql'): string {
  return `port: 0
replication: { connections: [{ type: embedded, schema: ${schema} }] }
storage: { type: embedded, path: ${storage} }
api: { tokens: [one] }
client_auth: { audience: [a], jwks: { keys: [{ kty: oct, alg: HS256, kid: k, k: c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0MDE }] } }
healthcheck: { probes: { use_http: true } }
`;
}

function headwater(...args: readonly string[]): RunningProcess {
  const running = startProcess(process.execPath, [join(root, 'dist/cli.js'), ...args], {
    cwd: join(folder, 'app'),
    env: { PATH: process.env.PATH ?? '', HOME: join(folder, 'home') },
  });
  started.push(running);
  return running;
}

const victim = (): readonly string[] => readdirSync(join(folder, 'victim'));

describe.each(['dev', 'serve'])('headwater %s refuses', (command) => {
  test.each<[string, () => void, string]>([
    ['a path above', () => write('app/service.yaml', config('../victim')), 'service.yaml:3:34'],
    [
      'an absolute path',
      () => write('app/service.yaml', config(join(folder, 'victim'))),
      'service.yaml:3:34',
    ],
    [
      'a link in the place of the data',
      () => {
        write('app/service.yaml', config('data'));
        symlinkSync('../victim', join(folder, 'app/data'));
      },
      'service.yaml:3:34',
    ],
    [
      'a link in the data',
      () => {
        write('app/service.yaml', config('data'));
        mkdirSync(join(folder, 'app/data'));
        symlinkSync('../../victim', join(folder, 'app/data/source'));
      },
      'contains the link source',
    ],
    [
      'a value of its .env',
      () => {
        write('app/service.yaml', config('!env PS_PLACE'));
        write('app/.env', 'PS_PLACE=../victim\n');
      },
      'service.yaml:3:39',
    ],
    [
      'scripts above',
      () => {
        write('victim.sql', 'create table v (id uuid primary key);');
        write('app/service.yaml', config('data', '../victim.sql'));
      },
      'service.yaml:2:56',
    ],
  ])('%s', async (_, prepare, place) => {
    prepare();
    const running = headwater(command);
    expect(await running.ended).toBe(150);
    expect(running.err()).toContain('SVC_S1111');
    expect(running.err()).toContain(place);
    expect(victim()).toEqual([]);
  });
});

test('A place that is allowed once stays allowed to this project', async () => {
  write('app/service.yaml', config('../victim'));
  const first = headwater('serve', '--allow', '../victim');
  await until(first, () => first.out().includes('ready at'));
  first.child.kill('SIGTERM');
  await first.ended;
  expect(victim()).not.toEqual([]);
  const grants = readFileSync(join(folder, 'home/.config/headwater/trust.json'), 'utf8');
  expect(JSON.parse(grants)).toEqual([{ folder: join(folder, 'app'), place: join(folder, 'victim') }]);
  const second = headwater('serve');
  await until(second, () => second.out().includes('ready at'));
});

test('Files of probes follow no link', async () => {
  write('app/service.yaml', config('data').replace(/healthcheck.*\n/, ''));
  write('victim/precious', 'mine');
  mkdirSync(join(folder, 'app/.probes'));
  symlinkSync('../../victim/precious', join(folder, 'app/.probes/poll'));
  const running = headwater('serve');
  expect(await running.ended).toBe(150);
  expect(running.err()).toContain('The folder .probes');
  expect(readFileSync(join(folder, 'victim/precious'), 'utf8')).toBe('mine');
});

test('An .env leads to no service config of another project', async () => {
  write('victim/service.yaml', config('data'));
  write('app/.env', 'POWERSYNC_CONFIG_PATH=../victim/service.yaml\n');
  for (const command of ['dev', 'serve', 'status']) {
    const running = headwater(command);
    expect(await running.ended).toBe(2);
    expect(running.err()).toContain('is outside of this project');
  }
  expect(victim()).toEqual(['service.yaml']);
});

test('What the command line keeps follows no link', async () => {
  symlinkSync('../victim', join(folder, 'app/.headwater'));
  const running = headwater('dev');
  expect(await running.ended).toBe(2);
  expect(running.err()).toContain('.headwater points outside of this project');
  expect(victim()).toEqual([]);
});

test('A service that a container starts may use any place', async () => {
  write('app/service.yaml', config('../victim'));
  const running = startProcess(process.execPath, [join(root, 'dist/service.js'), 'start'], {
    cwd: join(folder, 'app'),
    env: { PATH: process.env.PATH ?? '' },
  });
  started.push(running);
  await until(running, () => running.out().includes('"ready":true'));
  expect(victim()).not.toEqual([]);
});
