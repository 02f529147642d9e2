/** Passes on in parts what a socket has received. */
import type { Socket } from 'node:net';
import type { Slices } from '../ground/slices.ts';

/** Bytes: nearly all requests are shorter. */
const partSize = 2 * 1024;

/**
 * Node parses all that one read has brought at once, and nothing stops it: 64 KiB hold 2,000 requests or 10,000 chunks, which
 * take 20 ms, even if the connection was closed over the first of them. A short request is passed on at once. Of more, the
 * parts of all sockets take turns, so others are served in between, and what comes after the end of a connection is dropped.
 */
export function readInParts(socket: Socket, slices: Pick<Slices, 'add'>): void {
  const push = socket.push.bind(socket);
  const waiting: (Buffer | null)[] = [];
  const passOn = (): void => {
    if (socket.destroyed) waiting.length = 0;
    if (waiting.length === 0) return;
    // A paused socket that continues parses everything at once that was pushed to it meanwhile.
    if (socket.isPaused()) {
      socket.once('resume', passOnLater);
      return;
    }
    push(waiting.shift() ?? null);
    if (waiting.length > 0) passOnLater();
  };
  const passOnLater = (): void => {
    // Each time another function: those who wait are a set.
    slices.add(() => passOn());
  };
  socket.push = (chunk: Buffer | null) => {
    const isIdle = waiting.length === 0;
    if (isIdle && (chunk === null || chunk.length <= partSize)) return push(chunk);
    if (chunk === null) waiting.push(null);
    else for (let at = 0; at < chunk.length; at += partSize) waiting.push(chunk.subarray(at, at + partSize));
    if (isIdle) passOnLater();
    return false;
  };
  // Node's parser takes what it reads from the system itself, as long as nobody else listens.
  socket.on('data', ignore).off('data', ignore);
}

function ignore(): void {}
