/** Passes received bytes of a socket on in parts. */
import type { Socket } from 'node:net';
import type { Slices } from '../ground/slices.ts';

/** The size of a part in bytes. Nearly all requests are smaller. */
const partSize = 2 * 1024;

/**
 * Passes bytes to the parser in parts. Node would parse all bytes of one read in one go: 64 KiB can contain 2,000 requests or
 * 10,000 chunks, which take 20 ms, even if the first of them closes the connection. A short request is passed on at once. For
 * more bytes, the parts of all sockets take turns, so that others are served in between. Bytes that follow the end of a
 * connection are dropped.
 */
export function readInParts(socket: Socket, slices: Pick<Slices, 'add'>): void {
  const push = socket.push.bind(socket);
  const waiting: (Buffer | null)[] = [];
  const passOn = (): void => {
    if (socket.destroyed) waiting.length = 0;
    if (waiting.length === 0) return;
    // When a paused socket resumes, it parses everything at once that was pushed meanwhile, so nothing is pushed while it is
    // paused.
    if (socket.isPaused()) {
      socket.once('resume', passOnLater);
      return;
    }
    push(waiting.shift() ?? null);
    if (waiting.length > 0) passOnLater();
  };
  const passOnLater = (): void => {
    // A new function each time, because the waiting functions are a set.
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
  // Adding and removing a listener makes Node read through the stream. Otherwise, its parser reads directly from the system.
  socket.on('data', ignore).off('data', ignore);
}

function ignore(): void {}
