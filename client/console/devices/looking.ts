/** This console as a client of the service. */
import type { WatchedClient } from '../../api/watch.ts';
import type { DeviceClock } from './follow.ts';

/** Differs for each page that is open. Over plain HTTP, browsers have no `crypto.randomUUID`. */
export const consoleClientId = `console-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;

export const deviceClock: DeviceClock = {
  now: Date.now,
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', settle);
        resolve();
      };
      const timer = setTimeout(settle, milliseconds);
      signal.addEventListener('abort', settle);
    }),
};

/** A console looks at what a client gets by being one. */
export function isConsole({ client }: WatchedClient): boolean {
  return client?.startsWith('console-') === true;
}
