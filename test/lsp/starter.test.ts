/** The first sync config of a folder, and the tables that its clients have. */
import { afterEach, describe, expect, test } from 'vitest';
import { analyze } from '../../server/engine/index.ts';
import { bareHost } from '../../server/lsp/host/host.ts';
import {
  type ClientTablesResult,
  clientTablesRequest,
  type StarterResult,
  serviceSchemaRequest,
  starterRequest,
} from '../../server/protocol.ts';
import { type Client, canPull, connectClient } from '../support/editor/client.ts';
import { layouts } from '../support/editor/layouts.ts';
import { memoryFiles } from '../support/editor/memoryFiles.ts';

const folder = 'file:///w/';

let client: Client;

afterEach(() => client?.dispose());

async function open(files: Readonly<Record<string, string>>): Promise<void> {
  const texts = new Map(Object.entries(files).map(([path, text]) => [new URL(path, folder).href, text]));
  const host = { ...bareHost, files: memoryFiles(texts) };
  client = await connectClient(canPull, { host, folders: [folder] });
}

async function starter(tables?: readonly string[]): Promise<StarterResult> {
  return client.request<StarterResult>(starterRequest, { folder: 'file:///w', ...(tables && { tables }) });
}

describe('A first sync config', () => {
  test.each(layouts.map((layout) => [layout.name, layout] as const))(
    'knows the tables of %s',
    async (_, { files }) => {
      await open(files);
      const { tables, text } = await starter();
      expect(tables).toContainEqual({ name: 'lists', owner: 'owner_id' });
      expect(tables).toContainEqual({ name: 'todos' });
      expect(text).toContain('SELECT * FROM lists WHERE owner_id = auth.user_id()');
      expect(analyze(text, { kind: 'sync' }).findings).toEqual([]);
    },
  );

  test('is only for the chosen tables', async () => {
    await open({
      'schema.sql': `CREATE TABLE notes (id uuid PRIMARY KEY, "ownerId" text);
        CREATE TABLE tags (id uuid PRIMARY KEY, user_id text);`,
    });
    const { tables, text } = await starter(['notes']);
    expect(tables.map(({ name }) => name)).toEqual(['notes', 'tags']);
    expect(text).toContain('SELECT * FROM notes WHERE "ownerId" = auth.user_id()');
    expect(text).not.toContain('tags');
  });

  test('uses the schema of a service rather than files', async () => {
    await open({ 'schema.sql': 'CREATE TABLE old (id uuid PRIMARY KEY, user_id text);' });
    const column = (name: string) => ({ name, sqlite_type: 2, internal_type: 'text', type: 'text' });
    const schemas = [
      { name: 'public', tables: [{ name: 'boats', columns: [column('id'), column('owner')] }] },
    ];
    const answer = {
      data: { connections: [{ id: 'default', tag: 'default', schemas }], defaultSchema: 'public' },
    };
    await client.request(serviceSchemaRequest, { answer });
    expect((await starter()).tables).toContainEqual({ name: 'boats', owner: 'owner' });
  });

  test('has an example and no error if no table is known', async () => {
    await open({});
    const { tables, text } = await starter();
    expect(tables).toEqual([]);
    expect(text).toMatch(/auto_subscribe: true, query: SELECT/);
    expect(analyze(text, { kind: 'sync' }).findings.filter(({ code }) => code !== 'missing-streams')).toEqual(
      [],
    );
  });
});

describe('The tables of clients', () => {
  const uri = `${folder}sync.yaml`;
  const config = (query: string) => `config: { edition: 3 }\nstreams:\n  a: { query: ${query} }\n`;
  const tablesOf = (text: string) => client.request<ClientTablesResult>(clientTablesRequest, { uri, text });

  test('have the columns that the SQL files of the folder create', async () => {
    await open({ 'schema.sql': 'CREATE TABLE notes (id uuid PRIMARY KEY, size int, text text);' });
    expect(await tablesOf(config('SELECT * FROM notes'))).toEqual({
      tables: [
        {
          name: 'notes',
          columns: [
            { name: 'size', type: 'integer' },
            { name: 'text', type: 'text' },
          ],
        },
      ],
      unknown: [],
    });
  });

  test('are those of the text in the editor, without columns if these are unknown', async () => {
    await open({});
    expect(await tablesOf(config('SELECT * FROM notes'))).toEqual({
      tables: [{ name: 'notes', columns: [] }],
      unknown: ['notes'],
    });
  });

  test('are not returned for a text with errors', async () => {
    await open({});
    expect(await tablesOf(config('SELEC * FROM notes'))).toBeNull();
  });
});
