/** WebSockets of hostile clients, before and after they send a token. */
import { connect } from 'node:net';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Closing, openConnections } from '../../../server/service/http/connections.ts';
import { openSocket } from '../../support/clients/rsocket.ts';
import { startSyncing } from '../../support/clients/syncing.ts';
import { createManualClock } from '../../support/service/manualClock.ts';

const config =
  'config:\n  edition: 3\nstreams:\n  all:\n    auto_subscribe: true\n    query: SELECT * FROM lists\n';

const keepalive = (size = 0, respond = true) =>
  Buffer.concat([Buffer.from(respond ? '000000000c80' : '000000000c00', 'hex'), Buffer.alloc(8 + size)]);

async function open(port: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/sync/stream`);
  onTestFinished(() => socket.terminate());
  socket.on('error', () => {});
  await new Promise((resolve) => socket.on('open', resolve).on('close', resolve));
  return socket;
}

const closeOf = (socket: WebSocket) => new Promise<number>((resolve) => socket.once('close', resolve));

test.each([
  ['KEEPALIVE', keepalive()],
  ['KEEPALIVE without RESPOND', keepalive(0, false)],
  ['REQUEST_STREAM', Buffer.from('0000000119000000000a000000', 'hex')],
  ['REQUEST_N', Buffer.from('00000001200000000001', 'hex')],
  ['CANCEL', Buffer.from('000000012400', 'hex')],
  ['ERROR', Buffer.from('000000002c0000000101', 'hex')],
])('%s before SETUP closes the socket, without an answer', async (_, frame) => {
  const { server } = await startSyncing();
  const socket = await open(server.port);
  let answers = 0;
  socket.on('message', () => {
    answers += 1;
  });
  socket.send(frame);
  expect(await closeOf(socket)).toBe(1002);
  expect(answers).toBe(0);
});

test.each([
  ['one large message', (socket: WebSocket) => socket.send(keepalive(1024 * 1024 - 14))],
  [
    'a message in pieces',
    (socket: WebSocket) => {
      for (let i = 0; i < 20; i += 1) socket.send(Buffer.alloc(16 * 1024), { fin: false });
    },
  ],
  [
    'pings',
    (socket: WebSocket) => {
      for (let i = 0; i < 2_000; i += 1) socket.ping(Buffer.alloc(125));
    },
  ],
])('a socket is closed if it sends more bytes than a SETUP can have: %s', async (_, attack) => {
  // The clock does not advance, so no time limit closes the socket.
  const { server } = await startSyncing({ clock: createManualClock() });
  const socket = await open(server.port);
  const closed = closeOf(socket);
  attack(socket);
  await closed;
});

test('a socket with a token stays open while many connections without a token are opened', async () => {
  const connections = openConnections({ guestPlaces: 5 });
  const { server } = await startSyncing({ config, connections });
  const socket = await openSocket(server.port);
  socket.setup();
  socket.request();
  await socket.until(({ lines }) => lines.length > 0);
  const guests = Array.from({ length: 50 }, () => connect(server.port, '127.0.0.1').on('error', () => {}));
  onTestFinished(() => {
    for (const guest of guests) guest.destroy();
  });
  let displaced = 0;
  for (const guest of guests) guest.resume().once('close', () => (displaced += 1));
  await expect.poll(() => displaced).toBe(45);
  socket.send(keepalive());
  await socket.until(({ keepalives }) => keepalives === 1);
});

test.each([
  ['before SETUP', false],
  ['after SETUP', true],
])('a message in very many fragments closes its socket %s', async (_, isSetUp) => {
  const closings: Closing[] = [];
  const connections = openConnections({ onClosing: (closing) => closings.push(closing) });
  const { server } = await startSyncing({ config, connections });
  const socket = await open(server.port);
  const closed = closeOf(socket);
  const [setup] = await setupFrames(undefined);
  if (isSetUp && setup !== undefined) socket.send(setup);
  for (let i = 0; i < 1_000; i += 1) socket.send(Buffer.alloc(1), { fin: false });
  await closed;
  expect(closings).toEqual(['over budget']);
});

test('sockets without SETUP do not take the places of other sockets, and the oldest ones are closed', async () => {
  const { server } = await startSyncing({ config, settings: { maxConcurrentConnections: 5 } });
  const idle = await Promise.all(Array.from({ length: 1_020 }, () => open(server.port)));
  const socket = await openSocket(server.port);
  socket.setup();
  socket.request();
  await socket.until(({ lines }) => lines.some((line) => 'checkpoint_complete' in line));
  await expect.poll(() => idle.filter(({ readyState }) => readyState === WebSocket.CLOSED).length).toBe(21);
});

test('a socket with a refused token frees its place', async () => {
  const { server } = await startSyncing({ config, settings: { maxConcurrentConnections: 1 } });
  for (let i = 0; i < 5; i += 1) {
    const refused = await openSocket(server.port);
    refused.setup({ token: 'Token wrong' });
    await refused.closed;
    expect(refused.errors).toMatchObject([{ text: expect.stringMatching(/S2106/) }]);
  }
  const socket = await openSocket(server.port);
  socket.setup();
  socket.request();
  await socket.until(({ lines }) => lines.length > 0);
});

test('KEEPALIVE frames are limited in size and rate', async () => {
  const { server } = await startSyncing({ config, clock: createManualClock() });
  const large = await openSocket(server.port);
  large.setup();
  large.send(keepalive(2_000));
  expect(await large.closed).toBe(1002);
  const many = await openSocket(server.port);
  many.setup();
  for (let i = 0; i < 101; i += 1) many.send(keepalive());
  expect(await many.closed).toBe(1002);
  const usual = await openSocket(server.port);
  usual.setup();
  usual.send(keepalive(4));
  await usual.until(({ keepalives }) => keepalives === 1);
});

test.each([
  ['without a stream', undefined],
  ['that requests no payloads', 0],
  ['that reads nothing', 1_000_000],
])('a socket %s is closed when its token expires', async (_, initial) => {
  const clock = createManualClock();
  const { source, server, users, sync, deploy } = await startSyncing({ clock });
  source.commit((t) => {
    for (let i = 0; i < 3_000; i += 1) t.insert('lists', { id: `l${i}`, text: 'x'.repeat(10_000) });
  });
  await deploy(config);
  users.set('user1', { expiresAt: clock.now() / 1000 + 60 });
  const socket = await open(server.port);
  const closed = closeOf(socket);
  const frames = await setupFrames(initial);
  for (const frame of frames) socket.send(frame);
  if (initial !== undefined) {
    await expect.poll(() => sync.clients.size).toBe(1);
    await expect.poll(() => sync.clients.all()[0]?.position() !== undefined).toBe(true);
  } else await new Promise((resolve) => setTimeout(resolve, 50));
  if (initial !== 0) socket.pause();
  await clock.advance(61_000);
  await clock.advance(11_000);
  await clock.advance(10_000);
  await expect.poll(() => sync.clients.size).toBe(0);
  socket.resume();
  await closed;
});

test('an HTTP client that reads nothing is cut off when its token has expired', async () => {
  const clock = createManualClock();
  const { source, server, users, sync, deploy } = await startSyncing({ clock });
  source.commit((t) => {
    for (let i = 0; i < 3_000; i += 1) t.insert('lists', { id: `l${i}`, text: 'x'.repeat(10_000) });
  });
  await deploy(config);
  users.set('user1', { expiresAt: clock.now() / 1000 + 60 });
  const body = '{"raw_data":true}';
  const head = `POST /sync/stream HTTP/1.1\r\nHost: a\r\nAuthorization: Token user1\r\nContent-Type: application/json`;
  const socket = connect(server.port, '127.0.0.1')
    .pause()
    .on('error', () => {});
  onTestFinished(() => void socket.destroy());
  socket.write(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await expect.poll(() => sync.clients.all()[0]?.position() !== undefined).toBe(true);
  await clock.advance(60_000);
  await expect.poll(() => sync.clients.size).toBe(0);
  await clock.advance(10_000);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.resume();
  await closed;
});

test('sockets that send corrupted frames neither end the service nor keep their places', async () => {
  const { server, log, sync } = await startSyncing({ config, settings: { maxConcurrentConnections: 3 } });
  const frames = [...(await setupFrames(10)), keepalive(), Buffer.from('00000001200000000001', 'hex')];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(3), fc.nat(200), fc.nat(255)), { maxLength: 5 }),
      async (flips) => {
        const socket = await open(server.port);
        for (const [n, frame] of frames.entries()) {
          const bytes = Buffer.from(frame);
          for (const [of, at, value] of flips) if (of === n) bytes[at % bytes.length] = value;
          socket.send(bytes);
        }
        socket.close();
        await closeOf(socket);
      },
    ),
    { seed: 7, numRuns: 150 },
  );
  await expect.poll(() => sync.clients.size).toBe(0);
  const honest = await openSocket(server.port);
  honest.setup();
  honest.request();
  await honest.until(({ lines }) => lines.some((line) => 'checkpoint_complete' in line));
  expect(log.lines.filter(({ level, facts }) => level === 'error' && facts.code === undefined)).toEqual([]);
});

/** Returns the frames that an SDK sends: SETUP, and a REQUEST_STREAM for `initial` payloads if that number is defined. */
async function setupFrames(initial: number | undefined): Promise<readonly Buffer[]> {
  const u32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const type = Buffer.concat([Buffer.from([16]), Buffer.from('application/json')]);
  const framed = (object: object) => {
    const bytes = Buffer.from(JSON.stringify(object));
    return Buffer.concat([u32(bytes.length).subarray(1), bytes]);
  };
  const head = Buffer.from('00000000050000010000', 'hex');
  const setup = Buffer.concat([
    head,
    u32(20_000),
    u32(600_000),
    type,
    type,
    framed({ token: 'Token user1' }),
  ]);
  if (initial === undefined) return [setup];
  const path = framed({ path: '/sync/stream' });
  const request = Buffer.concat([
    Buffer.from('000000011900', 'hex'),
    u32(initial),
    path,
    Buffer.from('{"raw_data":true}'),
  ]);
  return [setup, request];
}
