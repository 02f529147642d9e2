import { expect, test } from 'vitest';
import { answerLimits, problemsInLimits } from '../../../server/service/api/limits/limits.ts';
import { openSyncConfigs } from '../../../server/service/deployments/syncConfigs.ts';
import { systemClock } from '../../../server/service/ground/clock.ts';
import { SourceFailure } from '../../../server/service/replication/source.ts';
import { type Syncing, startSyncing } from '../../support/clients/syncing.ts';
import { referenceEvaluation } from '../../support/engine/referenceRows.ts';

const limits = { buckets: 10, results: 10 };

async function limitsOf(
  { storage, source }: Syncing,
  asked: Readonly<Record<string, unknown>> = {},
  own = limits,
): Promise<Record<string, unknown>> {
  const { deployments: store, countRows } = storage;
  const configs = openSyncConfigs('public');
  const parts = { store, configs, storage, limits: own, countRows, source, clock: systemClock };
  return answerLimits(asked, parts, new AbortController().signal);
}

test('users are counted with all of their streams, although the request does not name them', async () => {
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
  const one = { buckets: 1, results: 0, reference: 0 };
  const fingerprint = expect.any(String);
  expect(await limitsOf(syncing)).toEqual({
    limits,
    of: 'active',
    groups: [
      expect.objectContaining({
        by: [],
        clients: 1,
        buckets: { most: 1, p99: 1 },
        others: { buckets: 13, results: 12, reference: 12, streams: ['lists', 'todos'] },
      }),
      {
        by: ['auth.user_id()'],
        clients: 2,
        evaluated: 2,
        buckets: { most: 14, p99: 14 },
        results: { most: 12, p99: 12 },
        reference: { most: 12, p99: 12 },
        streams: [
          { name: 'everything', ...one },
          { name: 'lists', ...one },
          { name: 'todos', buckets: 12, results: 12, reference: 12 },
        ],
        others: { buckets: 0, results: 0, reference: 0, streams: [] },
        most: [
          { values: ['ada'], buckets: 14, results: 12, reference: 12 },
          { values: ['bob'], buckets: 5, results: 3, reference: 3 },
        ],
      },
    ],
    streams: [
      { name: 'everything', ...one, fingerprint, surely: 0 },
      { name: 'lists', ...one, fingerprint, surely: 0 },
      { name: 'todos', buckets: 12, results: 12, reference: 12, fingerprint, surely: 12 },
    ],
  });
});

test('a value from many rows counts once here, and once for each row in the reference', async () => {
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
  expect(groups).toMatchObject([{ most: [{ values: ['ada'], buckets: 4, results: 4, reference: 30 }] }]);
});

test('streams that no row connects are added with their maximum', async () => {
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
  admins:
    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id()) AND auth.parameter('role') = 'admin'
  listed:
    query: SELECT * FROM todos WHERE list IN auth.parameter('lists')
  one:
    query: SELECT * FROM todos WHERE list = subscription.parameter('list')
`);
  const { groups, streams } = await limitsOf(syncing);
  const byUser = { by: ['auth.user_id()'], buckets: { most: 3, p99: 3 }, streams: [{ name: 'admins' }] };
  expect(groups).toMatchObject([
    {
      by: ['auth.user_id()', "subscription.parameter('org')"],
      most: [
        { values: ['ada', 'o1'], buckets: 3 },
        { values: ['ada', 'o2'], buckets: 3 },
      ],
      others: { streams: ['apart', 'listed', 'one'], buckets: 4 },
    },
    { ...byUser, others: { streams: ['both', 'apart', 'listed', 'one'], buckets: 6 } },
    { by: ["auth.parameter('org')"] },
  ]);
  expect(streams).toMatchObject([
    { name: 'both', buckets: 2 },
    { name: 'apart', buckets: 2, reference: 5 },
    { name: 'admins', buckets: 3 },
    { name: 'listed', buckets: 1, perElement: true },
    { name: 'one', buckets: 1 },
  ]);
});

test('nested lookups are followed', async () => {
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
  expect(groups).toMatchObject([{ clients: 1, most: [{ values: ['ada'], buckets: 3, reference: 4 }] }]);
});

const readsAll = `
config: { edition: 3 }
streams:
  notes:
    query: SELECT * FROM notes WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id() AND id IN (SELECT list FROM todos))
`;

async function withManyTodos(): Promise<Syncing> {
  const syncing = await startSyncing();
  syncing.source.commit((t) => {
    t.insert('lists', { id: 'l1', owner: 'ada', org: 'o1' });
    for (let i = 0; i < 40; i += 1) t.insert('todos', { id: `t${i}`, list: `l${i % 3}` });
  });
  await syncing.deploy(readsAll);
  return syncing;
}

test('lookups that only the reference makes are counted from rows of the source', async () => {
  const syncing = await withManyTodos();
  const evaluation = referenceEvaluation(readsAll);
  for (const [table, rows] of syncing.source.stateAt(await syncing.source.position()))
    for (const row of rows) evaluation.addRow(table, row as never);
  const subscriptions = [{ stream: 'notes', parameters: {} }];
  const there = await evaluation.results({ claims: { sub: 'ada' }, connection: {}, subscriptions });
  const { groups, streams } = await limitsOf(syncing);
  expect(groups).toMatchObject([{ most: [{ values: ['ada'], buckets: 1, reference: there }] }]);
  expect(streams).toEqual([expect.not.objectContaining({ atMost: true })]);
});

test('lookups that cannot be counted are reported as a maximum, and do not count for any client', async () => {
  const syncing = await withManyTodos();
  syncing.source.outage = new SourceFailure('unreachable', 'SVC_S1121', 'It is away.');
  const { groups, streams } = await limitsOf(syncing);
  expect(groups).toMatchObject([
    {
      reference: { most: 0 },
      most: [{ values: ['ada'], buckets: 1, reference: 0 }],
      others: { buckets: 0, reference: expect.any(Number), streams: ['notes'] },
    },
  ]);
  expect((groups as [{ others: { reference: number } }])[0].others.reference).toBeGreaterThanOrEqual(40);
  expect(streams).toMatchObject([{ name: 'notes', buckets: 1, atMost: true }]);
});

test('a config has the same counts before and after it is deployed', async () => {
  const syncing = await startSyncing();
  syncing.source.commit((t) => {
    for (let i = 0; i < 30; i += 1) t.insert('todos', { id: `t${i}`, list: `l${i % 4}`, by: 'ada' });
    for (let i = 0; i < 4; i += 1) t.insert('lists', { id: `l${i}`, owner: 'ada' });
  });
  const next = `
