import { describe, expect, test } from 'vitest';
import { ApiFailure } from '../../client/api/failure.ts';
import { headwater, type Surroundings } from '../support/cli/cliWorld.ts';

/** Returns the service that is asked, with its token, or the sentence that is printed instead. */
async function asks(args: readonly string[], around: Surroundings): Promise<string | undefined> {
  const api = { diagnose: async () => ({ at: 0, sources: [] }) };
  const { err } = await headwater(['status', ...args], { api, ...around });
  return err.find((line) => line.startsWith('asks ')) ?? err[0];
}

const link = 'type: self-hosted\napi_url: http://127.0.0.1:1\napi_key: !env PS_KEY\n';
const local = 'port: 9000\napi:\n  tokens: [local]\n';
const env = { PS_KEY: 'key' };
const never = () => Promise.reject(new Error('nobody asks'));

describe('the address is that of', () => {
  const files = { 'cli.yaml': link, 'service.yaml': local };

  test.each([
    [
      'the option',
      ['--service', 'http://flag:1'],
      { API_URL: 'http://env:1' },
      'http://flag:1 with no token',
    ],
    [
      'the option, as the official one calls it',
      ['--api-url=http://flag:1'],
      {},
      'http://flag:1 with no token',
    ],
    ['cli.yaml', [], { API_URL: 'http://env:1' }, 'http://127.0.0.1:1 with key'],
  ])('%s', async (_, args, more, expected) => {
    expect(await asks(args, { files, env: { ...env, ...more } })).toBe(`asks ${expected}`);
  });

  test('the variable', async () => {
    expect(await asks([], { files: { 'service.yaml': local }, env: { API_URL: 'http://env:1' } })).toBe(
      'asks http://env:1 with no token',
    );
  });

  test('the variable of our own, before the one that others use, too', async () => {
    const variables = { API_URL: 'http://env:1', POWERSYNC_URL: 'http://env:2' };
    expect(await asks([], { env: variables })).toBe('asks http://env:2 with no token');
  });

  test('the service of this folder', async () => {
    expect(await asks([], { files: { 'service.yaml': local } })).toBe(
      'asks http://127.0.0.1:9000 with local',
    );
  });

  test.each([
    ['a file', { POWERSYNC_CONFIG_PATH: '/config/service.yaml' }],
    ['a text', { POWERSYNC_CONFIG_B64: Buffer.from(local).toString('base64') }],
  ])('the service whose config is %s that the environment names', async (_, variables) => {
    const files = { '/config/service.yaml': local, 'service.yaml': 'port: 1' };
    expect(await asks([], { files, env: variables })).toBe('asks http://127.0.0.1:9000 with local');
  });

  test('a project in another folder', async () => {
    const files = { 'app/service.yaml': local, 'service.yaml': 'port: 1' };
    expect(await asks(['--directory', 'app'], { files })).toBe('asks http://127.0.0.1:9000 with local');
    expect(await asks(['--directory', 'other'], { files })).toBe('There is no folder other.');
  });

  test('nobody, where cli.yaml cannot be read, which is said with the place', async () => {
    expect(await asks([], { files: { 'cli.yaml': 'type: self-hosted\napi_url: [1\n' } })).toMatch(
      /^cli\.yaml:2:10 .+\.$/,
    );
  });

  test('nobody, and it is said what to do', async () => {
    expect(await asks([], {})).toBe(
      'No service specified. Use --service URL, write api_url in powersync/cli.yaml, or set the variable POWERSYNC_URL.',
    );
  });
});

describe('the token', () => {
  test('of PS_ADMIN_TOKEN wins', async () => {
    const around = { files: { 'cli.yaml': link }, env: { ...env, PS_ADMIN_TOKEN: 'admin' } };
    expect(await asks([], around)).toBe('asks http://127.0.0.1:1 with admin');
  });

  test('in cli.yaml goes to its own service only', async () => {
    const around = { files: { 'cli.yaml': link }, env };
    expect(await asks(['--service', 'http://127.0.0.1:1/'], around)).toBe(
      'asks http://127.0.0.1:1/ with key',
    );
    expect(await asks(['--service', 'http://127.0.0.1:2'], around)).toBe(
      'asks http://127.0.0.1:2 with no token',
    );
  });

  test('of this folder goes to this machine only', async () => {
    const around = { files: { 'service.yaml': local } };
    expect(await asks(['--service', 'http://localhost:9000'], around)).toBe(
      'asks http://localhost:9000 with local',
    );
    expect(await asks(['--service', 'http://elsewhere:9000'], around)).toBe(
      'asks http://elsewhere:9000 with no token',
    );
  });

  test('that is not set is said by the name of its variable', async () => {
    expect(await asks([], { files: { 'cli.yaml': link } })).toBe(
      'cli.yaml takes `api_key` from the variable PS_KEY, which is not set.',
    );
  });
});

