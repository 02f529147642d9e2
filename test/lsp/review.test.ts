import { expect, test } from 'vitest';
import {
  type MissingNamesResult,
  missingNamesRequest,
  type ReviewResult,
  reviewRequest,
  streamsRequest,
} from '../../server/protocol.ts';
import { canPull, connectClient } from '../support/editor/client.ts';

const uri = 'file:///w/sync.yaml';

async function review(text: string, before?: string): Promise<ReviewResult> {
  const client = await connectClient(canPull);
  const result = await client.request<ReviewResult>(reviewRequest, { uri, text, before });
  client.dispose();
  return result;
}

const config = (...streams: readonly string[]) => ['config:\n  edition: 3\nstreams:', ...streams].join('\n');
const lists = '  lists:\n    query: SELECT id, name FROM lists WHERE owner = auth.user_id()';
const todos = '  todos:\n    query: SELECT * FROM todos';

test('The changes of a deploy are reported by stream, with the tables that are read again', async () => {
  const after = config(lists.replace('id, name', 'id, name, colour'), todos.replace('todos:', 'tasks:'));
  expect(await review(after, config(lists, todos))).toEqual({
    isSyncConfig: true,
    errors: 0,
    warnings: expect.any(Number),
    playedDown: [],
    streams: [
      {
        name: 'lists',
        change: 'rows',
        tables: ['lists'],
        columns: { lost: [], gained: [{ table: 'lists', column: 'colour' }], unknown: [] },
      },
      {
        name: 'tasks',
        change: 'new',
        tables: [],
        columns: { lost: [], gained: [{ table: 'todos' }], unknown: [] },
      },
      {
        name: 'todos',
        change: 'gone',
        tables: [],
        columns: { lost: [{ table: 'todos' }], gained: [], unknown: [] },
      },
    ],
    streamCount: 2,
    dropped: [],
    access: {
      isExhausted: true,
      limits: [],
      // A new name for a stream does not change the access to its rows.
      changes: [expect.objectContaining({ kind: 'gained', table: 'lists', columns: ['colour'] })],
    },
  });
});

test('Gained and lost access is reported, gains first, with the smallest rows that show it', async () => {
  const open = lists.replace(' WHERE owner = auth.user_id()', '');
  const { access } = await review(config(open), config(lists, todos));
  expect(access?.isExhausted).toBe(true);
  expect(access?.changes).toEqual([
    {
      kind: 'gained',
      stream: 'lists',
      table: 'lists',
      id: 'list-1',
      rows: ['lists: [{ id: list-1 }]'],
      asked: 'subscribe: [{ stream: lists, parameters: {} }]',
    },
    expect.objectContaining({ kind: 'lost', stream: 'todos', table: 'todos' }),
  ]);
  expect((await review(config(lists))).access).toBeUndefined();
  expect((await review(config(lists), 'config: { edition: 3 }\nstreams: { a: 1 }')).access).toBeUndefined();
});

test('Tables that clients lose are reported, and columns if they are known', async () => {
  const before = config(lists, '  old:\n    query: SELECT id, text FROM notes', todos);
  const after = config(lists.replace('id, name', 'id'), todos);
  // The columns of * are not known.
  expect((await review(after, before)).dropped).toEqual([{ table: 'notes' }]);
  const known = [lists, '  old:\n    query: SELECT id, text FROM notes'];
  expect((await review(config(lists.replace('id, name', 'id')), config(...known))).dropped).toEqual([
    { table: 'lists', column: 'name' },
    { table: 'notes' },
  ]);
  expect((await review(config('  all:\n    query: SELECT * FROM "li%"'), config(lists))).dropped).toEqual([]);
});

test('The columns of a stream are unknown if all columns of an unknown table are read before or after', async () => {
  const columnsAfter = async (after: string) =>
    (await review(config(lists, after), config(lists, todos))).streams.map(({ columns }) => columns);
  const unknown = [{ lost: [], gained: [], unknown: ['todos'] }];
  expect(await columnsAfter(todos.replace('*', 'id, text'))).toEqual(unknown);
  expect(await columnsAfter(todos.replace('*', '*, 1 AS one'))).toEqual(unknown);
  // The columns are the same, whatever they are.
  expect(await columnsAfter(`${todos} WHERE owner = auth.user_id()`)).toEqual([
    { lost: [], gained: [], unknown: [] },
  ]);
});

test('Tables and columns that a service does not have are reported with the streams that read them', async () => {
  const client = await connectClient(canPull);
  const column = (name: string) => ({ name, sqlite_type: 2, internal_type: 'text', type: 'text' });
  const schemas = [{ name: 'public', tables: [{ name: 'lists', columns: [column('id'), column('owner')] }] }];
  const answer = {
    data: { connections: [{ id: 'default', tag: 'default', schemas }], defaultSchema: 'public' },
  };
  const missing = (of: unknown) =>
    client.request<MissingNamesResult>(missingNamesRequest, { text: config(lists, todos), answer: of });
  expect(await missing(answer)).toEqual([
    { table: 'lists', column: 'name', readBy: ['lists'] },
    { table: 'todos', readBy: ['todos'] },
  ]);
  expect(await missing({ data: 'nothing' })).toBeNull();
  client.dispose();
});

test('Streams are returned with the parameters that they read', async () => {
  const client = await connectClient(canPull);
  const text = config(
    "  by_list:\n    query: SELECT * FROM todos WHERE list_id = subscription.parameter('list_id')",
    '  all:\n    auto_subscribe: true\n    query: SELECT * FROM lists',
    "  two:\n    queries:\n      - SELECT * FROM a WHERE x = subscription.parameter('x')\n      - SELECT * FROM b WHERE y = subscription.parameters() ->> 'y' AND x = subscription.parameter('x')",
  );
  expect(await client.request(streamsRequest, { text })).toEqual([
    { name: 'by_list', isDefault: false, parameters: ['list_id'] },
    { name: 'all', isDefault: true, parameters: [] },
    { name: 'two', isDefault: false, parameters: ['x', 'y'] },
  ]);
  client.dispose();
});

test('A change of letter case or of comments changes no stream', async () => {
  const { streams } = await review(config(`# mine\n${lists.replace('SELECT', 'select')}`), config(lists));
  expect(streams).toEqual([]);
});

test('If nothing is deployed, every stream is new', async () => {
  const { streams } = await review(config(lists, todos));
  expect(streams.map(({ name, change }) => `${name} ${change}`)).toEqual(['lists new', 'todos new']);
});

test('Errors are counted, and other YAML is not a sync config', async () => {
  expect(await review(config('  a:\n    query: SELEC'))).toMatchObject({ isSyncConfig: true, errors: 1 });
  expect(await review('apiVersion: v1')).toMatchObject({ isSyncConfig: false, errors: 0 });
});
