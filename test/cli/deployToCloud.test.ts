import { expect, test } from 'vitest';
import type { World } from '../../client/cli/world.ts';
import { headwater } from '../support/cli/cliWorld.ts';

const own = `config: { edition: 3 }
streams:
  lists:
    auto_subscribe: true
    query: SELECT id, name FROM lists WHERE owner_id = auth.user_id()
`;
const everybody = own.replace(' WHERE owner_id = auth.user_id()', '');
const link = 'type: cloud\ninstance_id: 65f0\nproject_id: p\n';
const files = {
  'powersync/cli.yaml': link,
  'powersync/sync-config.yaml': own,
  'schema.sql': 'CREATE TABLE lists (id text PRIMARY KEY, name text, owner_id text);',
};
const running = { '.headwater/running.json': JSON.stringify({ url: 'http://127.0.0.1:4' }) };
const program = { 'node_modules/.bin/powersync': '' };
const command =
  'powersync deploy sync-config --directory powersync --sync-config-file-path powersync/sync-config.yaml';

/** Runs `headwater deploy` with a program that ends with a code. Returns the questions (`asked`) and the programs (`ran`). */
async function deploy(
  args: readonly string[] = [],
  { more = {}, code = 0, answer = true }: Partial<Around> = {},
) {
  const ran: string[] = [];
  const asked: string[] = [];
  const startProgram: World['startProgram'] = (name, words, options) => {
    if (name === 'git') return { ended: Promise.resolve(127), stop: () => {} };
    ran.push(
      [name, ...words].join(' ') + (options?.env?.PATH === undefined ? '' : ` in ${options.env.PATH}`),
    );
    options?.onLine?.('Deployed.');
    return { ended: Promise.resolve(code), stop: () => {} };
  };
  const end = await headwater(['deploy', ...args], {
    files: { ...files, ...more },
    env: { PATH: '/bin' },
    world: {
      startProgram,
      confirm: async (question) => {
        asked.push(question);
        return answer === 'no terminal' ? undefined : answer;
      },
    },
  });
  return { code: end.code, ran, asked, said: end.err.join('\n'), out: end.out.join('\n') };
}

interface Around {
  readonly more: Readonly<Record<string, string>>;
  readonly code: number;
  readonly answer: boolean | 'no terminal';
}

test('PowerSync’s command line deploys, after a question and with its exit code', async () => {
  const done = await deploy([], { code: 1 });
  expect(done).toMatchObject({ code: 1, ran: [command] });
  expect(done.asked).toEqual(['Deploy powersync/sync-config.yaml to the PowerSync Cloud instance 65f0?']);
  expect(done.said).toContain('Not compared with the deployed config');
  expect(await deploy(['--timeout', '60'])).toMatchObject({
    code: 0,
    ran: [`${command} --deploy-timeout 60`],
  });
});

test('nothing runs without the agreement, or with errors', async () => {
  expect(await deploy([], { answer: false })).toMatchObject({ code: 1, ran: [] });
  const wrong = await deploy([], { more: { 'powersync/sync-config.yaml': own.replace('SELECT', 'SELEKT') } });
  expect(wrong).toMatchObject({ code: 1, ran: [], asked: [] });
});

test('without a terminal, a program of the project is not run', async () => {
  expect(await deploy([], { more: program })).toMatchObject({
    ran: [`${command} in /project/node_modules/.bin:/bin`],
    asked: [expect.stringContaining('with node_modules/.bin/powersync?')],
  });
  expect(await deploy([], { more: program, answer: 'no terminal' })).toMatchObject({ ran: [command] });
});

test('users who gain rows are reported before the question, compared with the fetched config', async () => {
  const changed = await deploy([], {
    more: { 'powersync/sync-config.yaml': everybody, 'powersync/sync-fetched.yaml': own },
  });
  expect(changed.said).toMatch(/after it was fetched[\s\S]*Anybody now gets lists/);
  const json = await deploy(['--json'], {
    more: { 'powersync/sync-config.yaml': everybody, 'powersync/sync-fetched.yaml': own },
  });
  expect(JSON.parse(json.out)).toMatchObject({
    deployed: true,
    instance: '65f0',
    access: { verdict: 'refuted' },
  });
  const broken = await deploy([], { more: { 'powersync/sync-fetched.yaml': 'streams: [' } });
  expect(broken.said).toContain('Not compared with powersync/sync-fetched.yaml, which has errors.');
});

test('a program that is missing, and what it cannot do, are named', async () => {
  expect((await deploy([], { code: 127 })).said).toContain('npm install --save-dev powersync');
  for (const option of [['--plan'], ['--rate', '5'], ['--no-wait']])
    expect(await deploy(option)).toMatchObject({
      code: 2,
      ran: [],
      said: expect.stringContaining(option[0] ?? ''),
    });
});

test('a service that runs here, or is named, comes first', async () => {
  expect((await deploy(['--service', 'http://a:1'])).ran).toEqual([]);
  const resets = { isAnswered: async () => true, answer: async () => () => {}, ask: async () => undefined };
  const here = await headwater(['deploy'], { files: { ...files, ...running }, world: { resets } });
  expect(here.err.join()).toContain('asks http://127.0.0.1:4');
});
