import type { Clock } from './world.ts';

/** Milliseconds. Node takes a longer timer for one of a single millisecond. */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  sleep: async (ms, signal) => {
    let left = ms;
    while (left > longestTimer && !signal?.aborted) {
      await wait(longestTimer, signal);
      left -= longestTimer;
    }
    await wait(left, signal);
  },
};

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    // Node complains of a moment that is past.
    const timer = setTimeout(finish, Math.max(0, ms)).unref();
    signal?.addEventListener('abort', finish);
  });
}
