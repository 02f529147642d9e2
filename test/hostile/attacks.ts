/** What somebody hostile does to a service, as often as they can until they are stopped. */
import { existsSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { connectCrowd } from '../bench/scale/crowd.ts';
import { type Random, randomOf } from '../consistency/random.ts';
import { clientToken } from '../support/clients/clientAuth.ts';
import { keepaliveFrame, requestFrame, setupFrame } from './frames.ts';
import { startIdleCrowds } from './idleCrowds.ts';

export interface Target {
  readonly port: number;
  readonly seed: number;
  /** Clients that an attack is among. */
  readonly clients: number;
  /** Idle sockets at the same time, for the attack that opens more than there is room for. */
  readonly sockets: number;
}

export interface Attacking {
  readonly signal: AbortSignal;
  /** Those that it is among are there: from now on, probes are judged. */
  begin(): void;
  /** One more attempt. */
  count(): void;
  /** The service did what it must not do. */
  complain(complaint: string): void;
}

type Attack = (target: Target, attacking: Attacking) => Promise<void>;

export const attacks = {
  'keepalives-without-setup': (target, attacking) =>
    crowd(6, attacking, async () => {
      const socket = await openWebSocket(target);
      socket.pause();
      await sendUntilClosed(socket, () => socket.send(keepaliveFrame(1024 * 1024 - 14)), attacking);
    }),
  'keepalives-with-token': async (target, attacking) => {
    const token = await clientToken('user1');
    await crowd(6, attacking, async () => {
      const socket = await openWebSocket(target);
      socket.send(setupFrame(token));
      socket.pause();
      await sendUntilClosed(socket, () => socket.send(keepaliveFrame(1000)), attacking);
    });
  },
  pings: async (target, attacking) => {
    const token = await clientToken('user1');
    await crowd(6, attacking, async () => {
      const socket = await openWebSocket(target);
      socket.send(setupFrame(token));
      socket.pause();
      await sendUntilClosed(socket, () => socket.ping(Buffer.alloc(125)), attacking);
    });
  },
  amplification: (target, attacking) => {
    const body = JSON.stringify({ streams: { subscriptions: Array.from({ length: 349_000 }, () => ({})) } });
    return crowd(40, attacking, () => exchange(target, post('/sync/stream', body), attacking));
  },
  'amplification-with-token': async (target, attacking) => {
    const body = JSON.stringify({ streams: { subscriptions: Array.from({ length: 349_000 }, () => ({})) } });
    const token = await clientToken('user1');
    await crowd(1, attacking, () => exchange(target, post('/sync/stream', body, token), attacking));
  },
  'slow-bodies': async (target, attacking) => {
    const token = await clientToken('user1');
    const crowdOf = (size: number, path: string, authorization?: string) =>
      crowd(size, attacking, async () => {
        const head = post(path, 'x'.repeat(100_000), authorization).slice(0, -99_999);
        await holdOpen(openSocket(target, head), attacking, (socket) => socket.write('x'));
      });
    await Promise.all([
      crowdOf(200, '/sync/stream'),
      crowdOf(30, '/api/admin/v1/diagnostics'),
      crowdOf(200, '/sync/stream', token),
    ]);
  },
  'sockets-without-setup': (target, attacking) =>
    crowd(1_200, attacking, async () => {
      const socket = await openWebSocket(target);
      await Promise.race([closeOf(socket), aborted(attacking.signal)]);
      socket.terminate();
    }),
  'idle-sockets': (target, attacking) =>
    crowd(3_000, attacking, () => holdOpen(openSocket(target, ''), attacking, () => undefined)),
  // Without `--sockets`, three times as many as there is room for. The oldest go, and come again: 100,000 within a minute.
  'more-idle-sockets-than-room': async (target, attacking) => {
    const here = Math.min(target.sockets, mostSockets());
    const others = startIdleCrowds(
      { port: target.port, sockets: target.sockets - here, each: here },
      attacking.count,
    );
    await Promise.all([
      crowd(here, attacking, () => holdOpen(openSocket(target, ''), attacking, () => undefined)),
      aborted(attacking.signal).then(others.end),
    ]);
  },
  'a-byte-a-second-among-many': async (target, attacking) => {
    attacking.count();
    const users = Array.from({ length: target.clients }, (_, n) => `reader-${n}`);
    const tokens = await Promise.all(users.map((user) => clientToken(user)));
    const requests = tokens.map((token) => post('/sync/stream', '{"raw_data":true}', token));
    const readers = await Promise.race([
      connectCrowd(target.port, requests, completeLine),
      aborted(attacking.signal),
    ]);
    if (readers === undefined) return;
    attacking.begin();
    await Promise.all([
      crowd(5, attacking, async () => readByteBySecond(target, await clientToken('user1', '10s'), attacking)),
      expectChanges(readers, attacking),
    ]);
    await readers.close();
  },
  'clients-that-do-not-read': (target, attacking) => {
    const random = randomOf(target.seed);
    return crowd(40, attacking, async () => {
      const token = await clientToken('user1', '3s');
      if (random.below(2) === 0) {
        const socket = openSocket(target, post('/sync/stream', '{"raw_data":true}', token)).pause();
        await expectClose(socket, attacking);
        socket.destroy();
      } else {
        const socket = await openWebSocket(target);
        socket.send(setupFrame(token));
        socket.send(requestFrame(1_000_000));
        socket.pause();
        await expectClose(socket, attacking);
        socket.terminate();
      }
    });
  },
  'malformed-requests': (target, attacking) => {
    const random = randomOf(target.seed);
    return crowd(50, attacking, () => {
      const whole = Buffer.from(post('/sync/stream', '{"raw_data":true,"client_id":"a"}', 'a.b.c'));
      return exchange(target, mutated(whole, random), attacking);
    });
  },
  'mutated-frames': async (target, attacking) => {
    const random = randomOf(target.seed);
    const token = await clientToken('user1');
    await crowd(10, attacking, async () => {
      const socket = await openWebSocket(target);
      const frames = [setupFrame(token), requestFrame(10), keepaliveFrame(0), requestFrame(1)];
      for (const frame of frames) socket.send(random.below(2) === 0 ? frame : mutated(frame, random));
      attacking.count();
      await Promise.race([closeOf(socket), pause(50)]);
      socket.terminate();
    });
  },
} as const satisfies Record<string, Attack>;

export type AttackName = keyof typeof attacks;

export const attackNames = Object.keys(attacks) as readonly AttackName[];

export function isAttackName(name: string): name is AttackName {
  return Object.hasOwn(attacks, name);
}

/** So many at once, each again and again. */
async function crowd(size: number, attacking: Attacking, attempt: () => Promise<void>): Promise<void> {
  const one = async (): Promise<void> => {
    while (!attacking.signal.aborted) {
      attacking.count();
      await attempt().catch(() => undefined);
      await pause(5);
    }
  };
  await Promise.all(Array.from({ length: size }, one));
}

function post(path: string, body: string, token?: string): string {
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  const length = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`;
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}${length}\r\n\r\n${body}`;
}

function openSocket({ port }: Target, bytes: string | Buffer): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(bytes);
  return socket;
}

