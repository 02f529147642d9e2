import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Api, openApi } from '../../../client/api/api.ts';
import type { SyncQuestion, SyncResult } from '../../../client/api/synced.ts';
import { startSyncing } from '../../support/clients/syncing.ts';

const config = `
config:
  edition: 3
streams:
  mine:
    auto_subscribe: true
    query: SELECT * FROM lists WHERE owner = auth.user_id()
  todos:
    priority: 1
    query: SELECT * FROM todos WHERE list = subscription.parameter('list')
  shown:
    query: SELECT * FROM lists WHERE connection.parameter('show') = owner
`;
const nothing: SyncQuestion = { parameters: {}, subscriptions: [] };

let apis: Api[] = [];

afterEach(async () => {
  for (const api of apis) await api.close();
  apis = [];
});

function connect(port: number, token: string): Api {
  const api = openApi({ url: `http://127.0.0.1:${port}`, token, tokenOrigin: 'the test' });
  apis.push(api);
  return api;
}

/** Draws each row as `mine (default): lists l1 {"id":"l1"}`. */
function drawn({ buckets }: SyncResult): readonly string[] {
  return buckets.flatMap(({ reasons, rows }) => {
    const why = reasons.map(({ stream, subscription }) => `${stream} (${subscription})`).join(', ');
    return rows.map(({ table, id, data }) => `${why}: ${table} ${id} ${data}`);
  });
}

async function filled() {
  const syncing = await startSyncing();
  syncing.source.commit((t) => {
    t.insert('lists', { id: 'l1', owner: 'ada' });
    t.insert('lists', { id: 'l2', owner: 'bob' });
    t.insert('lists', { id: 'l3', owner: 'ada' });
    t.insert('todos', { id: 't1', list: 'l2' });
  });
  await syncing.deploy(config);
  return syncing;
}

describe('A client that syncs once', () => {
  test('receives the rows of a user and of the subscriptions, with the reason for each row', async () => {
    const { server } = await filled();
    const synced = await connect(server.port, 'ada').syncOnce({
      parameters: { show: 'bob' },
      subscriptions: [
        { stream: 'todos', parameters: { list: 'l2' } },
        { stream: 'shown', parameters: null },
      ],
    });
    expect(drawn(synced).toSorted()).toEqual([
      'mine (default): lists l1 {"id":"l1","owner":"ada"}',
      'mine (default): lists l3 {"id":"l3","owner":"ada"}',
      'shown (1): lists l2 {"id":"l2","owner":"bob"}',
      'todos (0): todos t1 {"id":"t1","list":"l2"}',
    ]);
    expect(synced).toMatchObject({ isWhole: true, problems: [], unknownStreams: [] });
    expect(synced.buckets.map(({ priority }) => priority).toSorted()).toEqual([1, 3, 3]);
  });

  test('receives only the current version of each row, also after compaction', async () => {
    const syncing = await filled();
    const { source, server, storage, replicating } = syncing;
    source.commit((t) => {
      t.update('lists', 'l1', { owner: 'bob' });
      t.update('lists', 'l3', { name: 'x' });
    });
    const api = connect(server.port, 'ada');
    const now = ['mine (default): lists l3 {"id":"l3","owner":"ada","name":"x"}'];
    await expect.poll(async () => drawn(await api.syncOnce(nothing))).toEqual(now);
    const [{ id = 0 } = {}] = await storage.deployments.all();
    await storage.compact(id, {
      lookups: false,
      now: 0,
      requestRetention: 0,
      signal: new AbortController().signal,
    });
    expect(drawn(await api.syncOnce(nothing))).toEqual(now);
    expect(replicating.deployment(id)?.state).toBe('active');
  });

  test('reports the subscribed streams that do not exist', async () => {
    const { server } = await filled();
    const subscriptions = [
      { stream: 'toods', parameters: null },
      { stream: 'toods', parameters: {} },
    ];
    const { unknownStreams } = await connect(server.port, 'ada').syncOnce({ parameters: {}, subscriptions });
    expect(unknownStreams).toEqual(['toods']);
  });

  test('disconnects after the sync', async () => {
    const { server, sync } = await filled();
    await connect(server.port, 'ada').syncOnce(nothing);
    await expect.poll(() => sync.clients.size).toBe(0);
  });

  test('stops after a limited number of rows, and reports that the result is incomplete', async () => {
    const syncing = await startSyncing({ config });
    syncing.source.commit((t) => {
      for (let n = 0; n < 12_000; n += 1) t.insert('lists', { id: `l${n}`, owner: 'ada' });
    });
    const api = connect(syncing.server.port, 'ada');
    const count = ({ buckets }: SyncResult) => buckets.reduce((sum, { rows }) => sum + rows.length, 0);
    await expect.poll(async () => count(await api.syncOnce(nothing))).toBeGreaterThan(10_000);
    expect((await api.syncOnce(nothing)).isWhole).toBe(false);
  });
});

