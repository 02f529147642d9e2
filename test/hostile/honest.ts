/** Clients with a token that are connected all the time, over both transports. None may be disconnected or miss a change. */
import { WebSocket } from 'ws';
import { patient } from '../../scripts/run/patience.ts';
import { longLivedToken } from '../support/clients/clientAuth.ts';
import { openStream } from '../support/clients/syncStream.ts';
import { keepaliveFrame, requestFrame, setupFrame } from './frames.ts';

export interface HonestClients {
  /** Resolves when all clients have this row, with the milliseconds that the last one waited. Fails if a client does not get it. */
  received(id: string): Promise<number>;
  close(): void;
}

interface HonestClient {
  received(id: string): Promise<void>;
  close(): void;
}

/** The number of clients over each transport. */
const half = 10;

/**
 * A new guest displaces a guest of the address that has the most, so an attacker cannot displace clients of other addresses. On
 * Linux, this machine has more than one loopback address.
 */
const localAddress = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';

/** @param onLost called with a sentence when a client is disconnected */
export async function connectHonest(
  port: number,
  onLost: (complaint: string) => void,
): Promise<HonestClients> {
  const clients = await Promise.all(
    Array.from({ length: half }, (_, n) => n).flatMap((n) => [
      connectOverHttp(port, n, onLost),
      connectOverSocket(port, n, onLost),
    ]),
  );
  return {
    received: async (id) => {
      const begun = performance.now();
      await Promise.all(clients.map((client) => client.received(id)));
      return performance.now() - begun;
    },
    close: () => {
      for (const client of clients) client.close();
    },
  };
}

/** Opens a stream over HTTP, with gzip for every second client. The client checks all checksums. */
export async function connectOverHttp(
  port: number,
  n: number,
  onLost: (complaint: string) => void,
): Promise<HonestClient> {
  const token = await longLivedToken(`honest-${n}`);
  const headers = { 'accept-encoding': n % 2 === 0 ? 'identity' : 'gzip' };
  const open = () => openStream(port, { token, headers, localAddress });
  const first = await open();
  // This process may send its request too late on a machine that is under attack. SDKs also try again.
  const stream = first.status === 408 ? await open() : first;
  if (stream.status !== 200) throw new Error(`A client with a token got ${stream.status}.`);
  await stream.until(({ completed }) => completed.length > 0, 'the first checkpoint');
  let isClosed = false;
  void stream.ended.then(() => {
    if (!isClosed) onLost('A client with a token was disconnected from its stream over HTTP.');
  });
  return {
    received: (id) => stream.until(({ client }) => client.rows.has(`lists/${id}`), id),
    close: () => {
      isClosed = true;
      stream.close();
    },
  };
}

/** Opens a stream over WebSocket, as SDKs do. */
export async function connectOverSocket(
  port: number,
  n: number,
  onLost: (complaint: string) => void,
): Promise<HonestClient> {
  const token = await longLivedToken(`honest-${n}`);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/sync/stream`, { localAddress });
  let isClosed = false;
  let text = '';
  const listeners = new Set<() => void>();
  const saw = (part: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!text.includes(part)) return;
        clearTimeout(late);
        listeners.delete(look);
        resolve();
      };
      const late = setTimeout(
        () => reject(new Error(`A client over WebSocket waited in vain for ${part}.`)),
        patient(60_000),
      );
      listeners.add(look);
      look();
    });
  socket.on('message', (message: Buffer) => {
    if (message.readUInt16BE(4) >> 10 === errorFrame)
      onLost('A client with a token was refused over WebSocket.');
    text = (text + message.toString('latin1')).slice(-longestText);
    for (const look of listeners) look();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    if (!isClosed) onLost('A client with a token was disconnected from its WebSocket.');
  });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  socket.send(setupFrame(token));
  socket.send(requestFrame(1_000_000));
  await saw('checkpoint_complete');
  const timer = setInterval(() => socket.send(keepaliveFrame(0)), keepaliveEvery);
  return {
    received: (id) => saw(`"${id}"`),
    close: () => {
      isClosed = true;
      clearInterval(timer);
      socket.terminate();
    },
  };
}

/** Milliseconds between two keepalives. */
const keepaliveEvery = 20_000;
/** The type of an RSocket ERROR frame. */
const errorFrame = 0x0b;
/** The number of characters that are kept of the received text: enough for the changes of some seconds. */
const longestText = 100_000;
