/** The workflows and hooks of the page on CI: they are YAML, and their commands do what the page says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { isConfigName } from '../../server/shared/places.ts';
import { headwater } from '../support/cli/cliWorld.ts';
import { root } from '../support/house/imports.ts';

const page = readFileSync(join(root, 'docs/CI.md'), 'utf8');
const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);
const commands = [...page.matchAll(/headwater ((?:[a-z]|--)[\w ./:-]*?)(?= >| &&|`|\n|$)/g)].map(
  ([, args = '']) => args.trim().split(' '),
);

const serving = { slot: 'a', copied: true, tables: [], errors: [], content: 'streams: {}' };
const surroundings = {
  files: {
    'sync.yaml':
      'config: { edition: 3 }\nstreams:\n  x: { auto_subscribe: true, query: "SELECT id FROM t WHERE o = auth.user_id()" }\n',
    'db/1.sql': 'CREATE TABLE t (id text PRIMARY KEY, o text);',
    'x.sync-test.yaml':
      'config: sync.yaml\nusers: { ada: { id: ada } }\nrows: { t: [{ id: "1", o: ada }] }\ntests:\n  - { name: own, expect: { ada: { t: ["1"] } } }\n',
    'before.yaml':
      'config: { edition: 3 }\nstreams:\n  x: { auto_subscribe: true, query: "SELECT id FROM t WHERE o = auth.user_id()" }\n',
  },
  userEnv: { POWERSYNC_URL: 'http://127.0.0.1:1' },
  env: { DATABASE_URL: 'postgresql://a/b', POWERSYNC_URL: 'http://127.0.0.1:1' },
  api: {
    validate: async () => [],
    plan: async () => undefined,
    affectedUsers: async () => undefined,
    forecastOf: async () => undefined,
    deploy: async () => ({ slot: 'b' }),
    diagnose: async () => ({ at: 0, sources: [], active: { ...serving, slot: 'b', checkpointAt: 0 } }),
  },
};

test('has blocks of YAML, and commands in them', () => {
  expect(blocks.map((block) => typeof parse(block)).filter((kind) => kind !== 'object')).toEqual([]);
  expect(commands.length).toBeGreaterThan(8);
});

describe('Its commands are right:', () => {
  const once = commands.filter((args) => !args.includes('--watch'));
  test.each(once.map((args) => [args.join(' '), args] as const))('headwater %s', async (_, args) => {
    const row = {
      command: 'SELECT',
      rowCount: 1,
      columns: ['s'],
      rows: [['CREATE TABLE t (id text, o text)']],
    };
    const world = { runSql: async () => [row] };
    const { code, err } = await headwater(args, { ...surroundings, world });
    expect({ err: err.filter((line) => !line.startsWith('asks ')), code }).toMatchObject({
      // According to the page, `diff` ends with 1 if another config is deployed.
      code: args.join(' ') === 'diff' ? 1 : 0,
    });
  });
});

test('The hooks run for every config', () => {
  const hooks = parse(blocks.find((block) => block.includes('repos:')) ?? '') as {
    repos: { hooks: { files: string }[] }[];
  };
  const patterns = hooks.repos.flatMap((repo) =>
    repo.hooks.map(({ files }) => new RegExp(files.replace('(?i)', ''), 'i')),
  );
  const paths = [
    'sync.yaml',
    'a/sync-config.yml',
    'powersync.yaml',
    'powersync/any.yaml',
    'x/Service.YAML',
    'db/1.sql',
  ];
  expect(paths.filter((path) => !path.endsWith('.sql') && !isConfigName(path))).toEqual([]);
  for (const pattern of patterns) expect(paths.filter((path) => !pattern.test(path))).toEqual([]);
});
