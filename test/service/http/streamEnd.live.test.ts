/** The end of the connection of a stream, for several kinds of clients. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request as send } from 'node:http';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../../server/service/ground/log.ts';
import { startServer } from '../../../server/service/http/server.ts';
import { answerEvents } from '../../../server/service/watching/events.ts';
import { startSyncing } from '../../support/clients/syncing.ts';
import { createManualClock } from '../../support/service/manualClock.ts';

const config =
  'config:\n  edition: 3\nstreams:\n  all:\n    auto_subscribe: true\n    query: SELECT * FROM lists\n';

/** Sizes in bytes: more than `fetch` reads ahead, even when compressed, but so few that its socket still notices the end. */
const sizes = { identity: 80_000, gzip: 300_000, zstd: 300_000 };
type Encoding = keyof typeof sizes;

function largeText(encoding: Encoding): string {
  return randomBytes(sizes[encoding]).toString('base64');
}

async function startLargeStream(encoding: Encoding): Promise<number> {
  const { source, deploy, server } = await startSyncing();
  source.commit((t) => t.insert('lists', { id: 'l1', text: largeText(encoding) }));
  await deploy(config);
  return server.port;
}

async function startLargeEvents(encoding: Encoding): Promise<number> {
  const clock = createManualClock();
  const watch = () => () => {};
  const parts = {
    history: { seconds: () => [] },
    timeline: { add: () => {}, all: () => [], watch },
    clients: () => [],
    head: () => undefined,
    watchHead: watch,
    watchSeconds: watch,
    version: largeText(encoding),
    clock,
  };
  const { port, stop } = await startServer(
    {
      host: '127.0.0.1',
      port: 0,
      routes: [
        {
          method: 'POST',
          path: '/sync/stream',
          access: 'public',
          group: 'watching',
          body: 'none',
          answer: (call) => answerEvents(parts, call),
        },
      ],
      access: { admin: () => {}, user: () => Promise.reject(new Error('Nobody is a user.')) },
      maxStreams: 1,
    },
    { clock, log: silentLog },
  );
  onTestFinished(stop);
  return port;
}

/** Returns the sockets over which servers of this process have received a request. */
function acceptedSockets(): Socket[] {
  const sockets: Socket[] = [];
  const note = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket);
  subscribe('http.server.request.start', note);
  onTestFinished(() => void unsubscribe('http.server.request.start', note));
  return sockets;
}

test.each<[string, (encoding: Encoding) => Promise<number>, Encoding]>([
  ['without compression', startLargeStream, 'identity'],
  ['in gzip', startLargeStream, 'gzip'],
  ['in zstd', startLargeStream, 'zstd'],
  ['of events', startLargeEvents, 'identity'],
])(
  'a client with fetch that does not read survives the end of its connection: a stream %s',
  async (_, start, encoding) => {
    const port = await start(encoding);
    const sockets = acceptedSockets();
    const client = fork(new URL('./pausedFetch.mjs', import.meta.url), [String(port), encoding], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    onTestFinished(() => void client.kill('SIGKILL'));
    let errors = '';
    client.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    const ended = new Promise((resolve) => client.once('close', resolve));
    await once(client, 'message');
    const [socket] = sockets;
    await expect.poll(() => socket?.bytesWritten).toBeGreaterThan(70_000);
    socket?.resetAndDestroy();
    client.send('read');
    await ended;
    expect(errors).toBe('');
    expect(client.exitCode).toBe(0);
  },
);

const body = '{"raw_data":true}';

function post(port: number, agent: Agent): ClientRequest {
  const headers = { authorization: 'Token user1', 'content-type': 'application/json' };
  return send({ port, host: '127.0.0.1', method: 'POST', path: '/sync/stream', agent, headers }).end(body);
}

async function readToEnd(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  await once(response.resume(), 'end');
  return response;
}

async function startEnding() {
  const clock = createManualClock();
  const { server, users, stream } = await startSyncing({ config, clock });
  users.set('user1', { expiresAt: clock.now() / 1000 - 5 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return { clock, port: server.port, agent, stream };
}

test('the next request reuses the connection of a stream that has ended, and is not cut off', async () => {
  const { clock, port, agent } = await startEnding();
  const first = await readToEnd(post(port, agent));
  expect(first.headers).toMatchObject({ connection: 'keep-alive', 'keep-alive': 'timeout=10' });
  await clock.advance(9_000);
  const second = post(port, agent);
  await readToEnd(second);
  expect(second.reusedSocket).toBe(true);
  await clock.advance(9_000);
  const third = post(port, agent);
  await readToEnd(third);
  expect(third.reusedSocket).toBe(true);
});

test('a client that sends nothing for ten seconds after its stream has ended is cut off', async () => {
  const { clock, port, agent } = await startEnding();
  const request = post(port, agent);
  const [socket] = (await once(request, 'socket')) as [Socket];
  await readToEnd(request);
  await expect.poll(clock.sleeping).toBeGreaterThan(0);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await clock.advance(10_000);
  await closed;
});

test('the connection is closed after a stream if the client asks for this', async () => {
  const { stream } = await startEnding();
  const { headers, ended } = await stream();
  expect(headers.connection).toBe('close');
  expect(await ended).toBe('end');
});
