import { expect, test } from 'vitest';
import { startSyncing } from '../../support/syncing.ts';
import type { SyncStream } from '../../support/syncStream.ts';

const config = `
config:
  edition: 3
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner = auth.user_id()
  todos:
    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id()) AND list = subscription.parameter('list')
`;

const completes =
  (count: number) =>
  ({ lines }: SyncStream): boolean =>
    lines.filter((line) => 'checkpoint_complete' in line).length >= count;

test('the first sync brings all rows of the user, and no others', async () => {
  const syncing = await startSyncing();
  syncing.source.commit((t) => {
    t.insert('lists', { id: 'l1', owner: 'user1', name: 'one' });
    t.insert('lists', { id: 'l2', owner: 'user2', name: 'two' });
  });
  await syncing.deploy(config);
  const stream = await syncing.stream();
  await stream.until(completes(1));
  expect(stream.headers['content-type']).toBe('application/x-ndjson');
  expect(stream.headers['x-accel-buffering']).toBe('no');
  expect([...stream.client.rows]).toEqual([['lists/l1', '{"id":"l1","owner":"user1","name":"one"}']]);
  expect(stream.lines.map((line) => Object.keys(line)[0])).toEqual([
    'checkpoint',
    'data',
    'checkpoint_complete',
  ]);
});

test('changes come as diffs', async () => {
  const { source, stream: open } = await startSyncing({ config });
  const stream = await open();
  await stream.until(completes(1));
  source.commit((t) => t.insert('lists', { id: 'l1', owner: 'user1' }));
  await stream.until(completes(2));
  expect([...stream.client.rows.keys()]).toEqual(['lists/l1']);
  source.commit((t) => t.update('lists', 'l1', { owner: 'user2' }));
  await stream.until(completes(3));
  expect(stream.client.rows.size).toBe(0);
});
