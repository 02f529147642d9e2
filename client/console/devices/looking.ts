/** The identity of this console as a client of the service. */
import { consoleIdPrefix } from '../../api/answers.ts';
import type { DeviceClock } from './drawnTables.ts';

/** An id that differs for each open page. Over plain HTTP, browsers have no `crypto.randomUUID`. */
export const consoleClientId = `${consoleIdPrefix}${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;

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
