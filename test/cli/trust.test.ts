/** The addresses that tokens are sent to if files in the folder name the address and the source of a token. */
import { expect, test } from 'vitest';
import type { Grant, PlaceGrant } from '../../client/project/trust.ts';
import { cliWorld, headwater, type RunEnd, type Surroundings } from '../support/cli/cliWorld.ts';

const elsewhere = 'type: self-hosted\napi_url: https://sync.example/a\napi_key: written\n';
const strange = 'type: self-hosted\napi_url: http://127.0.0.1:1\napi_key: !env AWS_SECRET_ACCESS_KEY\n';
const aws = { AWS_SECRET_ACCESS_KEY: 'hunter2' };

interface Person {
  readonly args?: readonly string[];
  /** The answer to all questions. Undefined if there is no terminal. */
  readonly says?: boolean;
  readonly granted?: readonly (Grant | PlaceGrant)[];
}

interface Met {
  /** The endpoint of the opened connection. */
  readonly asked: string | undefined;
  readonly questions: readonly string[];
  readonly added: readonly (Grant | PlaceGrant)[];
  readonly ended: RunEnd;
}

async function status(around: Surroundings, { args = [], says, granted = [] }: Person = {}): Promise<Met> {
  const questions: string[] = [];
  const added: (Grant | PlaceGrant)[] = [];
  const ended = await headwater(['status', ...args], {
    api: { diagnose: async () => ({ at: 0, sources: [] }) },
    ...around,
    world: {
      confirm: async (question) => {
        questions.push(question);
        return says;
      },
      grants: { path: 'trust.json', read: async () => granted, add: async (grant) => void added.push(grant) },
      ...around.world,
    },
  });
  return { asked: ended.err.find((line) => line.startsWith('asks ')), questions, added, ended };
}

test.each([
  ['an address of cli.yaml', { 'cli.yaml': elsewhere }, {}, {}],
  ['the same, for a token that the user has set', { 'cli.yaml': elsewhere }, { PS_ADMIN_TOKEN: 'x' }, {}],
  ['an address in a variable of `.env`', {}, { POWERSYNC_URL: 'https://a.example', PS_ADMIN_TOKEN: 'x' }, {}],
  [
    'an address that cli.yaml takes from `.env`',
    { 'cli.yaml': 'api_url: !env PS_URL\napi_key: written\n' },
    { PS_URL: 'https://a.example' },
    {},
  ],
  ['a variable of another tool in cli.yaml', { 'cli.yaml': strange }, aws, aws],
  [
    'the same in service.yaml',
    { 'service.yaml': 'api: { tokens: [!env AWS_SECRET_ACCESS_KEY] }\n' },
    aws,
    aws,
  ],
  [
    'an address in a variable of another tool',
    { 'cli.yaml': 'api_url: !env HOOK\napi_key: written\n' },
    { HOOK: 'https://hooks.example/secret' },
    { HOOK: 'https://hooks.example/secret' },
  ],
])('nothing is sent before the user agrees: %s', async (_, files, env, userEnv) => {
  const around = { files, env, world: { userEnv } };
  const { asked, ended, questions } = await status(around);
  expect({ asked, code: ended.code, questions: questions.length }).toEqual({
    asked: undefined,
    code: 2,
    questions: 1,
  });
  expect(ended.err.join('\n')).toMatch(/Run this command once in a terminal/);
  expect(ended.err.join('\n')).not.toContain('hunter2');
  expect((await status(around, { says: false })).asked).toBeUndefined();
  const agreed = await status(around, { says: true });
  expect(agreed.asked).toBeDefined();
  expect(agreed.added).toHaveLength(1);
  const again = await status(around, { granted: agreed.added });
  expect({ ...again, ended: undefined }).toMatchObject({ asked: agreed.asked, questions: [] });
});

test('the error names the option and the variable that can name the service instead', async () => {
  const { ended } = await status({ files: { 'cli.yaml': elsewhere } });
  expect(ended.err).toEqual([
    'cli.yaml names https://sync.example, which is not this machine. No token is sent there before you agree. Run this command once in a terminal. Or specify the service yourself, with --service https://sync.example/a or the variable POWERSYNC_URL.',
  ]);
});

test.each([
  ['by an option', { args: ['--service', 'https://sync.example/a'] }, {}],
  ['by a variable', {}, { POWERSYNC_URL: 'https://sync.example' }],
  ['as the official command line does', {}, { API_URL: 'https://sync.example' }],
])('a user who names the address is not asked: %s', async (_, person, userEnv) => {
  const { asked, questions } = await status(
    { files: { 'cli.yaml': elsewhere }, env: userEnv, world: { userEnv } },
    person,
  );
  expect({ asked, questions }).toEqual({ asked: 'asks https://sync.example/a with written', questions: [] });
});

