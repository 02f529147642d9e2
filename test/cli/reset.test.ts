import { describe, expect, test } from 'vitest';
import type { Api } from '../../client/api/api.ts';
import { ApiFailure } from '../../client/api/failure.ts';
import type { World } from '../../client/cli/world.ts';
import { headwater } from '../support/cli/cliWorld.ts';

const content = 'config: { edition: 3 }\nstreams:\n  a: { query: SELECT id FROM lists }\n';
const wrong = 'config: { edition: 3 }\nstreams:\n  a: { query: SELECT FROM }\n';
const link = 'api_url: http://127.0.0.1:1\napi_key: key\n';
const files = { 'sync.yaml': content, 'cli.yaml': link, 'compose.yaml': '' };

const active = { slot: 'it', content, copied: true, tables: [], errors: [] };
const usual: Partial<Api> = {
  validate: async () => [],
  diagnose: async () => ({ at: 0, sources: [], active }),
};

/** Returns the steps of a reset, and the printed lines. */
async function reset(
  args: readonly string[],
  more: Partial<World> = {},
  changes: object = {},
  api: Partial<Api> = usual,
) {
  const done: string[] = [];
  const { code, out, err } = await headwater(['reset', '--quiet', ...args], {
    files: { ...files, ...changes },
    api,
    world: {
      startProgram: (program, words) => {
        done.push([program, ...words].join(' '));
        return { ended: Promise.resolve(0), stop: () => {} };
      },
      resets: {
        answer: async () => () => {},
        isAnswered: async () => true,
        ask: async () => {
          done.push('restart');
          return { url: 'http://127.0.0.1:9', token: 'own' };
        },
      },
      ...more,
    },
  });
  return { code, done, said: [...err, ...out.filter((line) => line !== '')] };
}

const unchanged = 'it is already active with exactly this content, so there is nothing to deploy.';

