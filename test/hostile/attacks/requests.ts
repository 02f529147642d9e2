/** Attacks with requests: very many at once, malformed ones, and ones with large or slow headers. */
import { type Random, randomOf } from '../../consistency/random.ts';
import { clientToken } from '../../support/clients/clientAuth.ts';
import {
  type Attack,
  type Attacking,
  closeOf,
  crowd,
  exchange,
  flood,
  get,
  openSocket,
  pause,
  post,
  type Target,
} from './attack.ts';

/** A public file, a path that does not exist, and the liveness probe. */
const openPaths = ['/console/console.js', '/nothing', '/probes/liveness'] as const;

export const requestAttacks = {
  'pipelining-on-one-socket': { enough: 6, run: (...call) => pipeline(1, ...call) },
  'pipelining-on-many-sockets': { enough: 90, run: (...call) => pipeline(30, ...call) },
  'pipelining-with-token': {
    enough: 10,
    run: async (target, attacking) => {
      const request = post('/sync/stream', '{}', await clientToken('user1'));
      await crowd(5, attacking, () => floodWith(target, request, attacking));
    },
  },
  'malformed-requests': {
    enough: 200,
    run: (target, attacking) => {
      const random = randomOf(target.seed);
      const whole = Buffer.from(post('/sync/stream', '{"raw_data":true,"client_id":"a"}', 'a.b.c'));
      return crowd(50, attacking, () => exchange(target, mutated(whole, random), attacking));
    },
  },
  // 20 connections at once keep the service busy all the time, and each of them sends thousands of packets.
  'headers-byte-by-byte': {
    enough: 20,
    run: (target, attacking) => {
      const bytes = Buffer.from(get('/nothing', `X: ${'x'.repeat(64 * 1024)}\r\n`));
      return crowd(20, attacking, async () => {
        const socket = openSocket(target, '').resume();
        const closed = closeOf(socket);
        for (let at = 0; at < bytes.length && !socket.destroyed && !attacking.signal.aborted; at += 1) {
          socket.write(bytes.subarray(at, at + 1));
          if (at % 8 === 0) await pause(0);
        }
        await Promise.race([closed, pause(10)]);
        socket.destroy();
      });
    },
  },
  'large-headers-without-end': {
    enough: 400,
    run: (target, attacking) => {
      const bytes = get('/nothing', `X: ${'x'.repeat(63 * 1024)}`).slice(0, -2);
      return crowd(400, attacking, () => closeWith(openSocket(target, bytes).resume(), attacking));
    },
  },
  'huge-tokens': {
    enough: 100,
    run: (target, attacking) => {
      const token = `e30.${'x'.repeat(1024 * 1024)}.x`;
      return crowd(20, attacking, () => exchange(target, post('/sync/stream', '{}', token), attacking));
    },
  },
  'http2-prefaces': {
    enough: 200,
    run: (target, attacking) => {
      const settings = Buffer.alloc(9);
      settings.writeUInt8(4, 3);
      const bytes = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), settings]);
      return crowd(50, attacking, () => exchange(target, bytes, attacking));
    },
  },
} as const satisfies Record<string, Attack>;

async function pipeline(each: number, target: Target, attacking: Attacking): Promise<void> {
  await Promise.all(
    openPaths.map((path) => crowd(each, attacking, () => floodWith(target, get(path), attacking))),
  );
}

function floodWith(target: Target, request: string, attacking: Attacking): Promise<void> {
  return flood(openSocket(target, ''), Buffer.from(request.repeat(500)), attacking);
}

async function closeWith(socket: ReturnType<typeof openSocket>, { signal }: Attacking): Promise<void> {
  const gone = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  await Promise.race([closeOf(socket), gone]);
  socket.destroy();
}

export function mutated(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  for (let i = 0; i <= random.below(4); i += 1) copy[random.below(copy.length)] = random.below(256);
  return random.below(4) === 0 ? copy.subarray(0, random.below(copy.length)) : copy;
}
