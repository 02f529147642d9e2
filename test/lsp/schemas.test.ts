import { afterEach, describe, expect, test } from 'vitest';
import type { ClientCapabilities, DocumentDiagnosticReport, Location } from 'vscode-languageserver';
import { bareHost } from '../../server/lsp/host/host.ts';
import {
  listFilesRequest,
  type ReadFileParams,
  readFileRequest,
  schemaStatusRequest,
  serviceSchemaRequest,
} from '../../server/protocol.ts';
import { type Client, connectClient } from '../support/editor/client.ts';
import { memoryFiles } from '../support/editor/memoryFiles.ts';

const folder = 'file:///w/';
const uri = `${folder}sync.yaml`;
const capabilities: ClientCapabilities = {
  textDocument: { diagnostic: {} },
  workspace: { configuration: true, workspaceFolders: true, diagnostics: { refreshSupport: true } },
};

const config = (query: string) => `config:\n  edition: 3\nstreams:\n  a:\n    query: ${query}\n`;
const misspelt = config('SELECT * FROM lists WHERE ownr = auth.user_id()');
const lists = 'create table lists (id uuid primary key, owner uuid);';
const snapshotOf = (...columns: string[]) =>
  JSON.stringify({ tables: [{ name: 'lists', columns: columns.map((name) => ({ name })) }] });

let client: Client;
let texts: Map<string, string>;

afterEach(() => client.dispose());

async function start(
  files: Record<string, string>,
  settings: (root?: string) => unknown = () => null,
  folders = [folder],
) {
  texts = new Map(Object.entries(files).map(([path, text]) => [new URL(path, folder).href, text]));
  const host = { ...bareHost, files: memoryFiles(texts) };
  client = await connectClient(capabilities, { host, folders, settings });
  await client.refreshed();
}

async function codesIn(at = uri): Promise<unknown[]> {
  const report: DocumentDiagnosticReport = await client.pull(at);
  return report.kind === 'full' ? report.items.map(({ code }) => code) : ['unchanged'];
}

async function change(path: string, text: string | undefined): Promise<void> {
  const at = new URL(path, folder).href;
  const type = text === undefined ? 3 : texts.has(at) ? 2 : 1;
  if (text === undefined) texts.delete(at);
  else texts.set(at, text);
  await client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: at, type }] });
  await client.refreshed();
}

describe('The tables of SQL files are used only for an SQL database:', () => {
  const connection = (type: string) =>
    `replication:\n  connections:\n    - type: ${type}\n      uri: !env PS_URI\n`;

  test.each([
    ['mongodb', []],
    ['postgresql', ['unknown-column']],
  ])('next to a service config of the type %s', async (type, codes) => {
    await start({
      'schema.sql': lists,
      'demos/one/sync.yaml': misspelt,
      'demos/one/powersync.yaml': connection(type),
      'demos/two/powersync.yaml': connection('postgresql'),
    });
    await client.open(`${folder}demos/one/sync.yaml`, misspelt);
    expect(await codesIn(`${folder}demos/one/sync.yaml`)).toEqual(codes);
  });
});

