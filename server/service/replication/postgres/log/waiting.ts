/** Waits that others in the source cause. The observer learns the reason. */
import { type Backoff, backoffAfter } from '../../../ground/backoff.ts';
import type { Clock } from '../../../ground/world.ts';
import type { StreamSettings } from '../../source.ts';

/** Resolves as the work does. */
export type WaitReporter = <T>(reason: string, work: Promise<T>) => Promise<T>;

/** Reported after the first, and again after each further one. */
const reminders: Backoff = { first: 10_000, longest: 300_000 };

export function openWaitReporter(clock: Clock, onWaiting: StreamSettings['onWaiting']): WaitReporter {
  return async (reason, work) => {
    const over = new AbortController();
    const saying = sayUntil(over.signal, () => onWaiting(reason), clock);
    try {
      return await work;
    } finally {
      over.abort();
      if (await saying) onWaiting(undefined);
    }
  };
}

/** Returns whether it was said. */
async function sayUntil(over: AbortSignal, say: () => void, clock: Clock): Promise<boolean> {
  let isSaid = false;
  for (let count = 1; ; count += 1) {
    await clock.sleep(backoffAfter(count, reminders), over);
    if (over.aborted) return isSaid;
    say();
    isSaid = true;
  }
}
