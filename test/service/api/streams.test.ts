import { expect, test } from 'vitest';
import { streamsOf } from '../../../server/service/api/streams.ts';
import { openSyncConfigs } from '../../../server/service/deployments/syncConfigs.ts';

const content = `config:
  edition: 3
streams:
  lists:
    query: SELECT * FROM lists WHERE owner = auth.user_id()
  same:
    query: SELECT * FROM lists WHERE owner = auth.user_id()
  todos:
    queries:
      - SELECT * FROM todos WHERE owner = auth.user_id()
      - SELECT * FROM todos WHERE shared
  odd[name:
    query: SELECT * FROM notes
`;

const { evaluator } = openSyncConfigs('public').of({ id: 7, content });
const counts = new Map(
  Object.entries({ '7#lists|0': 3, '7#todos|0': 2, '7#todos|1': 1, '7#odd': 1, '6#lists|0': 100 }),
);

test('Streams have the buckets of all their queries, including shared ones', async () => {
  expect(await streamsOf(7, evaluator, async () => counts)).toEqual([
    { name: 'lists', buckets: 3 },
    { name: 'same', buckets: 3 },
    { name: 'todos', buckets: 3 },
    { name: 'odd[name' },
  ]);
});

test('No number is reported if there are too many buckets', async () => {
  const streams = await streamsOf(7, evaluator, async () => undefined);
  expect(streams.map((stream) => 'buckets' in stream)).toEqual([false, false, false, false]);
});
