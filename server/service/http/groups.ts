/** Requests that wait for each other: a group lets some run, lets some wait, and turns away the rest. */
interface Limit {
  readonly running: number;
  readonly waiting: number;
}

export interface Limits {
  readonly api: Limit;
  readonly checkpointing: Limit;
  readonly stream: Limit;
}

export interface Group {
  readonly running: number;
  /** Gives the function that makes room again; undefined when turned away, or given up while waiting. */
  readonly enter: (signal: AbortSignal) => Promise<(() => void) | undefined>;
}

export function createGroup(limit: Limit): Group {
  const waiting = new Set<() => void>();
  let running = 0;
  const leaveOnce = (): (() => void) => {
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      const [next] = waiting;
      if (next === undefined) running--;
      else next();
    };
  };
  return {
    get running() {
      return running;
    },
    enter: async (signal) => {
      if (signal.aborted) return undefined;
      if (running < limit.running) {
        running++;
        return leaveOnce();
      }
      if (waiting.size >= limit.waiting) return undefined;
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
