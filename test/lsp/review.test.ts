import { expect, test } from 'vitest';
import { type ReviewResult, reviewRequest } from '../../server/protocol.ts';
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

test('What a deploy changes is told stream by stream, with the tables that are read again', async () => {
  const after = config(lists.replace('id, name', 'id, name, colour'), todos.replace('todos:', 'tasks:'));
  expect(await review(after, config(lists, todos))).toEqual({
    isSyncConfig: true,
    errors: 0,
    warnings: expect.any(Number),
    playedDown: [],
    streams: [
      { name: 'lists', change: 'rows', tables: ['lists'] },
      { name: 'tasks', change: 'new', tables: [] },
      { name: 'todos', change: 'gone', tables: [] },
    ],
  });
});

test('What is written in another way changes nothing', async () => {
  const { streams } = await review(config(`# mine\n${lists.replace('SELECT', 'select')}`), config(lists));
  expect(streams).toEqual([]);
});

test('Without anything deployed, every stream is new', async () => {
  const { streams } = await review(config(lists, todos));
  expect(streams.map(({ name, change }) => `${name} ${change}`)).toEqual(['lists new', 'todos new']);
});

test('Errors are counted, and other YAML is none of ours', async () => {
  expect(await review(config('  a:\n    query: SELEC'))).toMatchObject({ isSyncConfig: true, errors: 1 });
  expect(await review('apiVersion: v1')).toMatchObject({ isSyncConfig: false, errors: 0 });
});
