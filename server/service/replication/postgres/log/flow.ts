/** Connects a socket that pushes with a consumer that pulls. The socket is paused while the consumer is slower. */
import type { Socket } from 'node:net';

export interface Flow<Item> {
  /** Adds an item. `bytes` is its size in the source, which is a measure of its memory. */
  push(item: Item, bytes: number): void;
  /** Returns the pending items as soon as there are any, or undefined at the end. Fails with the error that ended the flow. */
  take(): Promise<Item[] | undefined>;
  /** Returns the items that {@link take} would return now. */
  waiting(): readonly Item[];
  end(error?: unknown): void;
  /** Whether the socket is paused, by this flow or by its user. */
  isPaused(): boolean;
}

interface FlowLimits {
  readonly items: number;
  readonly bytes: number;
}

export function openFlow<Item>(socket: Pick<Socket, 'pause' | 'resume'>, limits: FlowLimits): Flow<Item> {
  let pending: Item[] = [];
  let bytes = 0;
  let paused = false;
  let ended: { readonly error?: unknown } | undefined;
  let wake: (() => void) | undefined;

  const notify = () => {
    wake?.();
    wake = undefined;
  };
  return {
    push: (item, size) => {
      if (ended !== undefined) return;
      pending.push(item);
      bytes += size;
      if (!paused && (pending.length >= limits.items || bytes >= limits.bytes)) {
        paused = true;
        socket.pause();
      }
      notify();
    },
    take: async () => {
      while (pending.length === 0) {
        if (ended !== undefined) {
          if (ended.error !== undefined) throw ended.error;
          return undefined;
        }
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const taken = pending;
      pending = [];
      bytes = 0;
      if (paused) {
        paused = false;
        socket.resume();
      }
      return taken;
    },
    waiting: () => pending,
    end: (error) => {
      ended ??= { error };
      notify();
    },
    isPaused: () => paused,
  };
}
