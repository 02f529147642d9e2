import { serialize } from 'bson';
import { expect, test } from 'vitest';
import { openSocket, type Socket } from '../../../support/clients/rsocket.ts';
import {
  ownLists,
  type Syncing,
  type SyncingOptions,
  startSyncing,
} from '../../../support/clients/syncing.ts';
import { createManualClock } from '../../../support/service/manualClock.ts';

const config = ownLists;

const isComplete = ({ lines }: Socket): boolean => lines.some((line) => 'checkpoint_complete' in line);

async function start(rows = 1, options: SyncingOptions = {}): Promise<Syncing> {
  const syncing = await startSyncing(options);
  syncing.source.commit((t) => {
    for (let i = 0; i < rows; i += 1) t.insert('lists', { id: `l${i}`, owner: 'user1' });
  });
  await syncing.deploy(config);
  return syncing;
}

test('a stream can be requested before the token is verified', async () => {
  const { server } = await start();
  const socket = await openSocket(server.port);
  socket.setup();
  socket.request();
  await socket.until(isComplete);
  expect([...socket.client.rows.keys()]).toEqual(['lists/l0']);
});

test('later changes are sent', async () => {
  const { server, source } = await start();
  const socket = await openSocket(server.port);
  socket.setup();
  socket.request();
  await socket.until(isComplete);
  source.commit((t) => t.insert('lists', { id: 'l9', owner: 'user1' }));
  await socket.until(({ client }) => client.rows.size === 2);
});

test('a request may be BSON', async () => {
  const { server } = await start();
  const socket = await openSocket(server.port);
  const head = Buffer.from('00000000050000010000' + '00004e20' + '00015f90', 'hex');
  const type = Buffer.concat([Buffer.from([16]), Buffer.from('application/bson')]);
  const framed = (object: object) => {
    const bytes = Buffer.from(serialize(object));
    return Buffer.concat([Buffer.from([0, 0, bytes.length]), bytes]);
  };
  socket.send(Buffer.concat([head, type, type, framed({ token: 'Token user1' })]));
  const request = Buffer.from('000000011900' + '0000000a', 'hex');
  const body = Buffer.from(serialize({ raw_data: true, parameters: { n: 1, r: 1.5 } }));
  socket.send(Buffer.concat([request, framed({ path: '/sync/stream' }), body]));
  await socket.until(isComplete);
  expect(socket.client.rows.size).toBe(1);
});

test.each([
  ['application/json', (value: object) => Buffer.from(JSON.stringify(value))],
  ['application/bson', (value: object) => Buffer.from(serialize(value))],
] as const)('a setup in %s with many values is not parsed, so it has no token', async (name, write) => {
  const { server } = await start();
  const socket = await openSocket(server.port);
  const head = Buffer.from('00000000050000010000' + '00004e20' + '00015f90', 'hex');
  const type = Buffer.concat([Buffer.from([name.length]), Buffer.from(name)]);
  const metadata = write({ token: 'Token user1', many: Array.from({ length: 5_000 }, (_, n) => n) });
  const length = Buffer.alloc(4);
  length.writeUInt32BE(metadata.length);
  socket.send(Buffer.concat([head, type, type, length.subarray(1), metadata]));
  expect(await socket.closed).toBe(1000);
  expect(socket.errors).toEqual([{ stream: 0, code: 3, text: expect.stringMatching(/^\[PSYNC_S2106\] /) }]);
});

test('a request with too many values is refused', async () => {
  const { server } = await start();
  const socket = await openSocket(server.port);
  socket.setup();
  const subscriptions = Array.from({ length: 50_000 }, () => ({}));
  socket.request({ body: JSON.stringify({ streams: { subscriptions } }) });
  await socket.until(({ errors }) => errors.length > 0);
  expect(socket.errors).toMatchObject([
    { text: expect.stringMatching(/S2001.*\n.* more than 40000 values/) },
  ]);
});

test('no more payloads are sent than were requested', async () => {
  const { server } = await start(2500);
  const socket = await openSocket(server.port);
  socket.setup();
  socket.request({ initial: 2 });
  await socket.until(({ lines }) => lines.length === 2);
  socket.send(Buffer.from('000000000c800000000000000000', 'hex'));
  await socket.until(({ keepalives }) => keepalives === 1);
  expect(socket.lines).toHaveLength(2);
  socket.requestN(1);
  await socket.until(({ lines }) => lines.length === 3);
  socket.requestN(100);
  await socket.until(isComplete);
  expect(socket.client.rows.size).toBe(2500);
});

test('a wrong token is refused with a code that SDKs know, and the socket closed', async () => {
  const { server } = await start();
  const socket = await openSocket(server.port);
  socket.setup({ token: 'Token wrong' });
  socket.request();
  expect(await socket.closed).toBe(1000);
  expect(socket.errors).toEqual([{ stream: 0, code: 3, text: expect.stringMatching(/^\[PSYNC_S2106\] /) }]);
});

