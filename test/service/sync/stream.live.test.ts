import { expect, test } from 'vitest';
import { ownLists, type Syncing, startSyncing } from '../../support/clients/syncing.ts';
import type { SyncStream } from '../../support/clients/syncStream.ts';

const config = `${ownLists}  todos:
    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id()) AND list = subscription.parameter('list')
`;

const kindsOf = ({ lines }: SyncStream) => lines.map((line) => Object.keys(line)[0]);
const completes =
  (count: number) =>
  (stream: SyncStream): boolean =>
    kindsOf(stream).filter((kind) => kind === 'checkpoint_complete').length >= count;
const subscribe = (stream: string, parameters: object | null, priority: number | null = null) => ({
  stream,
  parameters,
  override_priority: priority,
});
const asking = (subscriptions: readonly object[], more: object = {}) => ({
  body: { raw_data: true, streams: { include_defaults: true, subscriptions }, ...more },
});
const addLists = ({ source }: Syncing, ...owners: readonly string[]) =>
  source.commit((t) => {
    for (const [i, owner] of owners.entries()) t.insert('lists', { id: `l${i + 1}`, owner });
  });

test('the first sync sends all rows of the user, and no others', async () => {
  const syncing = await startSyncing();
  addLists(syncing, 'user1', 'user2');
  await syncing.deploy(config);
  const stream = await syncing.stream();
  await stream.until(completes(1));
  expect([...stream.client.rows]).toEqual([['lists/l1', '{"id":"l1","owner":"user1"}']]);
  expect(kindsOf(stream)).toEqual(['checkpoint', 'data', 'checkpoint_complete']);
});

test('the headers contain the content type, and forbid buffering by proxies', async () => {
  const { stream } = await startSyncing({ config });
  const { status, headers } = await stream();
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'content-type': 'application/x-ndjson', 'x-accel-buffering': 'no' });
  expect(headers['content-encoding']).toBeUndefined();
});

test('changes are sent as diffs with only the affected buckets', async () => {
  const syncing = await startSyncing({ config });
  const stream = await syncing.stream();
  await stream.until(completes(1));
  addLists(syncing, 'user1');
  await stream.until(completes(2));
  expect([...stream.client.rows.keys()]).toEqual(['lists/l1']);
  syncing.source.commit((t) => t.update('lists', 'l1', { owner: 'user2' }));
  await stream.until(completes(3));
  expect(stream.client.rows.size).toBe(0);
  const diffs = stream.lines.flatMap((line) => line.checkpoint_diff ?? []);
  expect(diffs).toMatchObject([{ updated_buckets: [{ count: 1 }] }, { updated_buckets: [{ count: 2 }] }]);
});

test('changes for other users send nothing', async () => {
  const syncing = await startSyncing({ config });
  const stream = await syncing.stream();
  const other = await syncing.stream({ token: 'user2' });
  await stream.until(completes(1));
  await other.until(completes(1));
  addLists(syncing, 'user2');
  await other.until(completes(2));
  expect(stream.lines).toHaveLength(2);
});

test('a stream can be subscribed to with parameters, and its buckets name the subscription', async () => {
  const syncing = await startSyncing();
  addLists(syncing, 'user1', 'user2');
  syncing.source.commit((t) => {
    for (const list of ['l1', 'l2']) t.insert('todos', { id: `t-${list}`, list });
  });
  await syncing.deploy(config);
  const foreign = subscribe('todos', { list: 'l2' });
  const stream = await syncing.stream(asking([subscribe('todos', { list: 'l1' }, 1), foreign]));
  await stream.until(completes(1));
  expect([...stream.client.rows.keys()].sort()).toEqual(['lists/l1', 'todos/t-l1']);
  const first = stream.lines[0]?.checkpoint;
  const { buckets, streams } = (first ?? {}) as Record<string, unknown>;
  expect(streams).toEqual([
    { name: 'lists', is_default: true, errors: [] },
    { name: 'todos', is_default: false, errors: [] },
  ]);
  expect(buckets).toMatchObject([
    { priority: 3, subscriptions: [{ default: 0 }] },
    { priority: 1, subscriptions: [{ sub: 0 }] },
  ]);
});

