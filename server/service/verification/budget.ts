/** Limits the share of time that long work takes: after each step, the work pauses for as long as its share demands. */
import type { Clock } from '../ground/world.ts';

export interface Budget {
  /** Waits between two steps. */
  rest(): Promise<void>;
}

/** The minimum length of a step in milliseconds. Shorter steps are combined, so that fewer timers are needed. */
const step = 5;

/** @param share the share of the time, above 0 and up to 1 */
export function openBudget(share: number, clock: Clock, signal: AbortSignal): Budget {
  let since = clock.steady();
  return {
    rest: async () => {
      const worked = clock.steady() - since;
      if (worked < step) return;
      await clock.sleep(worked * (1 / share - 1), signal);
      since = clock.steady();
    },
  };
}
