import type { Clock } from './world.ts';

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const finish = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      // Node complains of a moment that is past.
      const timer = setTimeout(finish, Math.max(0, ms)).unref();
      signal?.addEventListener('abort', finish);
    }),
};