describe('A sync reports', () => {
  test('a refused token', async () => {
    const { server } = await startSyncing({ config });
    await expect(connect(server.port, 'wrong').syncOnce(nothing)).rejects.toMatchObject({
      kind: 'unauthorized',
      message: expect.stringMatching(/^127\.0\.0\.1:\d+ does not accept the token from the test\./),
    });
  });

  test('that nothing is deployed', async () => {
    const { server } = await startSyncing();
    await expect(connect(server.port, 'ada').syncOnce(nothing)).rejects.toMatchObject({
      kind: 'failed',
      facts: { code: 'S2302' },
    });
  });

  async function answering(answer: RequestListener): Promise<Api> {
    const server = createServer(answer);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return connect((server.address() as AddressInfo).port, 'ada');
  }
  const checkpoint = '{"checkpoint":{"last_op_id":"1","buckets":[],"streams":[]}}\n';

  test.each<[string, RequestListener, object]>([
    [
      'a web page',
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>\n'),
      { kind: 'foreign', message: expect.stringMatching(/a web page/) },
    ],
    [
      'a stream that ends too early',
      (_, response) => response.end(checkpoint),
      { kind: 'lost', message: expect.stringMatching(/ended the stream before/) },
    ],
    [
      'a stream that breaks',
      (_, response) => response.write(checkpoint, () => response.destroy()),
      { kind: 'lost' },
    ],
  ])('%s', async (_, answer, failure) => {
    await expect((await answering(answer)).syncOnce(nothing)).rejects.toMatchObject(failure);
  });

  test('that the caller has cancelled it', async () => {
    const controller = new AbortController();
    const api = await answering((_, response) => response.write(checkpoint));
    const asked = api.syncOnce(nothing, { signal: controller.signal, onRows: () => controller.abort() });
    await expect(asked).rejects.toMatchObject({ kind: 'cancelled' });
  });

  test('a subscription that fails, in the words of another service', async () => {
    const message = '[PSYNC_S2305] Too many parameter query results';
    const lines = [
      {
        checkpoint: {
          last_op_id: '12',
          buckets: [
            { bucket: '1#todos|0["a"]', checksum: 1, count: 1, subscriptions: [{ sub: 0 }, { sub: 0 }] },
          ],
          streams: [{ name: 'todos', is_default: false, errors: [{ subscription: 1, message }] }],
        },
      },
      { token_expires_in: 3599 },
      {
        data: {
          bucket: '1#todos|0["a"]',
          after: '0',
          has_more: false,
          next_after: '12',
          data: [
            {
              op_id: '12',
              op: 'PUT',
              object_type: 'todos',
              object_id: 't',
              subkey: 's',
              data: '{"n":9007199254740993}',
            },
          ],
        },
      },
      { checkpoint_complete: { last_op_id: '12' } },
    ];
    const api = await answering((_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      for (const line of lines) response.write(`${JSON.stringify(line)}\n`);
    });
    const todos = { stream: 'todos', parameters: { list: 'a' } };
    const synced = await api.syncOnce({ parameters: {}, subscriptions: [todos, todos] });
    expect(drawn(synced)).toEqual(['todos (0): todos t {"n":9007199254740993}']);
    expect(synced).toMatchObject({ problems: [message], opId: '12' });
  });

  test('the known rows despite unknown lines and fields', async () => {
    const lines = [
      { checkpoint: { last_op_id: '3', buckets: [{ bucket: 'b' }, null], streams: 7 } },
      { data: { bucket: 'other', data: [{ op: 'PUT' }] } },
      {
        data: { bucket: 'b', data: [null, { op: 'PUT', object_type: 'x', object_id: '1', data: { id: 1 } }] },
      },
      { news: true },
      { checkpoint_complete: {} },
    ];
    const api = await answering((_, response) =>
      response.end(lines.map((line) => `${JSON.stringify(line)}\n`).join('\n')),
    );
    const { buckets } = await api.syncOnce(nothing);
    expect(buckets[0]).toEqual({
      name: 'b',
      priority: 3,
      reasons: [],
      rows: [{ table: 'x', id: '1', data: '{"id":1}' }],
    });
  });
});
