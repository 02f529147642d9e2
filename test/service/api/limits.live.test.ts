import { expect, test } from 'vitest';
import { answerLimits } from '../../../server/service/api/limits.ts';
import type { ApiParts } from '../../../server/service/api/parts.ts';
import { openSyncConfigs } from '../../../server/service/deployments/syncConfigs.ts';
import { type Syncing, startSyncing } from '../../support/clients/syncing.ts';

const limits = { buckets: 10, results: 10 };

async function limitsOf({ storage }: Syncing): Promise<Record<string, unknown>> {
  const parts = { store: storage.deployments, configs: openSyncConfigs('public'), storage, limits };
  return answerLimits(parts as unknown as ApiParts);
}

test('users are counted with all of their streams, without anybody naming them', async () => {
  const syncing = await startSyncing();
  syncing.source.commit((t) => {
    for (let i = 0; i < 12; i += 1) t.insert('lists', { id: `a${i}`, owner: 'ada' });
    for (let i = 0; i < 3; i += 1) t.insert('lists', { id: `b${i}`, owner: 'bob' });
    t.insert('lists', { id: 'nobody', owner: null });
  });
  await syncing.deploy(`
config: { edition: 3 }
streams:
  everything:
    query: SELECT * FROM lists
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner = auth.user_id()
  todos:
    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id())
`);
  expect(await limitsOf(syncing)).toEqual({
    limits,
    groups: [
      expect.objectContaining({ by: [], buckets: { most: 1, p99: 1 }, clients: 1 }),
      {
        by: ['auth.user_id()'],
        clients: 2,
        evaluated: 2,
        buckets: { most: 13, p99: 13 },
        results: { most: 12, p99: 12 },
        streams: [
          { name: 'lists', most: 1, p99: 1 },
          { name: 'todos', most: 12, p99: 12 },
        ],
        most: [
          { values: ['ada'], buckets: 13, results: 12 },
          { values: ['bob'], buckets: 4, results: 3 },
        ],
      },
    ],
    unknown: [],
  });
});

test('duplicates are in the results, and not in the buckets', async () => {
  const syncing = await startSyncing();
  syncing.source.commit((t) => {
    for (let i = 0; i < 30; i += 1) t.insert('todos', { id: `t${i}`, list: `l${i % 4}`, by: 'ada' });
  });
  await syncing.deploy(`
config: { edition: 3 }
streams:
  lists:
    query: SELECT * FROM lists WHERE id IN (SELECT list FROM todos WHERE by = auth.user_id())
`);
  const { groups } = await limitsOf(syncing);
  expect(groups).toMatchObject([{ most: [{ values: ['ada'], buckets: 4, results: 30 }] }]);
});

test('values of several subjects that one lookup tells are counted, others are said to be unknown', async () => {
  const syncing = await startSyncing();
  syncing.source.commit((t) => {
    t.insert('lists', { id: 'l1', owner: 'ada', org: 'o1' });
    t.insert('lists', { id: 'l2', owner: 'ada', org: 'o1' });
    t.insert('lists', { id: 'l3', owner: 'ada', org: 'o2' });
  });
  await syncing.deploy(`
config: { edition: 3 }
streams:
  both:
    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id() AND org = subscription.parameter('org'))
  apart:
    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id()) AND list IN (SELECT id FROM lists WHERE org = auth.parameter('org'))
  listed:
    query: SELECT * FROM todos WHERE list IN auth.parameter('lists')
`);
  const { groups, unknown } = await limitsOf(syncing);
  expect(groups).toMatchObject([
    { by: ['auth.user_id()', "subscription.parameter('org')"], most: [{ buckets: 2 }, { buckets: 1 }] },
  ]);
  expect(unknown).toEqual([
    { stream: 'apart', reason: 'several' },
    { stream: 'listed', reason: 'list' },
  ]);
});

test('a lookup that leads to another one is followed', async () => {
  const syncing = await startSyncing();
  syncing.source.commit((t) => {
    for (let i = 0; i < 5; i += 1) t.insert('lists', { id: `l${i}`, owner: `org${i % 2}` });
    t.insert('todos', { id: 't1', org: 'org0', member: 'ada' });
  });
  await syncing.deploy(`
config: { edition: 3 }
streams:
  todos:
    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner IN (SELECT org FROM todos WHERE member = auth.user_id()))
`);
  const { groups } = await limitsOf(syncing);
  expect(groups).toMatchObject([{ clients: 1, most: [{ values: ['ada'], buckets: 3, results: 4 }] }]);
});