test('an unknown stream is ignored without an error, and default streams can be excluded', async () => {
  const { stream: open } = await startSyncing({ config });
  const streams = { include_defaults: false, subscriptions: [subscribe('nope', null)] };
  const stream = await open({ body: { raw_data: true, streams } });
  await stream.until(completes(1));
  expect(stream.lines).toEqual([
    { checkpoint: { last_op_id: expect.any(String), buckets: [], streams: [] } },
    { checkpoint_complete: { last_op_id: expect.any(String) } },
  ]);
});

test('a row and the membership that grants it are added together and removed together', async () => {
  const syncing = await startSyncing({ config });
  const stream = await syncing.stream(asking([subscribe('todos', { list: 'l1' })]));
  await stream.until(completes(1));
  syncing.source.commit((t) => {
    t.insert('lists', { id: 'l1', owner: 'user1' });
    t.insert('todos', { id: 't1', list: 'l1' });
  });
  await stream.until(completes(2));
  expect([...stream.client.rows.keys()].sort()).toEqual(['lists/l1', 'todos/t1']);
  syncing.source.commit((t) => t.update('lists', 'l1', { owner: 'user2' }));
  await stream.until(completes(3));
  expect(stream.client.rows.size).toBe(0);
  expect(stream.lines.at(-3)?.checkpoint_diff).toMatchObject({ removed_buckets: [expect.any(String)] });
});

test('a bucket that returns is sent from its beginning', async () => {
  const syncing = await startSyncing({ config });
  syncing.source.commit((t) => t.insert('todos', { id: 't1', list: 'l1' }));
  addLists(syncing, 'user1');
  const stream = await syncing.stream(asking([subscribe('todos', { list: 'l1' })]));
  await stream.until(({ client }) => client.rows.size === 2);
  syncing.source.commit((t) => t.update('lists', 'l1', { owner: 'user2' }));
  await stream.until(({ client }) => client.rows.size === 0);
  syncing.source.commit((t) => t.update('lists', 'l1', { owner: 'user1' }));
  await stream.until(({ client }) => client.rows.size === 2);
});

test('a client that has everything gets no data', async () => {
  const syncing = await startSyncing();
  addLists(syncing, 'user1');
  await syncing.deploy(config);
  const first = await syncing.stream();
  await first.until(completes(1));
  const { positions } = first.client;
  const again = await syncing.stream({ body: { raw_data: true, buckets: positions }, client: first.client });
  await again.until(completes(1));
  expect(kindsOf(again)).toEqual(['checkpoint', 'checkpoint_complete']);
});

test('a client that returns gets only the changes that it missed', async () => {
  const syncing = await startSyncing();
  addLists(syncing, 'user1');
  await syncing.deploy(config);
  const first = await syncing.stream();
  await first.until(completes(1));
  first.close();
  const missed = syncing.source.commit((t) => t.insert('lists', { id: 'l9', owner: 'user1' }));
  await syncing.replicating.reach(missed);
  const buckets = [...first.client.positions, { name: 'gone[]', after: '99999999999999999' }];
  const again = await syncing.stream({ body: { raw_data: true, buckets }, client: first.client });
  await again.until(completes(1));
  expect(again.client.rows.size).toBe(2);
  expect(again.lines.flatMap((line) => line.data ?? [])).toMatchObject([{ data: [{ object_id: 'l9' }] }]);
});

test('a client with a position in the future is sent no data', async () => {
  const syncing = await startSyncing();
  addLists(syncing, 'user1');
  await syncing.deploy(config);
  const buckets = [{ name: '1#lists|0["user1"]', after: '9999999' }];
  const stream = await syncing.stream({ body: { raw_data: true, buckets }, client: { ...deaf } });
  await stream.until(completes(1));
  expect(kindsOf(stream)).toEqual(['checkpoint', 'checkpoint_complete']);
});

