/** Room for a few at once: others wait in the order of asking, as many as may; the rest is turned away. */
export interface SemaphoreLimit {
  readonly running: number;
  readonly waiting: number;
}

export interface Semaphore {
  readonly running: number;
  /** Returns the function that leaves again; undefined if it is full. */
  readonly tryEnter: () => (() => void) | undefined;
  /** The same, after waiting; undefined when turned away, or when the signal was aborted first. */
  readonly enter: (signal: AbortSignal) => Promise<(() => void) | undefined>;
}

export function createSemaphore(limit: SemaphoreLimit): Semaphore {
  const waiting = new Set<() => void>();
  let running = 0;
  /** The place goes to the next one directly. */
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
  return {
    get running() {
      return running;
    },
    tryEnter,
    enter: async (signal) => {
      if (signal.aborted) return undefined;
      const leave = tryEnter();
      if (leave !== undefined || waiting.size >= limit.waiting) return leave;
      return new Promise((resolve) => {
        const go = (): void => {
          waiting.delete(go);
          signal.removeEventListener('abort', giveUp);
          resolve(leaveOnce());
        };
        const giveUp = (): void => {
          waiting.delete(go);
          resolve(undefined);
        };
        waiting.add(go);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
