/** Ends answers that last for hours. */
import type { ServerResponse } from 'node:http';
import { startAlone } from '../ground/unattended.ts';
import type { Clock } from '../ground/world.ts';

/** The time in milliseconds that a client has after the end of its stream, to read the rest or to send the next request. */
const endPatience = 10_000;

/**
 * The headers of a stream, which never include `Connection: close`. Node's `fetch` would end its entire process if the connection
 * of such an answer breaks while it is not being read, because undici then asserts that its parser is not paused.
 */
export const streamHead = {
  'X-Accel-Buffering': 'no',
  'Cache-Control': 'no-store',
  'Keep-Alive': `timeout=${endPatience / 1000}`,
} as const;

/**
 * Returns the function that ends the stream. It is created here because it then holds no reference to the request, while a stream
 * may run for hours.
 */
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