describe('Tables are known', () => {
  test('from migrations, even after the migrations change', async () => {
    await start({ 'supabase/migrations/1_init.sql': lists });
    await client.open(uri, misspelt);
    expect(await codesIn()).toEqual(['unknown-column']);
    await change('supabase/migrations/2_more.sql', 'alter table lists rename column owner to ownr;');
    expect(await codesIn()).toEqual([]);
    await change('supabase/migrations/2_more.sql', undefined);
    expect(await codesIn()).toEqual(['unknown-column']);
  });

  test('from a snapshot file rather than from migrations', async () => {
    await start({ 'a.sql': lists, 'db/schema.json': snapshotOf('id', 'ownr') }, () => ({
      schema: { file: 'db/schema.json' },
    }));
    await client.open(uri, misspelt);
    expect(await codesIn()).toEqual([]);
    await change('db/schema.json', snapshotOf('id', 'owner'));
    expect(await codesIn()).toEqual(['unknown-column']);
    expect(await client.request(schemaStatusRequest, { uri })).toEqual({ origin: 'snapshot', tables: 1 });
  });

  test('from the snapshot that the settings of each folder name, even after these settings change', async () => {
    const [one, two] = [`${folder}one/`, `${folder}two/`];
    let ofTwo = 'b.json';
    const found = { 'a.json': snapshotOf('id', 'ownr'), 'b.json': snapshotOf('id', 'owner') };
    await start(
      Object.fromEntries(
        Object.entries(found).flatMap(([name, text]) => [
          [`one/${name}`, text],
          [`two/${name}`, text],
        ]),
      ),
      (root) => ({
        schema: { file: root === undefined ? 'none.json' : root.includes('one') ? 'a.json' : ofTwo },
      }),
      [one, two],
    );
    for (const root of [one, two]) await client.open(`${root}sync.yaml`, misspelt);
    expect([await codesIn(`${one}sync.yaml`), await codesIn(`${two}sync.yaml`)]).toEqual([
      [],
      ['unknown-column'],
    ]);
    ofTwo = 'a.json';
    await client.notify('workspace/didChangeConfiguration', { settings: null });
    await client.refreshed();
    expect(await codesIn(`${two}sync.yaml`)).toEqual([]);
  });

  test('from an outdated snapshot, with the tables and columns that migrations have added to it', async () => {
    await start(
      { 'migrations/1.sql': `${lists} create table todos (id uuid);`, 'schema.json': snapshotOf('id') },
      () => ({
        schema: { file: 'schema.json' },
      }),
    );
    await client.open(
      uri,
      `${config('SELECT id, owner, nothing FROM lists')}  b:\n    query: SELECT id FROM todos\n`,
    );
    texts.set(uri, `${config('SELECT id FROM lists')}  b:\n    query: SELECT id FROM todos\n`);
    await client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 1 }] });
    await client.refreshed();
    expect(await codesIn()).toEqual(['unknown-column', 'reads-rows-of-others']);
    expect(await client.request(schemaStatusRequest, { uri })).toEqual({
      origin: 'snapshot',
      tables: 2,
      behind: ['lists.owner', 'todos'],
    });
  });

  test('from files even if the only table name is misspelt or incomplete', async () => {
    await start({ 'db/1.sql': 'create table patients (id uuid primary key);' });
    await client.open(uri, config('SELECT * FROM patient'));
    expect(await codesIn()).toEqual(['unknown-table']);
    await client.change(uri, { text: config('SELECT * FROM pat') });
    expect(await codesIn()).toEqual(['unknown-table']);
    const text = config('SELECT * FROM ');
    await client.change(uri, { text: config('SELECT * FROM something_else') });
    expect(await codesIn()).toEqual([]);
    const position = { line: 4, character: (text.split('\n')[4] ?? '').length };
    const items = await client.request<readonly { readonly label: string }[]>('textDocument/completion', {
      textDocument: { uri },
      position,
    });
    expect(items.map(({ label }) => label)).toContain('patients');
  });

  test('from the schema of a service rather than from files, until that schema is withdrawn', async () => {
    await start({ 'a.sql': lists });
    await client.open(uri, misspelt);
    const columns = [
      { name: 'id', sqlite_type: 2 },
      { name: 'ownr', sqlite_type: 'text' },
    ];
    const schemas = [{ name: 'public', tables: [{ name: 'lists', columns }] }];
    const answer = { data: { connections: [{ tag: 'default', schemas }], defaultSchema: 'public' } };
    const result = await client.request(serviceSchemaRequest, { answer, takenAt: '2025-01-31T10:00:00Z' });
    expect(result).toMatchObject({ tables: 1, snapshot: expect.stringContaining('"ownr"') });
    expect(await codesIn()).toEqual([]);
    expect(await client.request(schemaStatusRequest, { uri })).toEqual({ origin: 'service', tables: 1 });
    expect(await client.request(serviceSchemaRequest, { answer: null })).toBeNull();
    expect(await codesIn()).toEqual(['unknown-column']);
  });

  test('only from the kind of source in the settings', async () => {
    let source = 'snapshot';
    await start({ 'a.sql': lists }, () => ({ schema: { source } }));
    await client.open(uri, misspelt);
    expect(await codesIn()).toEqual([]);
    source = 'files';
    await client.notify('workspace/didChangeConfiguration', { settings: null });
    await client.refreshed();
    expect(await codesIn()).toEqual(['unknown-column']);
  });

  test('in each folder of the workspace from its own files', async () => {
    const other = 'file:///v/';
    await start({ 'a.sql': lists, [`${other}a.sql`]: lists.replace('owner', 'ownr') }, undefined, [
      folder,
      other,
    ]);
    await client.open(uri, misspelt);
    await client.open(`${other}sync.yaml`, misspelt);
    expect(await codesIn()).toEqual(['unknown-column']);
    expect(await codesIn(`${other}sync.yaml`)).toEqual([]);
  });
});

test('The tables of a folder are known after it is added, until it is removed', async () => {
  const other = 'file:///v/';
  await start({ [`${other}a.sql`]: lists });
  await client.open(`${other}sync.yaml`, misspelt);
  expect(await codesIn(`${other}sync.yaml`)).toEqual([]);
  const change = async (event: object) => {
    await client.notify('workspace/didChangeWorkspaceFolders', {
      event: { added: [], removed: [], ...event },
    });
    await client.refreshed();
  };
  await change({ added: [{ uri: other, name: 'v' }] });
  expect(await codesIn(`${other}sync.yaml`)).toEqual(['unknown-column']);
  await change({ removed: [{ uri: other, name: 'v' }] });
  expect(await codesIn(`${other}sync.yaml`)).toEqual([]);
});