/** A client that accepts everything, even if other clients would complain. */
const deaf = {
  take: () => {},
  rows: new Map<string, string>(),
  positions: [],
  writeCheckpoint: undefined,
  completed: undefined,
  partial: [],
  streams: [],
  bucketNames: [],
};

test('urgent buckets are complete before the others are sent', async () => {
  const syncing = await startSyncing();
  addLists(syncing, 'user1');
  syncing.source.commit((t) => t.insert('todos', { id: 't1', list: 'l1' }));
  await syncing.deploy(config);
  const stream = await syncing.stream(asking([subscribe('todos', { list: 'l1' }, 0)]));
  await stream.until(completes(1));
  expect(kindsOf(stream)).toEqual([
    ...['checkpoint', 'data', 'partial_checkpoint_complete', 'data', 'checkpoint_complete'],
  ]);
  expect(stream.client.partial).toEqual([0]);
});

test('a failed evaluation is reported with its subscription, and other streams still work', async () => {
  const syncing = await startSyncing();
  addLists(syncing, 'user1');
  const broken = `${config}
  broken:
    query: SELECT * FROM todos WHERE list IN subscription.parameter('lists')
`;
  await syncing.deploy(broken);
  const stream = await syncing.stream(asking([subscribe('broken', { lists: 'not json' })]));
  await stream.until(completes(1));
  expect(stream.client.streams).toMatchObject([
    { name: 'lists', errors: [] },
    { name: 'broken', errors: [{ subscription: 0, message: expect.stringMatching(/JSON/) }] },
  ]);
  expect(stream.client.rows.size).toBe(1);
});

test('a burst of thousands of rows arrives in chunks', async () => {
  const syncing = await startSyncing();
  syncing.source.commit((t) => {
    for (let i = 0; i < 3500; i += 1) t.insert('lists', { id: `l${i}`, owner: 'user1' });
  });
  await syncing.deploy(config);
  const stream = await syncing.stream();
  await stream.until(completes(1));
  expect(stream.client.rows.size).toBe(3500);
  const chunks = stream.lines.flatMap(({ data }) => data ?? []) as Chunk[];
  const last = chunks.length - 1;
  expect(chunks.map(({ has_more }) => has_more)).toEqual(chunks.map((_, index) => index < last));
  const sizes = chunks.map(({ data }) => data.length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1000);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(3500);
});

interface Chunk {
  readonly has_more: boolean;
  readonly data: readonly unknown[];
}

test('simultaneous clients get the same lines', async () => {
  const syncing = await startSyncing();
  syncing.source.commit((t) => {
    for (let i = 0; i < 2500; i += 1) t.insert('lists', { id: `l${i}`, owner: 'user1' });
  });
  await syncing.deploy(config);
  const streams = await Promise.all(Array.from({ length: 8 }, () => syncing.stream()));
  await Promise.all(streams.map((each) => each.until(completes(1))));
  const [first, ...others] = streams;
  for (const { texts } of others) expect(texts).toEqual(first?.texts);
});

test('BSON is sent to clients that prefer it', async () => {
  const syncing = await startSyncing();
  addLists(syncing, 'user1');
  await syncing.deploy(config);
  const accept = 'application/vnd.powersync.bson-stream;q=0.9,application/x-ndjson;q=0.8';
  const stream = await syncing.stream({ headers: { accept } });
  await stream.until(completes(1));
  expect(stream.headers['content-type']).toBe('application/vnd.powersync.bson-stream');
  expect([...stream.client.rows.values()]).toEqual(['{"id":"l1","owner":"user1"}']);
});

test.each(['gzip', 'zstd'])('each line arrives at once through %s', async (encoding) => {
  const syncing = await startSyncing({ config });
  const stream = await syncing.stream({ headers: { 'accept-encoding': encoding } });
  await stream.until(completes(1));
  expect(stream.headers['content-encoding']).toBe(encoding);
  addLists(syncing, 'user1');
  await stream.until(completes(2));
});

