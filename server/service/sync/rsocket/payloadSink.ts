/** Sends lines as payloads. Each payload is sent only when the client has room for it. */
import type { Block, Sink } from '../../http/block.ts';

export interface PayloadSink extends Sink {
  send(block: Pick<Block, 'lines'>): Promise<void>;
  /** Resolves when everything that was passed to `send` before has been sent. */
  drained(): Promise<void>;
  /** Adds to the number of payloads that the client accepts. */
  grant(count: number): void;
  /** Drops the waiting payloads, because the client no longer reads them. */
  close(): void;
}

/** The largest number of payloads that a client may ask for, which is practically unlimited. */
const mostCredit = 0x7fff_ffff;

/** @param write resolves when the transport accepts more */
export function payloadSink(initial: number, write: (line: Uint8Array) => Promise<void>): PayloadSink {
  let credit = Math.min(initial, mostCredit);
  let closed = false;
  let wake = (): void => {};
  let last: Promise<void> = Promise.resolve();

  const sendAll = async (lines: readonly Uint8Array[]): Promise<void> => {
    for (const line of lines) {
      while (credit === 0 && !closed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (closed) return;
      credit -= 1;
      await write(line);
    }
  };
  return {
    send: ({ lines }) => {
      last = last.then(() => sendAll(lines));
      return last;
    },
    drained: () => last,
    grant: (count) => {
      credit = Math.min(credit + count, mostCredit);
      wake();
    },
    close: () => {
      closed = true;
      wake();
    },
  };
}
