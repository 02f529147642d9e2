/** Reports waits that other sessions of the source cause, with the reason. */
import { type Backoff, backoffAfter } from '../../../ground/backoff.ts';
import type { Clock } from '../../../ground/world.ts';
import type { StreamSettings } from '../../source.ts';

/** Returns a promise with the result of the work. */
export type WaitReporter = <T>(reason: string, work: Promise<T>) => Promise<T>;

/** The time before the first report, and the longest interval of later ones. */
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

/** Repeats the report until the wait is over. Returns whether it was reported. */
async function sayUntil(over: AbortSignal, say: () => void, clock: Clock): Promise<boolean> {
  let isSaid = false;
  for (let count = 1; ; count += 1) {
    await clock.sleep(backoffAfter(count, reminders), over);
    if (over.aborted) return isSaid;
    say();
    isSaid = true;
  }
}