describe('Nothing is known, and nothing is reported,', () => {
  test('without any file', async () => {
    await start({});
    await client.open(uri, misspelt);
    expect(await codesIn()).toEqual([]);
    expect(await client.request(schemaStatusRequest, { uri })).toEqual({ origin: 'none', tables: 0 });
  });

  test('with an invalid snapshot file', async () => {
    await start({ 'schema.json': '{ "tables": 5' }, () => ({
      schema: { source: 'snapshot', file: 'schema.json' },
    }));
    await client.open(uri, misspelt);
    expect(await codesIn()).toEqual([]);
  });

  test('with SQL files about other tables, or in folders of dependencies', async () => {
    await start({ 'a.sql': 'create table users (id uuid);', 'node_modules/x/b.sql': lists });
    await client.open(uri, misspelt);
    expect(await codesIn()).toEqual([]);
    await client.change(uri, { text: config('SELECT users.* FROM users JOIN lsts ON lsts.id = users.id') });
    expect(await codesIn()).toEqual(['unknown-table']);
  });
});

test('In a virtual workspace, the client lists and reads the files', async () => {
  const virtual = 'memfs:///w/';
  const files = new Map([[`${virtual}db/a.sql`, lists]]);
  client = await connectClient(capabilities, {
    folders: [virtual],
    initializationOptions: { files: true },
    answers: {
      [listFilesRequest]: () => [...files.keys()],
      [readFileRequest]: ({ uri: asked }: ReadFileParams) => files.get(asked) ?? null,
    },
  });
  await client.refreshed();
  await client.open(`${virtual}sync.yaml`, misspelt);
  expect(await codesIn(`${virtual}sync.yaml`)).toEqual(['unknown-column']);
});

test('The definition of a table or column is the place where a migration creates it', async () => {
  await start({ 'm/1.sql': `-- first\n${lists}` });
  await client.open(uri, config('SELECT * FROM lists WHERE owner = auth.user_id()'));
  const at = (character: number) =>
    client.request<Location[]>('textDocument/definition', {
      textDocument: { uri },
      position: { line: 4, character },
    });
  const range = (start: number, end: number) => ({
    start: { line: 1, character: start },
    end: { line: 1, character: end },
  });
  expect(await at(27)).toEqual([{ uri: `${folder}m/1.sql`, range: range(13, 18) }]);
  expect(await at(39)).toEqual([{ uri: `${folder}m/1.sql`, range: range(41, 46) }]);
  const found = await client.request<Location[]>('textDocument/references', {
    textDocument: { uri },
    position: { line: 4, character: 27 },
    context: { includeDeclaration: true },
  });
  expect(found.map((location) => location.uri)).toEqual([uri, `${folder}m/1.sql`]);
});

test('A missing sync config is reported in the service config until it exists', async () => {
  await start({});
  const service = `${folder}service.yaml`;
  await client.open(
    service,
    'replication: {}\nstorage: { type: memory }\nsync_config:\n  path: rules/a.yaml\n',
  );
  expect(await codesIn(service)).toContain('service-file-not-found');
  await change('rules/a.yaml', misspelt);
  expect(await codesIn(service)).not.toContain('service-file-not-found');
});

test('A client that refuses all requests of the server is still served', async () => {
  const refuse = () => {
    throw new Error('no');
  };
  const methods = [
    ...['workspace/diagnostic/refresh', 'workspace/inlayHint/refresh', 'workspace/semanticTokens/refresh'],
    ...['workspace/configuration', 'client/registerCapability', readFileRequest],
  ];
  client = await connectClient(
    {
      ...capabilities,
      workspace: {
        ...capabilities.workspace,
        inlayHint: { refreshSupport: true },
        semanticTokens: { refreshSupport: true },
        didChangeWatchedFiles: { dynamicRegistration: true },
      },
    },
    {
      folders: ['memfs:///w'],
      initializationOptions: { files: true },
      answers: {
        ...Object.fromEntries(methods.map((method) => [method, refuse])),
        [listFilesRequest]: () => ['memfs:///w/a.sql'],
      },
    },
  );
  await client.notify('workspace/didChangeConfiguration', { settings: null });
  await client.request(serviceSchemaRequest, { answer: { connections: [] } });
  await client.open(uri, misspelt);
  expect(await codesIn()).toContain('unknown-table');
});
