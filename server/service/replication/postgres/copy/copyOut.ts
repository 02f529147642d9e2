/** Runs `COPY … TO STDOUT` and passes on its lines as fast as they are read. */
import type { Connection, Submittable } from 'pg';
import { type Client, socketOf } from '../../../postgres/client.ts';
import { type Flow, openFlow } from '../log/flow.ts';

export interface Lines {
  readonly lines: readonly string[];
  /** The size of each line in bytes. */
  readonly sizes: readonly number[];
}

interface Limits {
  readonly lines: number;
  readonly bytes: number;
  /** The time of silence in milliseconds after which the connection counts as dead. */
  readonly silenceMs: number;
}

/** Yields batches of lines, of which only the last one may be smaller. Aborting ends it like the end of the data. */
export async function* copyOut(
  client: Client,
  sql: string,
  limits: Limits,
  signal: AbortSignal,
): AsyncGenerator<Lines, void> {
  const socket = socketOf(client);
  // One batch is being used while the next one arrives.
  const flow = openFlow<Lines>(socket, { items: 2, bytes: 2 * limits.bytes });
  const silent = () => socket.destroy(Object.assign(new Error('silence'), { code: 'ETIMEDOUT' }));
  const abort = () => flow.end();
  signal.addEventListener('abort', abort);
  socket.once('timeout', silent);
  try {
    client.query(toSubmittable(sql, flow, limits));
    for (;;) {
      // A socket that is paused because its data is not being read is not silent.
      socket.setTimeout(limits.silenceMs);
      const batches = await flow.take();
      socket.setTimeout(0);
      if (batches === undefined) return;
      for (const batch of batches) {
        if (signal.aborted) return;
        yield batch;
      }
    }
  } finally {
    socket.setTimeout(0);
    socket.off('timeout', silent);
    signal.removeEventListener('abort', abort);
  }
}

interface CopyData {
  readonly chunk: Buffer;
}

/** Returns the callbacks for `pg` while the statement is running. Each message is one line. */
function toSubmittable(sql: string, flow: Flow<Lines>, limits: Limits): Submittable {
  let lines: string[] = [];
  let sizes: number[] = [];
  let bytes = 0;
  const hand = () => {
    if (lines.length > 0) flow.push({ lines, sizes }, bytes);
    lines = [];
    sizes = [];
    bytes = 0;
  };
  const submittable = {
    submit: (connection: Connection) => connection.query(sql),
    handleCopyData: ({ chunk }: CopyData) => {
      // The text is copied, because the buffer is reused. The last byte is the end of the line.
      lines.push(chunk.toString('utf8', 0, chunk.length - 1));
      sizes.push(chunk.length);
      bytes += chunk.length;
      if (lines.length >= limits.lines || bytes >= limits.bytes) hand();
    },
    handleCommandComplete: hand,
    handleReadyForQuery: () => flow.end(),
    handleError: (error: unknown) => flow.end(error),
  };
  return submittable;
}
