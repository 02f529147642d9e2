import { afterEach, beforeEach, expect, test } from 'vitest';
import type {
  CallHierarchyIncomingCall,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  LinkedEditingRanges,
  TextEdit,
} from 'vscode-languageserver';
import { bareHost } from '../../../server/lsp/host/host.ts';
import { type Client, canPull, connectClient } from '../../support/editor/client.ts';
import { memoryFiles } from '../../support/editor/memoryFiles.ts';

const uri = 'file:///w/sync.yaml';
const textDocument = { uri };
const text = `config:
  edition: 3
with:
  mine: SELECT id FROM lists
streams:
  a:
    query: SELECT * FROM todos WHERE list_id IN mine
  b:
    query: select * from lists where id in (select list_id from todos)
  c:
    query: select * from lists
`;
const other = 'config: { edition: 3 }\nstreams:\n  elsewhere:\n    query: SELECT * FROM todos\n';
const inTodos = { line: 6, character: 27 };

let client: Client;
beforeEach(async () => {
  const files = memoryFiles(new Map([['file:///w/other/sync.yaml', other]]));
  client = await connectClient(canPull, { host: { ...bareHost, files }, folders: ['file:///w/'] });
  await client.open(uri, text);
});
afterEach(() => client.dispose());

async function prepare(position: object): Promise<CallHierarchyItem> {
  const params = { textDocument, position };
  const [item] = await client.request<CallHierarchyItem[]>('textDocument/prepareCallHierarchy', params);
  if (item === undefined) throw new Error('Nothing is there.');
  return item;
}

test('A table is called by the streams that read it, in all files', async () => {
  const item = await prepare(inTodos);
  expect(item).toMatchObject({ name: 'todos', detail: 'table' });
  await expect
    .poll(async () => {
      const calls = await client.request<CallHierarchyIncomingCall[]>('callHierarchy/incomingCalls', {
        item,
      });
      return calls.map(({ from, fromRanges }) => `${from.name} ${fromRanges.length}`);
    })
    .toEqual(['a 1', 'b 1', 'elsewhere 1']);
});

test('A stream calls the tables that it reads', async () => {
  const item = await prepare({ line: 7, character: 2 });
  const calls = await client.request<CallHierarchyOutgoingCall[]>('callHierarchy/outgoingCalls', { item });
  expect(calls.map(({ to }) => to.name)).toEqual(['lists', 'todos']);
});

test('A name that only the file uses is edited at all of its places, but a table name is not', async () => {
  const at = (line: number, character: number) =>
    client.request<LinkedEditingRanges | null>('textDocument/linkedEditingRange', {
      textDocument,
      position: { line, character },
    });
  expect((await at(3, 3))?.ranges.map(({ start }) => start.line)).toEqual([3, 6]);
  expect((await at(5, 2))?.ranges).toHaveLength(1);
  expect(await at(6, 27)).toBeNull();
});

test('Several selections are formatted, each query once', async () => {
  const place = (line: number) => ({ start: { line, character: 12 }, end: { line, character: 13 } });
  const edits = await client.request<TextEdit[]>('textDocument/rangesFormatting', {
    textDocument,
    ranges: [place(8), place(8), place(10)],
    options: {},
  });
  expect([...new Set(edits.map(({ range }) => range.start.line))]).toEqual([8, 10]);
  const places = edits.map(({ range }) => JSON.stringify(range));
  expect(new Set(places).size).toBe(places.length);
});
