/** What a socket has received, passed on in parts. */
import type { Socket } from 'node:net';

/** Bytes: nearly all requests are shorter. */
const partSize = 4 * 1024;

/**
 * Node parses all that one read has brought at once, and nothing stops it: 64 KiB hold 2,000 requests or 10,000 chunks, which
 * take 20 ms, even if the connection was closed over the first of them. In parts, others are served in between, and what comes
 * after the end of the connection is dropped.
 */
export function readInParts(socket: Socket, defer: (run: () => void) => void = setImmediate): void {
  const push = socket.push.bind(socket);
  const waiting: (Buffer | null)[] = [];
  const passOn = (): void => {
    if (socket.destroyed) waiting.length = 0;
    if (waiting.length === 0) return;
    // What is pushed to a paused socket is parsed at once when it goes on.
    if (socket.isPaused()) {
      socket.once('resume', () => defer(passOn));
      return;
    }
    push(waiting.shift() ?? null);
    if (waiting.length > 0) defer(passOn);
  };
  socket.push = (chunk: Buffer | null) => {
    if (waiting.length === 0 && (chunk === null || chunk.length <= partSize)) return push(chunk);
    const isIdle = waiting.length === 0;
    if (chunk === null) waiting.push(null);
    else for (let at = 0; at < chunk.length; at += partSize) waiting.push(chunk.subarray(at, at + partSize));
    if (isIdle) passOn();
    return false;
  };
  // Node's parser takes what it reads from the system itself, as long as nobody else listens.
  socket.on('data', ignore).off('data', ignore);
}

function ignore(): void {}
