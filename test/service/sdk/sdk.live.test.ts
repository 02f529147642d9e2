import { describe, expect, test } from 'vitest';
import { openApp } from '../../support/clients/sdk.ts';
import { ownLists, startSyncing } from '../../support/clients/syncing.ts';

const config = `${ownLists}  todos:
    query: SELECT * FROM todos WHERE list IN (SELECT id FROM lists WHERE owner = auth.user_id()) AND list = subscription.parameter('list')
`;

const transports = [
  { name: 'HTTP with BSON', transport: 'http', only: undefined },
  { name: 'HTTP with lines of JSON', transport: 'http', only: 'application/x-ndjson' },
  { name: 'WebSocket', transport: 'websocket', only: undefined },
] as const;

describe.each(transports)('an app with the SDK over $name', ({ transport, only }) => {
  const start = () => startSyncing({ config, ...(only && { acceptOnly: only }) });

  test('syncs its rows, and follows changes', async () => {
    const { source, server } = await start();
    source.commit((t) => {
      t.insert('lists', { id: 'l1', owner: 'user1', name: 'one' });
      t.insert('lists', { id: 'l2', owner: 'user2', name: 'two' });
    });
    const app = await openApp({ port: server.port, transport });
    const other = await openApp({ port: server.port, transport, token: 'user2' });
    await app.database.waitForFirstSync();
    await app.until('SELECT id, name FROM lists', [{ id: 'l1', name: 'one' }]);
    await other.until('SELECT id, name FROM lists', [{ id: 'l2', name: 'two' }]);
    source.commit((t) => t.update('lists', 'l1', { name: 'changed' }));
    await app.until('SELECT name FROM lists', [{ name: 'changed' }]);
    source.commit((t) => t.update('lists', 'l1', { id: 'l3' }));
    await app.until('SELECT id FROM lists', [{ id: 'l3' }]);
    source.commit((t) => t.update('lists', 'l3', { owner: 'user2' }));
    await app.until('SELECT id FROM lists', []);
    await other.until('SELECT id FROM lists ORDER BY id', [{ id: 'l2' }, { id: 'l3' }]);
    source.commit((t) => t.truncate('lists'));
    await other.until('SELECT id FROM lists', []);
    expect(app.tokensFetched).toBe(1);
  });

  test('subscribes to a stream with parameters, and unsubscribes', async () => {
    const { source, server } = await start();
    source.commit((t) => {
      t.insert('lists', { id: 'l1', owner: 'user1', name: 'one' });
      t.insert('todos', { id: 't1', list: 'l1', title: 'mine' });
    });
    const app = await openApp({ port: server.port, transport });
    await app.until('SELECT id FROM lists', [{ id: 'l1' }]);
    expect(await app.rows('SELECT id FROM todos')).toEqual([]);
    const stream = app.database.syncStream('todos', { list: 'l1' });
    const subscription = await stream.subscribe();
    await subscription.waitForFirstSync();
    await app.until('SELECT id FROM todos', [{ id: 't1' }]);
    // A time to live of zero is not used: the SDK counts it in whole seconds, and may drop the stream before it has requested it.
    await stream.unsubscribeAll();
    await app.until('SELECT id FROM todos', []);
  });

  test('keeps everything else while one stream is over the limit, and gets that stream when it fits', async () => {
    const { source, server } = await startSyncing({
      config: config
        .replace(" AND list = subscription.parameter('list')", '')
        .replace('  todos:', '  todos:\n    auto_subscribe: true'),
      settings: { maxBucketsPerConnection: 4 },
      ...(only && { acceptOnly: only }),
    });
    source.commit((t) => {
      for (const n of [1, 2, 3]) {
        t.insert('lists', { id: `l${n}`, owner: 'user1' });
        t.insert('todos', { id: `t${n}`, list: `l${n}` });
      }
    });
    const app = await openApp({ port: server.port, transport });
    await app.until('SELECT count(*) AS n FROM todos', [{ n: 3 }]);
    source.commit((t) => t.insert('lists', { id: 'l4', owner: 'user1' }));
    await app.until('SELECT count(*) AS n FROM lists', [{ n: 4 }]);
    await app.until('SELECT count(*) AS n FROM todos', [{ n: 0 }]);
    source.commit((t) => t.update('lists', 'l1', { name: 'still synced' }));
    await app.until("SELECT id FROM lists WHERE name = 'still synced'", [{ id: 'l1' }]);
    source.commit((t) => t.remove('lists', 'l4'));
    await app.until('SELECT count(*) AS n FROM todos', [{ n: 3 }]);
  });

  test('sees its upload exactly once, and never loses it again', async () => {
    const { source, server } = await start();
    const app = await openApp({ port: server.port, transport, backend: source });
    await app.database.waitForFirstSync();
    await app.database.execute(`INSERT INTO lists (id, owner, name) VALUES ('l1', 'user1', 'offline')`);
    await app.until('SELECT name FROM lists', [{ name: 'offline' }]);
    source.commit((t) => t.put('lists', 'l2', { id: 'l2', owner: 'user1', name: 'of others' }));
    await app.until('SELECT name FROM lists ORDER BY id', [{ name: 'offline' }, { name: 'of others' }]);
    source.commit((t) => t.update('lists', 'l1', { name: 'changed by the backend' }));
    await app.until('SELECT name FROM lists ORDER BY id', [
      { name: 'changed by the backend' },
      { name: 'of others' },
    ]);
  });

  test('switches to a new config while it is connected', async () => {
    const { source, server, deploy } = await start();
    source.commit((t) => t.insert('lists', { id: 'l1', owner: 'user1', name: 'one' }));
    const app = await openApp({ port: server.port, transport });
    await app.until('SELECT id FROM lists', [{ id: 'l1' }]);
    await deploy(config.replace('SELECT * FROM lists', `SELECT id, 'renamed' AS name FROM lists`));
    await app.until('SELECT id, name FROM lists', [{ id: 'l1', name: 'renamed' }]);
  });
});

test('the app also waits for numbers that it chooses for its uploads', async () => {
  const { source, server } = await startSyncing({ config });
  const app = await openApp({ port: server.port, backend: source, options: { checkpointMode: 'requests' } });
  await app.database.waitForFirstSync();
  await app.database.execute(`INSERT INTO lists (id, owner, name) VALUES ('l1', 'user1', 'offline')`);
  source.commit((t) => t.put('lists', 'l2', { id: 'l2', owner: 'user1', name: 'of others' }));
  await app.until('SELECT name FROM lists ORDER BY id', [{ name: 'offline' }, { name: 'of others' }]);
});