describe('reset', () => {
  test('deploys to the restarted service, whatever cli.yaml names', async () => {
    expect(await reset([])).toEqual({
      code: 0,
      done: ['restart'],
      said: ['asks http://127.0.0.1:9 with own', 'asks http://127.0.0.1:9 with own', unchanged],
    });
  });

  test('waits for the first answer of a service that has just started', async () => {
    let asked = 0;
    const diagnose = async () => {
      asked += 1;
      if (asked < 3) throw new ApiFailure('slow', 'It did not answer within 20 s.');
      return { at: 0, sources: [], active };
    };
    expect(await reset([], {}, {}, { ...usual, diagnose })).toMatchObject({ code: 0 });
  });

  test('of a compose deployment deploys to the service that cli.yaml names', async () => {
    expect(await reset(['--compose'])).toEqual({
      code: 0,
      done: ['docker compose -f compose.yaml down', 'docker compose -f compose.yaml up -d --wait'],
      said: ['asks http://127.0.0.1:1 with key', 'asks http://127.0.0.1:1 with key', unchanged],
    });
  });

  test.each([[[]], [['--compose']]])('%j restarts nothing for a config with errors', async (args) => {
    const { code, done } = await reset(args, {}, { 'sync.yaml': wrong });
    expect({ code, done }).toEqual({ code: 1, done: [] });
  });

  test('with --database drops the database before it deploys, and reports the skipped statements', async () => {
    const asked: string[] = [];
    const statement = { script: 'db/1.sql', line: 3, statement: 'CREATE TABLE …', reason: 'failed' };
    const resetDatabase = async (rows: string) => {
      asked.push(rows);
      const skipped = [
        { ...statement, message: 'type "x" does not exist', tables: ['public.a'] },
        { ...statement, tables: [] },
      ];
      return { isEmbedded: true, applied: 2, changed: [], removed: [], problems: [], skipped };
    };
    const { code, done, said } = await reset(['--database'], {}, {}, { ...usual, resetDatabase });
    expect({ code, done, asked }).toEqual({ code: 0, done: ['restart'], asked: ['none'] });
    expect(said.filter((line) => !line.startsWith('asks'))).toEqual([
      'The database was created again. Scripts that were run: 2.',
      '  db/1.sql:3 was left out (public.a): type "x" does not exist',
      'Also left out, but not about tables: 1 statement.',
      unchanged,
    ]);
    await reset(['--database', '--seed'], {}, {}, { ...usual, resetDatabase });
    expect(asked).toEqual(['none', 'seeds']);
  });

  test('with --database deploys nothing if the database does not belong to the service', async () => {
    const resetDatabase = async () => {
      throw new ApiFailure('refused', 'It does not belong to the service.');
    };
    const { code, said } = await reset(['--database'], {}, {}, { ...usual, resetDatabase });
    expect({ code, last: said.at(-1) }).toEqual({ code: 1, last: 'It does not belong to the service.' });
  });

  test('accepts --seed only together with --database', async () => {
    expect(await reset(['--seed'])).toMatchObject({ code: 2, done: [] });
  });

  test('reports that nothing is running in this folder', async () => {
    const resets = {
      answer: async () => () => {},
      isAnswered: async () => false,
      ask: async () => undefined,
    };
    expect(await reset([], { resets })).toEqual({
      code: 2,
      done: [],
      said: [
        'Neither headwater dev nor serve is running in this folder. Start one of them, or use --compose to restart a compose deployment.',
      ],
    });
  });

  describe('of a service whose own service config names its sync config', () => {
    const refused = new ApiFailure('refused', 'Refused.', { code: 'S4105' });
    /**
     * Returns a service that runs these sync configs one after another: each request finds the next one. Each pause
     * advances the clock.
     */
    function service(contents: readonly string[]): [Partial<World>, object, Partial<Api>] {
      let asked = 0;
      let now = 0;
      const world = {
        now: () => now,
        pause: async (milliseconds: number) => {
          now += milliseconds;
        },
      };
      const api = {
        ...usual,
        deploy: () => Promise.reject(refused),
        diagnose: async () => {
          const at = Math.min(asked, contents.length - 1);
          asked += 1;
          return { at: 0, sources: [], active: { ...active, content: contents[at] ?? '' } };
        },
      };
      return [world, {}, api];
    }

    test('succeeds when the service runs the file', async () => {
      const { code, said } = await reset([], ...service(['old', 'old', 'old', content]));
      expect({ code, last: said.at(-1) }).toEqual({ code: 0, last: 'it is active.' });
    });

    test('fails if the service runs another file', async () => {
      const { code, said } = await reset([], ...service(['old']));
      expect({ code, last: said.at(-1) }).toEqual({
        code: 1,
        last: 'This service loads its sync config from its own service config (sync_config), so it accepts no deploys. Change the file that is named there, and restart the service.',
      });
    });
  });

  test('passes on the exit code of docker', async () => {
    const startProgram = () => ({ ended: Promise.resolve(17), stop: () => {} });
    expect(await reset(['--compose'], { startProgram })).toEqual({
      code: 17,
      done: [],
      said: ['docker compose down failed with exit code 17.'],
    });
  });
});

test('the token of a service without a config is not among the arguments that everybody can read', async () => {
  const started: { args: readonly string[]; env: object | undefined }[] = [];
  const startProgram: World['startProgram'] = (_, args, options) => {
    started.push({ args, env: options?.env });
    return { ended: Promise.resolve(0), stop: () => {} };
  };
  const secret = () => 'hidden';
  await headwater(['dev'], { files: { 'sync.yaml': content }, world: { startProgram, secret } });
  expect(started.map(({ args }) => args)).toEqual([['start', '--within', '/project', '--port', '8080+']]);
  expect(started[0]?.env).toMatchObject({ PS_LOCAL_TOKEN: 'hidden', PS_LOCAL_KEY: 'hidden' });
});
