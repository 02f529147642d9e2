/** The end of answers that last for hours. */
import type { ServerResponse } from 'node:http';
import { startAlone } from '../ground/unattended.ts';
import type { Clock } from '../ground/world.ts';

/** Milliseconds that a client has, after its stream has ended, to take the rest of it or to send the next request. */
const endPatience = 10_000;

/**
 * The head of a stream never says `Connection: close`. Node's `fetch` ends its whole process when the connection of such an
 * answer breaks while nobody reads it: undici then asserts that its parser is not paused.
 */
export const streamHead = {
  'X-Accel-Buffering': 'no',
  'Cache-Control': 'no-store',
  'Keep-Alive': `timeout=${endPatience / 1000}`,
} as const;

/** Made beforehand, where it keeps nothing of the request: a stream may run for hours. */
export function streamFinisher(
  response: ServerResponse,
  end: () => void,
  clock: Pick<Clock, 'sleep'>,
): () => void {
  const { socket } = response;
  return () => {
    if (response.destroyed || socket === null) return;
    const received = socket.bytesRead;
    end();
    startAlone('Closing after a stream', async () => {
      await clock.sleep(endPatience);
      // Node sets a time limit for a connection that waits for its next request.
      const isUsed = socket.timeout === 0 || socket.bytesRead !== received;
      if (!response.writableFinished || !isUsed) socket.destroy();
    });
  };
}