test('no question is asked about an address in a variable that the user has set', async () => {
  const env = { PS_URL: 'https://a.example', PS_KEY: 'k' };
  const files = { 'cli.yaml': 'api_url: !env PS_URL\napi_key: !env PS_KEY\n' };
  expect(await status({ files, env, world: { userEnv: env } })).toMatchObject({
    asked: 'asks https://a.example with k',
    questions: [],
  });
});

test('no question is asked about this machine with a token that was written for it', async () => {
  const files = { 'cli.yaml': strange.replace('AWS_SECRET_ACCESS_KEY', 'SVC_KEY') };
  expect(await status({ files, env: { SVC_KEY: 'k' }, world: { userEnv: {} } })).toMatchObject({
    asked: 'asks http://127.0.0.1:1 with k',
    questions: [],
  });
});

test('a name from a file cannot send control characters to the terminal', async () => {
  const files = { 'cli.yaml': 'api_url: http://127.0.0.1:1\napi_key: !env "HOOK\\e[2K"\n' };
  const { questions } = await status({ files, env: { 'HOOK\u001b[2K': 'k' } });
  expect(questions).toEqual([expect.stringContaining('HOOK\ufffd[2K')]);
});

test('a consent applies to one folder, one address and the variables that it names', async () => {
  const grant: Grant = { folder: '/project', origin: 'https://sync.example', variables: [] };
  const asked = async (granted: Grant, files = { 'cli.yaml': elsewhere }) =>
    (await status({ files, env: aws }, { granted: [granted] })).asked !== undefined;
  expect(await asked(grant)).toBe(true);
  expect(await asked({ ...grant, folder: '/other' })).toBe(false);
  expect(await asked({ ...grant, origin: 'https://sync.example:8443' })).toBe(false);
  expect(
    await asked(grant, { 'cli.yaml': strange.replace('http://127.0.0.1:1', 'https://sync.example') }),
  ).toBe(false);
});

test('API_URL in the `.env` of an app is not used as the address of the service', async () => {
  const around = {
    files: { 'service.yaml': 'port: 9000\napi: { tokens: [local] }\n' },
    env: { API_URL: 'https://api.app.example', PS_ADMIN_TOKEN: 'admin' },
    world: { userEnv: {} },
  };
  expect((await status(around)).asked).toBe('asks http://127.0.0.1:9000 with admin');
});

test('no question is asked without a token, because nothing can leak', async () => {
  const { asked, questions } = await status({ files: { 'cli.yaml': 'api_url: https://sync.example\n' } });
  expect({ asked, questions }).toEqual({ asked: 'asks https://sync.example with no token', questions: [] });
});

test('the receiver of a token is printed on standard error', async () => {
  const files = { 'service.yaml': 'port: 9000\napi: { tokens: [local] }\n' };
  const line = 'Connecting to http://127.0.0.1:9000 with the token from api.tokens in service.yaml.';
  const { ended } = await status({ files });
  expect(ended.err[0]).toBe(line);
  expect(ended.out).not.toContain(line);
  expect((await status({ files }, { args: ['--json'] })).ended.err[0]).toBe(line);
  expect((await status({ files }, { args: ['--quiet'] })).ended.err).not.toContain(line);
});

test('the value of a variable is not printed if it is not an address', async () => {
  const { ended } = await status({
    files: { 'cli.yaml': 'api_url: !env AWS_SECRET_ACCESS_KEY\n' },
    env: aws,
  });
  expect(ended.err).toEqual([
    'cli.yaml takes `api_url` from the variable AWS_SECRET_ACCESS_KEY, whose value does not begin with http:// or https://.',
  ]);
});

test('a key for client tokens cannot come from a variable of another tool', async () => {
  const config = (name: string) =>
    `client_auth: { audience: [a], jwks: { keys: [{ kty: oct, alg: HS256, kid: k, k: !env ${name} }] } }\n`;
  const sign = (name: string) =>
    headwater(['generate', 'token', '--subject', 'ada'], {
      files: { 'service.yaml': config(name) },
      env: { [name]: 'c2VjcmV0' },
    });
  expect(await sign('PS_KEY')).toMatchObject({ code: 0 });
  expect(await sign('AWS_SECRET_ACCESS_KEY')).toMatchObject({
    code: 2,
    err: [expect.stringMatching(/must begin with PS_/)],
  });
});

test('A consent applies to the folder, however its path is spelled', async () => {
  const files = { 'cli.yaml': elsewhere };
  const { files: memory } = cliWorld({}, new Map(Object.entries(files)), [], []);
  const world = { files: { ...memory, real: () => 'C:\\Projects\\App' } };
  const { added } = await status({ files, world: { ...world, folder: 'c:\\projects\\app' } }, { says: true });
  expect(added.map(({ folder }) => folder)).toEqual(['C:\\Projects\\App']);
  const again = await status({ files, world: { ...world, folder: 'C:\\PROJECTS\\APP' } }, { granted: added });
  expect(again.questions).toEqual([]);
});