/** Sends, reads until something has come, and closes. */
async function exchange(target: Target, bytes: string | Buffer, { signal }: Attacking): Promise<void> {
  const socket = openSocket(target, bytes);
  await Promise.race([
    new Promise((resolve) => socket.once('data', resolve).once('close', resolve)),
    aborted(signal),
    pause(5_000),
  ]);
  socket.destroy();
}

async function holdOpen(socket: Socket, { signal }: Attacking, act: (socket: Socket) => void): Promise<void> {
  const timer = setInterval(() => act(socket), 1_000);
  if (!socket.isPaused()) socket.resume();
  await Promise.race([new Promise((resolve) => socket.once('close', resolve)), aborted(signal)]);
  clearInterval(timer);
  socket.destroy();
}

async function openWebSocket({ port }: Target): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/sync/stream`);
  socket.on('error', () => undefined);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('close', reject));
  return socket;
}

/** As fast as the service takes it. A socket that is not read does not see that it was closed: it is given up after a while. */
async function sendUntilClosed(socket: WebSocket, send: () => void, attacking: Attacking): Promise<void> {
  const end = Date.now() + 10_000;
  while (socket.readyState === WebSocket.OPEN && !attacking.signal.aborted && Date.now() < end) {
    if (socket.bufferedAmount < 8 * 1024 * 1024) for (let i = 0; i < 20; i += 1) send();
    await pause(1);
  }
  socket.terminate();
}

/** What is paused does not see its end: after 20 s, long after the token's, it reads what there still is. */
async function expectClose(socket: Socket | WebSocket, attacking: Attacking): Promise<void> {
  const closed = new Promise((resolve) => socket.once('close', resolve));
  if ((await outcome(closed, 20_000, attacking)) !== 'late') return;
  socket.resume();
  if ((await outcome(closed, 5_000, attacking)) === 'late')
    attacking.complain('A client that does not read was connected 20 s after its token expired.');
}

async function outcome(
  event: Promise<unknown>,
  ms: number,
  { signal }: Pick<Attacking, 'signal'>,
): Promise<'happened' | 'late' | 'over'> {
  return Promise.race([
    event.then(() => 'happened' as const),
    aborted(signal).then(() => 'over' as const),
    pause(ms).then(() => 'late' as const),
  ]);
}

const completeLine = '{"checkpoint_complete"';

/** Something changes all the time. */
async function expectChanges(
  readers: Awaited<ReturnType<typeof connectCrowd>>,
  attacking: Attacking,
): Promise<void> {
  const { signal, complain } = attacking;
  while (!signal.aborted) {
    if ((await outcome(readers.saw(completeLine), 15_000, attacking)) === 'late')
      complain('A client that reads got no change for 15 s, beside one that reads a byte a second.');
    await Promise.race([pause(1_000), aborted(signal)]);
  }
}

/** Until it is cut off, which must be soon after the end of its token: then it reads what there still is. */
async function readByteBySecond(target: Target, token: string, attacking: Attacking): Promise<void> {
  const room = Buffer.alloc(64 * 1024);
  let isSlow = true;
  const onread = { buffer: () => (isSlow ? room.subarray(0, 1) : room), callback: () => !isSlow };
  const socket = connect({ port: target.port, host: '127.0.0.1', onread });
  socket.on('error', () => undefined);
  socket.write(post('/sync/stream', '{"raw_data":true}', token));
  const timer = setInterval(() => socket.resume(), 1_000);
  const hurry = setTimeout(() => {
    isSlow = false;
  }, 22_000);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  if ((await outcome(closed, 30_000, attacking)) === 'late')
    attacking.complain('One that read a byte a second was not cut off for 20 s.');
  clearInterval(timer);
  clearTimeout(hurry);
  socket.destroy();
}

/** As many as this process and the service may open, beside some hundred other files. */
function mostSockets(): number {
  if (!existsSync('/proc/self/limits')) return 3_000;
  const [, most = '0'] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return Number(most) - 500;
}

function closeOf(socket: WebSocket): Promise<unknown> {
  return new Promise((resolve) => socket.once('close', resolve));
}

function mutated(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  for (let i = 0; i <= random.below(4); i += 1) copy[random.below(copy.length)] = random.below(256);
  return random.below(4) === 0 ? copy.subarray(0, random.below(copy.length)) : copy;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
