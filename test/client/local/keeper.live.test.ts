import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openApi } from '../../../client/api/api.ts';
import {
  isAlive,
  logName,
  readRecord,
  release,
  type ServiceRecord,
  urlOf,
  want,
} from '../../../client/local/record.ts';
import { localClientKey, signClientToken } from '../../../client/project/clientToken.ts';
import { localConfig } from '../../../client/project/localConfig.ts';
import { variables } from '../../../client/project/localNames.ts';
import { root } from '../../../scripts/root.ts';
import { untilTrue } from '../../support/house/eventually.ts';

const token = 'a-token-for-this-test-only';
const key = Buffer.from('a-key-for-this-test-only').toString('base64url');

let folder: string;
let keeper: ChildProcess;
let ended: Promise<unknown>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-keeper-'));
});

afterEach(async () => {
  release(folder);
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

function start(
  config = localConfig(undefined, {
    storage: join(folder, 'data'),
    port: 0,
    source: { kind: 'embedded', schema: [] },
  }),
  options: readonly string[] = [],
): void {
  want(folder);
  const program = (name: string) => join(root, 'dist', name);
  keeper = spawn(process.execPath, [program('keeper.js'), program('service.js'), folder, ...options], {
    cwd: folder,
    env: {
      ...process.env,
      POWERSYNC_CONFIG_B64: Buffer.from(config).toString('base64'),
      [variables.token]: token,
      [variables.key]: key,
    },
    stdio: 'ignore',
  });
  ended = once(keeper, 'exit');
}

async function until<State extends ServiceRecord['state']>(state: State) {
  for (let looks = 0; looks < 600; looks += 1) {
    const record = readRecord(folder);
    if (record?.state === state) return record as Extract<ServiceRecord, { state: State }>;
    await sleep(50);
  }
  throw new Error(`It does not become ${state}: ${JSON.stringify(readRecord(folder))}`);
}

describe('The keeper', () => {
  test('runs a service that accepts only our tokens, logs its output, and stops it when no window needs it', async () => {
    start();
    const record = await until('ready');
    const { keeper: pid } = record;
    const url = urlOf(record);
    expect(isAlive(pid)).toBe(true);
    const api = openApi({ url, token });
    expect(await api.acceptsToken()).toBe(true);
    const stranger = openApi({ url, token: 'of-someone-else' });
    expect(await stranger.acceptsToken()).toBe(false);
    await stranger.close();
    expect((await api.diagnose()).active).toBeUndefined();
    const slot = await api.deploy('config:\n  edition: 3\nstreams:\n  a:\n    query: SELECT id FROM a\n');
    expect(slot).not.toBe('');
    const answer = await fetch(`${url}/sync/stream`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${signClientToken({ sub: 'me' }, localClientKey(key), Date.now()).token}`,
        'content-type': 'application/json',
      },
      body: '{}',
    });
    expect(answer.status).not.toBe(401);
    await answer.body?.cancel();
    await api.close();
    release(folder);
    await ended;
    expect(readRecord(folder)).toEqual({ state: 'ended', sentence: 'The local service ended.' });
    const log = readFileSync(join(folder, logName), 'utf8');
    expect(log).toContain('The service is ready');
    for (const secret of [token, key]) expect(log).not.toContain(secret);
  });

  test.runIf(process.platform === 'linux')(
    'starts the service with the variables that save memory',
    async () => {
      start();
      await until('ready');
      const children = readFileSync(`/proc/${keeper.pid}/task/${keeper.pid}/children`, 'utf8')
        .trim()
        .split(' ');
      const variablesOf = (pid: string) => readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
      expect(children.map(variablesOf)).toContainEqual(expect.arrayContaining(['MALLOC_ARENA_MAX=2']));
    },
  );

  test('starts the service on another port if the proposed port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    start(undefined, ['--port', `${port}+`, '--database-port', `${port}+`]);
    expect((await until('ready')).port).not.toBe(port);
    other.close();
  });

  test('stops the service when the keeper is killed', async () => {
    start();
    await until('ready');
    // The service removes this file when it ends cleanly.
    const owner = join(folder, 'data', 'owner.pid');
    expect(existsSync(owner)).toBe(true);
    keeper.kill('SIGKILL');
    await untilTrue(() => !existsSync(owner));
  });

  test('reports why the service does not start', async () => {
    start('port: nowhere');
    const { sentence } = await until('ended');
    expect(sentence).toMatch(/^The local service ended with code \d+\.\n.*`?port`?/s);
  });
});
