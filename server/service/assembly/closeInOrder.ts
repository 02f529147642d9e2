import type { Log } from '../ground/log.ts';

/** Opened parts, which are closed in reverse order. */
export interface OpenParts {
  add(name: string, close: () => Promise<unknown>): void;
  /** Closes all parts, even if closing one of them fails. May be called repeatedly. */
  close(): Promise<void>;
}

export function closeInOrder(log: Log): OpenParts {
  const parts: { readonly name: string; readonly close: () => Promise<unknown> }[] = [];
  let closed: Promise<void> | undefined;
  return {
    add: (name, close) => parts.unshift({ name, close }),
    close: () => {
      closed ??= closeAll();
      return closed;
    },
  };

  async function closeAll(): Promise<void> {
    for (const { name, close } of parts) {
      await close().catch((error: unknown) => {
        const reason = error instanceof Error ? error.message : String(error);
        log.write('warn', `Not closed cleanly: ${name}`, { reason });
      });
    }
  }
}