test('old clients get the data of rows as objects, with all digits', async () => {
  const syncing = await startSyncing();
  syncing.source.commit((t) => t.insert('lists', { id: 'l1', owner: 'user1', big: 9007199254740993n, r: 1 }));
  await syncing.deploy(config);
  const stream = await syncing.stream({ body: {}, client: { ...deaf } });
  await stream.until(completes(1));
  expect(stream.texts[1]).toContain('"data":{"id":"l1","owner":"user1","big":9007199254740993,"r":1.0}}');
});

test('a new config ends the stream normally once it is active', async () => {
  const syncing = await startSyncing({ config });
  const stream = await syncing.stream();
  await stream.until(completes(1));
  await syncing.deploy(config.replace('auth.user_id()', "auth.user_id() AND id <> ''"));
  expect(await stream.ended).toBe('end');
  const again = await syncing.stream({ body: { raw_data: true, buckets: stream.client.positions } });
  await again.until(completes(1));
  expect(again.client.bucketNames).toEqual(['1.2#lists|0["user1"]']);
});

test('a config without one of the streams ends the connection at once, and the client keeps the others without a download', async () => {
  const more = `${config}  all:\n    auto_subscribe: true\n    query: SELECT id FROM lists\n`;
  const syncing = await startSyncing({ config: more });
  addLists(syncing, 'user1');
  const stream = await syncing.stream();
  await stream.until(() => stream.client.rows.size === 1);
  await syncing.deploy(config);
  expect(await stream.ended).toBe('end');
  const { client } = stream;
  const again = await syncing.stream({ body: { raw_data: true, buckets: client.positions }, client });
  await again.until(completes(1));
  expect(again.client.bucketNames).toEqual(['1#lists|0["user1"]']);
  expect(again.lines.filter((line) => 'data' in line)).toEqual([]);
});

test('a config with the same meaning does not end the stream', async () => {
  const syncing = await startSyncing({ config });
  const stream = await syncing.stream();
  await stream.until(completes(1));
  await syncing.deploy(`# Again\n${config}`);
  addLists(syncing, 'user1');
  await stream.until(completes(2));
  expect(stream.client.bucketNames).toEqual(['1#lists|0["user1"]']);
});

test('when the service stops, the stream ends normally', async () => {
  const { stream: open, server } = await startSyncing({ config });
  const stream = await open();
  await stream.until(completes(1));
  await server.stop();
  expect(await stream.ended).toBe('end');
});

test('without an active config, a stream is refused with an error', async () => {
  const { stream: open } = await startSyncing();
  const { status, ended, ...stream } = await open();
  await ended;
  expect(status).toBe(500);
  expect(stream.headers['content-type']).toMatch(/json/);
});

test('if the limit refuses clients, too many buckets are refused, and the error names the streams that cause them', async () => {
  const syncing = await startSyncing({ settings: { maxBucketsPerConnection: 5, overLimit: 'client' } });
  const many = config.replace('list = subscription.', 'list <> subscription.');
  syncing.source.commit((t) => {
    for (let i = 0; i < 7; i += 1) t.insert('lists', { id: `l${i}`, owner: 'user1' });
  });
  await syncing.deploy(
    many
      .replace("AND list <> subscription.parameter('list')", '')
      .replace('  todos:', '  todos:\n    auto_subscribe: true'),
  );
  const stream = await syncing.stream();
  await stream.ended;
  expect(stream.status).toBe(500);
  expect(stream.error).toMatchObject({
    error: { code: 'SVC_S2305', details: expect.stringMatching(/8 buckets.*5.*todos \(7\), lists \(1\)/) },
  });
});

test('if the limit refuses clients, a client that exceeds it later is cut off, and the log names the cause', async () => {
  const syncing = await startSyncing({ settings: { maxParameterQueryResults: 3, overLimit: 'client' } });
  addLists(syncing, 'user1', 'user1', 'user1');
  await syncing.deploy(
    config
      .replace(" AND list = subscription.parameter('list')", '')
      .replace('  todos:', '  todos:\n    auto_subscribe: true'),
  );
  const stream = await syncing.stream();
  await stream.until(completes(1));
  syncing.source.commit((t) => t.insert('lists', { id: 'l9', owner: 'user1' }));
  expect(await stream.ended).toBe('broken');
  expect(syncing.log.lines.filter(({ level }) => level === 'warn')).toMatchObject([
    { message: expect.stringMatching(/more than 3 values.*todos/) },
  ]);
});

