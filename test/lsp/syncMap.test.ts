import { afterEach, expect, test } from 'vitest';
import { bareHost } from '../../server/lsp/host/host.ts';
import { type SyncMapResult, syncMapRequest } from '../../server/protocol.ts';
import { type Client, canPull, connectClient } from '../support/editor/client.ts';
import { memoryFiles } from '../support/editor/memoryFiles.ts';

const folder = 'file:///w/';
const uri = `${folder}sync.yaml`;
const text = `config:
  edition: 3
streams:
  mine:
    query: SELECT * FROM lists WHERE owner_id = auth.user_id()
  all:
    query: SELECT id, body FROM notes
`;
const migration = `CREATE TABLE lists (id uuid, owner_id uuid);
CREATE TABLE notes (id uuid, body text);
ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
`;

let client: Client;

afterEach(() => client.dispose());

async function start(files: Record<string, string>): Promise<void> {
  const texts = new Map(Object.entries(files).map(([path, content]) => [`${folder}${path}`, content]));
  const host = { ...bareHost, files: memoryFiles(texts) };
  client = await connectClient(canPull, { host, folders: [folder] });
}

async function map(answer?: unknown): Promise<NonNullable<SyncMapResult>> {
  const result = await client.request<SyncMapResult>(syncMapRequest, { uri, answer });
  if (result === null) throw new Error('There is no map.');
  return result;
}

function answerWith(tables: Record<string, readonly string[]>): unknown {
  const described = Object.entries(tables).map(([name, columns]) => ({
    name,
    columns: columns.map((column) => ({ name: column })),
  }));
  return { data: { connections: [{ tag: 'default', schemas: [{ name: 'public', tables: described }] }] } };
}

test('The map links to the line of a stream, and to the migration that creates a table', async () => {
  await start({ 'sync.yaml': text, 'supabase/migrations/1_init.sql': migration });
  const { streams, tables } = await map();
  expect(streams.map(({ name, place }) => [name, place.uri, place.range.start])).toEqual([
    ['mine', uri, { line: 3, character: 2 }],
    ['all', uri, { line: 5, character: 2 }],
  ]);
  expect(tables.map(({ id, place }) => [id, place?.uri, place?.range.start.line])).toEqual([
    ['lists', `${folder}supabase/migrations/1_init.sql`, 0],
    ['notes', `${folder}supabase/migrations/1_init.sql`, 1],
  ]);
});

test('The map shows the text in the editor, not the file', async () => {
  await start({ 'sync.yaml': text });
  expect((await map()).streams).toHaveLength(2);
  await client.open(uri, `${text}  more:\n    query: SELECT id FROM lists\n`);
  expect((await map()).streams.map(({ name }) => name)).toEqual(['mine', 'all', 'more']);
});

test('Missing tables are known only from the service of the target, and row-level security only from the files', async () => {
  await start({ 'sync.yaml': text, 'supabase/migrations/1_init.sql': migration });
  const marksIn = (result: NonNullable<SyncMapResult>) =>
    result.tables.flatMap(({ id, marks }) => marks.map(({ kind }) => `${id} ${kind}`));
  expect(marksIn(await map())).toEqual(['notes open']);
  expect(marksIn(await map(answerWith({ notes: ['id', 'body'] })))).toEqual(['lists missing', 'notes open']);
  expect(marksIn(await map(answerWith({ lists: ['id', 'owner_id'], notes: ['id'] })))).toEqual([
    'notes missing',
    'notes open',
  ]);
  expect(marksIn(await map('no answer'))).toEqual(['notes open']);
});

test.each(['kind: Service', '', 'streams: ['])(
  '%j has an empty map or none, but never an error',
  async (content) => {
    await start({});
    await client.open(uri, content);
    const result = await client.request<SyncMapResult>(syncMapRequest, { uri });
    expect(result === null || result.streams.length === 0).toBe(true);
  },
);