describe('a project is found', () => {
  const several = { 'a/cli.yaml': link, 'b/cli.yaml': link.replace(':1', ':2') };

  test('in a folder by itself', async () => {
    expect(await asks([], { files: { 'a/cli.yaml': link }, env })).toBe('asks http://127.0.0.1:1 with key');
  });

  test('by its name where there are several', async () => {
    expect(await asks([], { files: several, env })).toBe(
      'There are several projects here. Choose one: --directory a, --directory b.',
    );
    expect(await asks(['--directory', 'b'], { files: several, env })).toBe(
      'asks http://127.0.0.1:2 with key',
    );
  });

  test('not in the cloud', async () => {
    const files = { 'cli.yaml': 'type: cloud\n' };
    expect(await asks([], { files, env: { POWERSYNC_URL: 'http://env:1' } })).toMatch(/cloud project/);
  });

  test('but one of the user beside a link of the cloud', async () => {
    const files = {
      'powersync/cli.yaml': 'type: cloud\n',
      '.headwater/running.json': JSON.stringify({ url: 'http://127.0.0.1:4' }),
    };
    const resets = { isAnswered: async () => true, answer: never, ask: never };
    expect(await asks(['--service', 'http://flag:1'], { files })).toBe('asks http://flag:1 with no token');
    expect(await asks([], { files })).toMatch(/headwater dev, or use --service/);
    expect(await asks([], { files, world: { resets } })).toBe('asks http://127.0.0.1:4 with no token');
    expect(await asks(['--directory', 'powersync'], { files, world: { resets } })).toMatch(/cloud project/);
  });
});

test('a service that is starting is not asked: the command reports for how long', async () => {
  const now = 1_000_000;
  const resets = { isAnswered: async () => true, answer: never, ask: never };
  const files = {
    'service.yaml': local,
    '.headwater/running.json': JSON.stringify({ port: 4, startedAt: now - 12_000 }),
  };
  const world = { resets, now: () => now };
  expect(await asks([], { files, world })).toMatch(/is starting the service \(12 s so far\)/);
  expect(await asks(['--service', 'http://flag:1'], { files, world })).toBe(
    'asks http://flag:1 with no token',
  );
  // A process that was killed while it was starting.
  const dead = { ...resets, isAnswered: async () => false };
  expect(await asks([], { files, world: { ...world, resets: dead } })).toBe(
    'asks http://127.0.0.1:9000 with local',
  );
});

test('a probe needs no token, though a file names one', async () => {
  const fetched: string[] = [];
  const fetch = async (url: Parameters<typeof globalThis.fetch>[0]) => {
    fetched.push(String(url));
    return Response.json({ ready: true, started: true });
  };
  const { code } = await headwater(['probe'], { files: { 'cli.yaml': link }, world: { fetch } });
  expect({ code, fetched }).toEqual({ code: 0, fetched: ['http://127.0.0.1:1/probes/liveness'] });
});

test('a service is not started by a Node that lacks its database', async () => {
  const { code, err } = await headwater(['serve'], { world: { nodeVersion: '22.15.1' } });
  expect({ code, err }).toEqual({
    code: 2,
    err: ['The service needs Node 22.16 or newer, but this is Node 22.15.1.'],
  });
});

test('a service that requires a token is reported with the variable for it', async () => {
  const diagnose = () => Promise.reject(new ApiFailure('tokenless', 'http://flag:1 requires a token.'));
  const { code, err } = await headwater(['status', '--service', 'http://flag:1'], { api: { diagnose } });
  expect({ code, says: err.at(-1) }).toEqual({
    code: 2,
    says: 'http://flag:1 requires a token.\nSet PS_ADMIN_TOKEN to one of its api.tokens.',
  });
});

test('a service that runs here is named if none answers at the address from a file', async () => {
  const resets = { isAnswered: async () => true, answer: never, ask: never };
  const files = {
    'cli.yaml': 'type: self-hosted\napi_url: http://127.0.0.1:1\n',
    '.headwater/running.json': JSON.stringify({ url: 'http://127.0.0.1:4' }),
  };
  const hint =
    'headwater dev is running here at another address. To use it, add --service http://127.0.0.1:4';
  const failing = (kind: 'unreachable' | 'unauthorized') => ({
    diagnose: () => Promise.reject(new ApiFailure(kind, 'No answer.')),
  });
  const errorsOf = async (kind: 'unreachable' | 'unauthorized', ...args: string[]) => {
    const { err } = await headwater(['status', ...args], { api: failing(kind), files, world: { resets } });
    return err;
  };
  expect(await errorsOf('unreachable')).toContain(hint);
  expect(await errorsOf('unauthorized')).not.toContain(hint);
  expect(await errorsOf('unreachable', '--service', 'http://127.0.0.1:1')).not.toContain(hint);
});
