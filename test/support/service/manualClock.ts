/** A clock that does not move until the test moves it. */
import type { Clock } from '../../../server/service/ground/world.ts';

export interface ManualClock extends Clock {
  /** Wakes all sleepers up to the new time, in order. Each can continue before the next one wakes. */
  advance(ms: number): Promise<void>;
  /** Moves the date forward by this many milliseconds, or back if they are negative. No time passes. */
  set(ms: number): void;
  /** Returns the number of sleepers. */
  sleeping(): number;
}

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

export function createManualClock(start = 1_750_000_000_000): ManualClock {
  const sleepers = new Set<Sleeper>();
  let now = start;
  let ahead = 0;
  return {
    now: () => now + ahead,
    steady: () => now,
    set: (ms) => {
      ahead += ms;
    },
    sleeping: () => sleepers.size,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (ms <= 0 || signal?.aborted) return resolve();
        const wake = (): void => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper = { until: now + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake);
      }),
    advance: async (ms) => {
      const end = now + ms;
      for (;;) {
        const next = [...sleepers].filter(({ until }) => until <= end).sort((a, b) => a.until - b.until)[0];
        if (next === undefined) break;
        now = Math.max(now, next.until);
        next.wake();
        await new Promise((resolve) => setImmediate(resolve));
      }
      now = end;
    },
  };
}
