/** Sends lines as payloads, each only when the client has room for one more. */
import type { Block, Sink } from '../../http/block.ts';

export interface PayloadSink extends Sink {
  send(block: Pick<Block, 'lines'>): Promise<void>;
  /** Resolves when all that was sent before is out. */
  drained(): Promise<void>;
  /** The client takes as many more. */
  grant(count: number): void;
  /** Gives up the waiting payloads, because nobody takes them any more. */
  close(): void;
}

/** The largest number of payloads that a client may ask for, which is as good as no limit. */
const mostCredit = 0x7fff_ffff;

/** @param write resolves when the transport takes more */
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