test('payloads of other types are refused', async () => {
  const { server } = await start();
  const socket = await openSocket(server.port);
  socket.setup({ type: 'text/plain' });
  await socket.closed;
  expect(socket.errors).toMatchObject([{ stream: 0, text: expect.stringMatching(/S2004/) }]);
});

test('a connection over the limit is refused with an error message', async () => {
  const { server } = await startSyncing({ config, settings: { maxConcurrentConnections: 1 } });
  const first = await openSocket(server.port);
  first.setup();
  first.request();
  await first.until(isComplete);
  const second = await openSocket(server.port);
  second.setup();
  await second.closed;
  expect(second.errors).toMatchObject([{ text: expect.stringMatching(/S2304/) }]);
});

test.each([
  ['an unknown path', { path: '/other' }, /S2002/],
  ['a body that is not JSON', { body: '{' }, /S2001/],
  [
    'a body with a wrong field',
    { body: '{"buckets":5}' },
    /S2001.*\n.*buckets must be a list, but is a number/,
  ],
])('%s ends the stream with an error, and the socket stays usable', async (_, options, text) => {
  const { server } = await start();
  const socket = await openSocket(server.port);
  socket.setup();
  socket.request(options);
  await socket.until(({ errors }) => errors.length === 1);
  expect(socket.errors).toEqual([{ stream: 1, code: 0x201, text: expect.stringMatching(text) }]);
  socket.request();
  await socket.until(isComplete);
});

test.each([
  ['bytes that are not a frame', Buffer.from('garbage')],
  ['nothing', Buffer.alloc(0)],
  ['text', 'hello'],
  ['a request before the setup', Buffer.from('0000000119000000000a0000007b7d', 'hex')],
  ['a frame of another kind', Buffer.from('000000000800', 'hex')],
])('%s closes the socket cleanly', async (_, garbage) => {
  const { server, sync } = await start();
  const socket = await openSocket(server.port);
  socket.send(garbage);
  expect(await socket.closed).toBe(1002);
  expect(sync.clients.size).toBe(0);
});

test('a message that is far too large closes the socket', async () => {
  const { server } = await start();
  const socket = await openSocket(server.port);
  socket.send(Buffer.alloc(3_000_000));
  expect(await socket.closed).toBe(1009);
});

test('a client that is silent for longer than it announced is dropped', async () => {
  const clock = createManualClock();
  const { server, sync, replicating } = await start(1, { clock });
  const socket = await openSocket(server.port);
  socket.setup({ lifetime: 90_000 });
  socket.request();
  await socket.until(isComplete);
  await clock.advance(89_000);
  socket.send(Buffer.from('000000000c800000000000000000', 'hex'));
  await socket.until(({ keepalives }) => keepalives === 1);
  await clock.advance(89_000);
  expect(sync.clients.size).toBe(1);
  await clock.advance(1_000);
  expect(await socket.closed).toBe(1001);
  await replicating.until(() => sync.clients.size === 0, 'it is forgotten');
});

test('a socket without a setup is closed after ten seconds', async () => {
  const clock = createManualClock();
  const { server } = await start(1, { clock });
  const socket = await openSocket(server.port);
  await clock.advance(10_000);
  expect(await socket.closed).toBe(1002);
});

test('CANCEL stops the stream', async () => {
  const { server, sync, replicating } = await start();
  const socket = await openSocket(server.port);
  socket.setup();
  socket.request();
  await socket.until(isComplete);
  expect(sync.clients.size).toBe(1);
  socket.send(Buffer.from('000000012400', 'hex'));
  await replicating.until(() => sync.clients.size === 0, 'it is forgotten');
});

test('a closed socket is forgotten, even while it waits for the client to request more', async () => {
  const { server, sync, replicating } = await start(2500);
  const socket = await openSocket(server.port);
  socket.setup();
  socket.request({ initial: 1 });
  await socket.until(({ lines }) => lines.length === 1);
  expect(sync.clients.size).toBe(1);
  socket.close();
  await replicating.until(() => sync.clients.size === 0, 'it is forgotten');
});

test('a new config completes the stream', async () => {
  const syncing = await start();
  const socket = await openSocket(syncing.server.port);
  socket.setup();
  socket.request();
  await socket.until(isComplete);
  await syncing.deploy(config.replace('auth.user_id()', "auth.user_id() AND id <> ''"));
  await socket.until(({ completed }) => completed);
});

test('when the service stops, streams are completed and sockets closed', async () => {
  const { server } = await start();
  const socket = await openSocket(server.port);
  socket.setup();
  socket.request();
  await socket.until(isComplete);
  await server.stop();
  expect(await socket.closed).toBe(1001);
  expect(socket.completed).toBe(true);
});