const everyTodo = config
  .replace(" AND list = subscription.parameter('list')", '')
  .replace('  todos:', '  todos:\n    auto_subscribe: true');

test('a stream over the limit fails alone, reports the reason, and is sent when it fits', async () => {
  const syncing = await startSyncing({ settings: { maxBucketsPerConnection: 5 } });
  addLists(syncing, ...Array<string>(7).fill('user1'));
  await syncing.deploy(everyTodo);
  const stream = await syncing.stream();
  await stream.until(completes(1));
  expect(stream.client.rows.size).toBe(7);
  expect(stream.lines[0]?.checkpoint).toMatchObject({
    buckets: [{ bucket: '1#lists|0["user1"]' }],
    streams: [
      { name: 'lists', errors: [] },
      {
        name: 'todos',
        errors: [
          {
            subscription: 'default',
            message: expect.stringMatching(
              /7 buckets.* limit of one client is 5 \(max_buckets_per_connection\)/,
            ),
          },
        ],
      },
    ],
  });
  expect(syncing.log.lines.filter(({ level }) => level === 'warn')).toMatchObject([
    { message: expect.stringMatching(/does not get all of todos/) },
  ]);
  syncing.source.commit((t) => {
    for (const id of ['l1', 'l2', 'l3']) t.remove('lists', id);
    t.insert('todos', { id: 't7', list: 'l7' });
  });
  await stream.until(({ client }) => client.rows.has('todos/t7'));
  const told = stream.lines.flatMap((line) => line.checkpoint ?? []).at(-1);
  expect(told).toMatchObject({ streams: [{ errors: [] }, { errors: [] }] });
});

test('a stream that exceeds the limit later fails alone, and the client gets an error', async () => {
  const syncing = await startSyncing({ settings: { maxParameterQueryResults: 3 } });
  addLists(syncing, 'user1', 'user1', 'user1');
  await syncing.deploy(everyTodo);
  const stream = await syncing.stream();
  await stream.until(completes(1));
  syncing.source.commit((t) => t.insert('lists', { id: 'l9', owner: 'user1' }));
  await stream.until(({ client }) => client.rows.has('lists/l9'));
  const told = stream.lines.flatMap((line) => line.checkpoint ?? []).at(-1);
  expect(told).toMatchObject({
    buckets: [{ bucket: '1#lists|0["user1"]' }],
    streams: [
      { errors: [] },
      { errors: [{ message: expect.stringContaining('max_parameter_query_results') }] },
    ],
  });
});

test('of several subscriptions to a stream, those within the limit are kept', async () => {
  const syncing = await startSyncing({ settings: { maxBucketsPerConnection: 3 } });
  addLists(syncing, 'user1', 'user1', 'user1', 'user1');
  await syncing.deploy(config);
  const lists = ['l1', 'l2', 'l3', 'l4'].map((list) => subscribe('todos', { list }));
  const stream = await syncing.stream(asking(lists));
  await stream.until(completes(1));
  expect(stream.lines[0]?.checkpoint).toMatchObject({
    buckets: [{}, {}, {}],
    streams: [{ errors: [] }, { errors: [{ subscription: 2 }, { subscription: 3 }] }],
  });
});

test('rows with the same value count once', async () => {
  const syncing = await startSyncing({ settings: { maxParameterQueryResults: 3 } });
  syncing.source.commit((t) => {
    for (let i = 0; i < 40; i += 1) t.insert('todos', { id: `t${i}`, list: `l${i % 3}`, by: 'user1' });
    t.insert('lists', { id: 'l2', owner: 'user2' });
  });
  await syncing.deploy(`
config: { edition: 3 }
streams:
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE id IN (SELECT list FROM todos WHERE by = auth.user_id())
`);
  const stream = await syncing.stream();
  await stream.until(completes(1));
  expect([...stream.client.rows.keys()]).toEqual(['lists/l2']);
});

