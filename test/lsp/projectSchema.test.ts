/** The local service creates its database from the same files that `headwater dev` and the diagnostics use. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { analyze, findSchemaFor } from '../../server/engine/index.ts';
import { bareHost } from '../../server/lsp/host/host.ts';
import { type ProjectSchemaResult, projectSchemaRequest } from '../../server/protocol.ts';
import { isSchemaFile } from '../../server/shared/places.ts';
import { type Client, canPull, connectClient } from '../support/editor/client.ts';
import { layoutConfig, layouts } from '../support/editor/layouts.ts';
import { memoryFiles } from '../support/editor/memoryFiles.ts';
import { sourcesIn } from '../support/house/imports.ts';

const folder = 'file:///w/';

let client: Client;

afterEach(() => client?.dispose());

async function schemaOf(files: Readonly<Record<string, string>>, config?: string) {
  const texts = new Map(Object.entries(files).map(([path, text]) => [new URL(path, folder).href, text]));
  const host = { ...bareHost, files: memoryFiles(texts) };
  client = await connectClient(canPull, { host, folders: [folder] });
  const named = config === undefined ? {} : { config: new URL(config, folder).href };
  return client.request<ProjectSchemaResult>(projectSchemaRequest, { folder: 'file:///w', ...named });
}

describe.each(layouts.map((layout) => [layout.name, layout] as const))('%s', (_, { files, config }) => {
  const found = findSchemaFor(
    analyze(layoutConfig, { kind: 'sync' }).config,
    Object.entries(files).flatMap(([path, text]) => (isSchemaFile(path) ? [{ path, text }] : [])),
    config,
  );

  test.each([config, undefined])(
    'is reported with its schema files for the sync config %s',
    async (named) => {
      expect(found.paths.length).toBeGreaterThan(0);
      expect(await schemaOf({ ...files, [config]: layoutConfig }, named)).toEqual({ paths: found.paths });
    },
  );
});

const config = (table: string) =>
  `config: { edition: 3 }\nstreams:\n  a: { query: SELECT * FROM ${table} }\n`;

test('The named sync config selects the files, otherwise the sync config with the usual name', async () => {
  const files = {
    'a/migrations/1.sql': 'CREATE TABLE a (id uuid PRIMARY KEY);',
    'b/migrations/1.sql': 'CREATE TABLE b (id uuid PRIMARY KEY);',
    'a/sync-a.yaml': config('a'),
    'powersync/sync-config.yaml': config('b'),
    'service.yaml': 'replication: {}\n',
  };
  expect(await schemaOf(files, 'a/sync-a.yaml')).toEqual({ paths: ['a/migrations'] });
  client.dispose();
  expect(await schemaOf(files)).toEqual({ paths: ['b/migrations'] });
  client.dispose();
  expect(await schemaOf(files, 'service.yaml')).toEqual({ paths: ['b/migrations'] });
});

test('An open file takes precedence over the file on disk', async () => {
  const files = {
    'a/migrations/1.sql': 'CREATE TABLE a (id uuid PRIMARY KEY);',
    'b/migrations/1.sql': 'CREATE TABLE b (id uuid PRIMARY KEY);',
    'sync.yaml': config('b'),
  };
  expect(await schemaOf(files, 'sync.yaml')).toEqual({ paths: ['b/migrations'] });
  await client.open(`${folder}sync.yaml`, config('a'));
  const params = { folder, config: `${folder}sync.yaml` };
  expect(await client.request(projectSchemaRequest, params)).toEqual({ paths: ['a/migrations'] });
});

test('Without a sync config, the history that creates the most tables is used', async () => {
  expect(await schemaOf({ 'prisma/migrations/1/migration.sql': 'CREATE TABLE a (id uuid);' })).toEqual({
    paths: ['prisma/migrations'],
  });
});

test('Nothing else in the product lists folders of migrations', () => {
  const places = /['"`/](?:supabase|prisma|db|drizzle)\/(?:migrations|schema\.sql)/;
  const others = [...sourcesIn('client'), ...sourcesIn('server')].filter(
    ({ path }) => !path.startsWith('server/engine/project/'),
  );
  const lines = others.flatMap(({ path }) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => places.test(line) && !/^\s*(?:\/?\*|\/\/)/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(lines).toEqual([]);
});