config: { edition: 3 }
streams:
  lists:
    query: SELECT * FROM lists WHERE id IN (SELECT list FROM todos WHERE by = auth.user_id())
  todos:
    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id())
`;
  const before = await limitsOf(syncing, { sync_rules: next });
  await syncing.deploy(`config: { edition: 3 }\nstreams:\n${next.slice(next.indexOf('  todos:'))}`);
  const between = await limitsOf(syncing, { sync_rules: next });
  await syncing.deploy(next);
  const after = await limitsOf(syncing);
  expect(after.groups).toMatchObject([{ most: [{ values: ['ada'], buckets: 8, reference: 34 }] }]);
  for (const { of, ...forecast } of [before, between]) expect({ ...forecast, of: 'active' }).toEqual(after);
  expect((await limitsOf(syncing, { streams: ['todos'] })).groups).toMatchObject([
    { most: [{ values: ['ada'], buckets: 4, reference: 4 }] },
  ]);
});

test('a config with errors and invalid parameters are refused', async () => {
  const syncing = await startSyncing();
  await syncing.deploy(readsAll);
  await expect(limitsOf(syncing, { sync_rules: 'streams: 1' })).rejects.toMatchObject({ code: 'SVC_R0001' });
  expect(problemsInLimits({ sync_rules: 1, streams: 'todos' })).toHaveLength(2);
});

test('a single user with very many buckets is found without evaluating all users', async () => {
  const syncing = await startSyncing();
  syncing.source.commit((t) => {
    for (let i = 0; i < 100_000; i += 1) t.insert('lists', { id: `l${i}`, owner: 'ada' });
    for (let i = 0; i < 300; i += 1) t.insert('lists', { id: `o${i}`, owner: `user${i}` });
  });
  await syncing.deploy(`
config: { edition: 3 }
streams:
  todos:
    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id())
`);
  const { groups } = await limitsOf(syncing);
  const [byUser] = groups as readonly Record<string, unknown>[];
  expect(byUser).toMatchObject({ clients: 301, buckets: { most: 100_000, p99: 1 } });
  expect(byUser?.evaluated).toBeLessThan(100);
});

test('only the remaining streams count after a stream was removed from the config', async () => {
  const syncing = await startSyncing();
  syncing.source.commit((t) => {
    for (let i = 0; i < 5; i += 1) t.insert('lists', { id: `l${i}`, owner: 'ada' });
    for (let i = 0; i < 2; i += 1) t.insert('todos', { id: `t${i}`, list: `m${i}`, by: 'ada' });
  });
  const owned =
    '  owned:\n    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id())\n';
  const shared =
    '  shared:\n    query: SELECT * FROM lists WHERE id IN (SELECT list FROM todos WHERE by = auth.user_id())\n';
  await syncing.deploy(`config: { edition: 3 }\nstreams:\n${owned}${shared}`);
  await syncing.deploy(`config: { edition: 3 }\nstreams:\n${shared}`);
  expect((await limitsOf(syncing)).groups).toMatchObject([{ most: [{ values: ['ada'], buckets: 2 }] }]);
});

test('limits of 0 and of a billion are reported unchanged', async () => {
  const syncing = await withManyTodos();
  for (const most of [0, 1_000_000_000]) {
    const own = { buckets: most, results: most };
    expect(await limitsOf(syncing, {}, own)).toMatchObject({ limits: own, groups: [{ clients: 1 }] });
  }
});

test('a claim with 10,000 elements excludes only the stream that reads it', async () => {
  const syncing = await startSyncing();
  syncing.source.commit((t) => t.insert('lists', { id: 'l1', owner: 'ada' }));
  await syncing.deploy(`
config: { edition: 3 }
streams:
  own:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner = auth.user_id()
  listed:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE id IN auth.parameter('lists')
`);
  const lists = Array.from({ length: 10_000 }, (_, i) => `l${i}`);
  syncing.users.set('ada', { claims: JSON.stringify({ sub: 'ada', lists }) });
  expect((await limitsOf(syncing)).streams).toMatchObject([
    { name: 'own' },
    { buckets: 1, perElement: true },
  ]);
  const stream = await syncing.stream({ token: 'ada' });
  await stream.until(({ client }) => client.completed !== undefined);
  expect([...stream.client.rows.keys()]).toHaveLength(1);
  const { streams } = (stream.lines[0]?.checkpoint ?? {}) as unknown as {
    readonly streams: readonly { readonly name: string; readonly errors: readonly unknown[] }[];
  };
  expect(streams.map(({ name, errors }) => [name, errors.length])).toEqual([
    ['own', 0],
    ['listed', 1],
  ]);
});
