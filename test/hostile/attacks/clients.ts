/** Attacks by clients with a token that read nothing, or only a byte a second. */
import { connect, type Socket } from 'node:net';
import { patient } from '../../../scripts/run/patience.ts';
import { connectCrowd } from '../../bench/scale/crowd.ts';
import { randomOf } from '../../consistency/random.ts';
import { clientToken } from '../../support/clients/clientAuth.ts';
import { requestFrame, setupFrame } from '../frames.ts';
import {
  type Attack,
  type Attacking,
  aborted,
  closeOf,
  crowd,
  openSocket,
  openWebSocket,
  outcome,
  pause,
  post,
  type Target,
} from './attack.ts';

/** The lifetime of a token in seconds. */
const lifetime = 5;
/**
 * Milliseconds after which a client that has not read begins to read. The service closes its connection 10 s after its token has
 * expired; the remaining time is for a service that gets little processor time.
 */
const readsAfter = 20_000 + patient(5_000);
/** Milliseconds in which a client reads everything that the operating system has buffered for it, even on a busy machine. */
const readsWithin = patient(60_000);
/**
 * More bytes than the operating systems of both sides buffer. The answer has 20 MB. If a slow service has sent fewer bytes when the
 * token expires, all of them are in these buffers, so it ends the answer properly although the client reads nothing.
 */
const mostOnTheWay = 10_000_000;

const request = '{"raw_data":true}';
const stillConnected = 'A client that does not read was still connected long after its token had expired.';

export const clientAttacks = {
  'clients-that-do-not-read': {
    enough: 40,
    run: (target, attacking) => {
      const random = randomOf(target.seed);
      return crowd(40, attacking, async () => {
        const token = await clientToken('user1', `${lifetime}s`);
        if (random.below(2) === 0) await expectCut(target, token, attacking);
        else await expectTermination(target, token, attacking);
      });
    },
  },
  'a-byte-a-second-among-many': {
    enough: 1,
    needs: { clients: 300 },
    run: async (target, attacking) => {
      const users = Array.from({ length: target.clients }, (_, n) => `reader-${n}`);
      const tokens = await Promise.all(users.map((user) => clientToken(user)));
      const requests = tokens.map((token) => post('/sync/stream', request, token));
      const readers = await Promise.race([
        connectCrowd(target.port, requests, completeLine),
        aborted(attacking.signal),
      ]);
      if (readers === undefined) return;
      attacking.begin();
      await Promise.all([
        crowd(5, attacking, async () =>
          readByteBySecond(target, await clientToken('user1', '10s'), attacking),
        ),
        expectChanges(readers, attacking),
      ]);
      await readers.close();
    },
  },
} as const satisfies Record<string, Attack>;

/**
 * Looks at the end of the answer, not at the time, because a busy machine may delay this process. If the service has cut off the
 * answer, its last chunk is missing. If the service still held the connection, it would send the rest and end the answer properly.
 */
async function expectCut(target: Target, token: string, attacking: Attacking): Promise<void> {
  const socket = openSocket(target, post('/sync/stream', request, token)).pause();
  const closed = closeOf(socket);
  await Promise.race([pause(readsAfter), aborted(attacking.signal)]);
  if (!attacking.signal.aborted) await judge(socket, closed, attacking);
  socket.destroy();
}

async function judge(socket: Socket, closed: Promise<unknown>, attacking: Attacking): Promise<void> {
  let size = 0;
  let end = '';
  socket.on('data', (bytes) => {
    size += bytes.length;
    end = (end + bytes.toString('latin1')).slice(-lastChunk.length);
  });
  socket.resume();
  const isOver = await outcome(closed, readsWithin, attacking);
  const isProper = isOver === 'happened' && end === lastChunk;
  if (wasKept({ size, isLate: isOver === 'late', isProper })) attacking.complain(stillConnected);
}

interface Ending {
  /** Bytes that the client received. */
  readonly size: number;
  readonly isLate: boolean;
  readonly isProper: boolean;
}

/** Whether the service still had the connection when the client began to read. */
function wasKept({ size, isLate, isProper }: Ending): boolean {
  return isLate || (isProper && size >= mostOnTheWay);
}

const lastChunk = '0\r\n\r\n';

/** Expects the same over WebSocket: a service that still has the socket closes it with a close frame. */
async function expectTermination(target: Target, token: string, attacking: Attacking): Promise<void> {
  const socket = await openWebSocket(target);
  socket.send(setupFrame(token));
  socket.send(requestFrame(1_000_000));
  socket.pause();
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await Promise.race([pause(readsAfter), aborted(attacking.signal)]);
  let size = 0;
  socket.on('message', (message: Buffer) => {
    size += message.length;
  });
  if (!attacking.signal.aborted) {
    socket.resume();
    const isOver = await outcome(closed, readsWithin, attacking);
    const isProper = isOver === 'happened' && (await closed) !== cutOff;
    if (wasKept({ size, isLate: isOver === 'late', isProper })) attacking.complain(stillConnected);
  }
  socket.terminate();
}

/** The code of a WebSocket that ended without a close frame. */
const cutOff = 1006;

const completeLine = '{"checkpoint_complete"';

/** Expects the other clients to receive changes all the time, because rows change all the time. */
async function expectChanges(
  readers: Awaited<ReturnType<typeof connectCrowd>>,
  attacking: Attacking,
): Promise<void> {
  const { signal, complain } = attacking;
  while (!signal.aborted) {
    if ((await outcome(readers.saw(completeLine), patient(30_000), attacking)) === 'late')
      complain('A client that reads got no change for 30 s, beside one that reads a byte a second.');
    await Promise.race([pause(1_000), aborted(signal)]);
  }
}

/** Reads a byte a second until long after the token has expired, and then everything that is left. */
async function readByteBySecond(target: Target, token: string, attacking: Attacking): Promise<void> {
  const room = Buffer.alloc(64 * 1024);
  let isSlow = true;
  let end = '';
  const onread = {
    buffer: () => (isSlow ? room.subarray(0, 1) : room),
    callback: (count: number, bytes: Uint8Array) => {
      end = (end + Buffer.from(bytes.subarray(0, count)).toString('latin1')).slice(-lastChunk.length);
      return !isSlow;
    },
  };
  const socket = connect({ port: target.port, host: '127.0.0.1', onread });
  socket.on('error', () => undefined);
  socket.write(post('/sync/stream', request, token));
  const timer = setInterval(() => socket.resume(), 1_000);
  const hurry = setTimeout(
    () => {
      isSlow = false;
    },
    readsAfter + lifetime * 1000,
  );
  const isOver = await outcome(closeOf(socket), patient(90_000), attacking);
  if (isOver === 'late' || (isOver === 'happened' && end === lastChunk)) attacking.complain(stillConnected);
  clearInterval(timer);
  clearTimeout(hurry);
  socket.destroy();
}