test('a lookup that is far too large does not affect other lookups', async () => {
  const syncing = await startSyncing({ settings: { maxParameterQueryResults: 3 } });
  syncing.source.commit((t) => {
    for (let i = 0; i < 80; i += 1) t.insert('todos', { id: `t${i}`, list: `l${i}`, by: 'user1' });
    t.insert('lists', { id: 'l2', owner: 'user1' });
  });
  await syncing.deploy(`
config: { edition: 3 }
streams:
  own:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE id IN (SELECT id FROM lists WHERE owner = auth.user_id())
  lists:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE id IN (SELECT list FROM todos WHERE by = auth.user_id())
`);
  const stream = await syncing.stream();
  await stream.until(completes(1));
  expect([...stream.client.rows.keys()]).toEqual(['lists/l2']);
  expect(stream.lines[0]?.checkpoint).toMatchObject({
    streams: [{ errors: [] }, { errors: [{ message: expect.stringContaining('too many results') }] }],
  });
});

test('a list with too many values for a lookup fails alone, and nothing is read for it', async () => {
  const syncing = await startSyncing({ settings: { maxParameterQueryResults: 3 } });
  addLists(syncing, 'user1');
  await syncing.deploy(`
config: { edition: 3 }
streams:
  own:
    auto_subscribe: true
    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id() AND id <> '')
  listed:
    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner IN subscription.parameter('owners'))
`);
  const owners = (count: number) => Array.from({ length: count }, (_, i) => `user${i}`);
  const stream = await syncing.stream(asking([subscribe('listed', { owners: owners(61) })]));
  await stream.until(completes(1));
  expect(stream.lines[0]?.checkpoint).toMatchObject({
    buckets: [{ bucket: '1#own|0["l1"]' }],
    streams: [{ errors: [] }, { errors: [{ message: expect.stringContaining('too many results') }] }],
  });
  const fewer = await syncing.stream(asking([subscribe('listed', { owners: owners(59) })]));
  await fewer.until(completes(1));
  expect(fewer.lines[0]?.checkpoint).toMatchObject({ streams: [{ errors: [] }, { errors: [] }] });
});

test('connected clients are listed, and forgotten when they disconnect', async () => {
  const syncing = await startSyncing();
  addLists(syncing, 'user1');
  await syncing.deploy(config);
  const stream = await syncing.stream({ body: { raw_data: true, client_id: 'c1' } });
  await stream.until(completes(1));
  const [client] = syncing.sync.clients.all();
  expect(client).toMatchObject({ userId: 'user1', clientId: 'c1', transport: 'http' });
  expect(client?.position()).toMatchObject({ buckets: ['1#lists|0["user1"]'], complete: true });
  expect(syncing.metrics.get('powersync_concurrent_connections')).toBe(1);
  expect(syncing.metrics.get('powersync_operations_synced_total')).toBe(1);
  stream.close();
  await syncing.replicating.until(() => syncing.sync.clients.size === 0, 'it is forgotten');
  expect(syncing.metrics.get('powersync_concurrent_connections')).toBe(0);
});

test('numbers in parameters keep the type in which they are written', async () => {
  const typed = `
config:
  edition: 3
streams:
  typed:
    query: SELECT * FROM todos WHERE kind = typeof(subscription.parameter('n'))
`;
  const syncing = await startSyncing({ config: typed });
  const streams = (n: string) =>
    `{"raw_data":true,"streams":{"subscriptions":[{"stream":"typed","parameters":{"n":${n}},"override_priority":null}]}}`;
  for (const [n, kind] of [
    ['1', 'integer'],
    ['1.0', 'real'],
  ] as const) {
    const stream = await syncing.stream({ body: streams(n) });
    await stream.until(completes(1));
    expect(stream.client.bucketNames).toEqual([`1#typed|0["${kind}"]`]);
  }
});
