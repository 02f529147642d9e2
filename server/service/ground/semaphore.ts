/** Limits how many run at the same time. Others wait in order, up to a maximum number; further ones are turned away. */
export interface SemaphoreLimit {
  readonly running: number;
  readonly waiting: number;
}

export interface Semaphore {
  readonly running: number;
  /** Enters and returns the function that leaves. Returns undefined if all places are taken. */
  readonly tryEnter: () => (() => void) | undefined;
  /**
   * Waits for a place: `go` gets the function that leaves. Returns the function that cancels the wait, or undefined when turned
   * away.
   */
  readonly tryWait: (go: (leave: () => void) => void) => (() => void) | undefined;
  /** Enters, now or after waiting. Resolves to undefined when turned away, or if the signal is aborted first. */
  readonly enter: (signal: AbortSignal) => Promise<(() => void) | undefined>;
}

export function createSemaphore(limit: SemaphoreLimit): Semaphore {
  const waiting = new Set<() => void>();
  let running = 0;
  /** Returns a function that leaves. It passes the place directly to the next one in line. */
  const leaveOnce = (): (() => void) => {
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      const [next] = waiting;
      if (next === undefined) running--;
      else next();
    };
  };
  const tryEnter = (): (() => void) | undefined => {
    if (running >= limit.running) return undefined;
    running++;
    return leaveOnce();
  };
  const tryWait = (go: (leave: () => void) => void): (() => void) | undefined => {
    if (waiting.size >= limit.waiting) return undefined;
    const next = (): void => {
      waiting.delete(next);
      go(leaveOnce());
    };
    waiting.add(next);
    return () => void waiting.delete(next);
  };
  return {
    get running() {
      return running;
    },
    tryEnter,
    tryWait,
    enter: async (signal) => {
      if (signal.aborted) return undefined;
      const place = tryEnter();
      if (place !== undefined) return place;
      return new Promise((resolve) => {
        const giveUp = (): void => {
          quit?.();
          resolve(undefined);
        };
        const quit = tryWait((leave) => {
          signal.removeEventListener('abort', giveUp);
          resolve(leave);
        });
        if (quit === undefined) resolve(undefined);
        else signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
