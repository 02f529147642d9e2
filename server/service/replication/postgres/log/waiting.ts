/** What takes long because of others in the source: whoever watches is told what it waits for. */
import type { Clock } from '../../../ground/world.ts';
import type { StreamSettings } from '../../source.ts';

/** Resolves as the work does. */
export type Waiting = <T>(reason: string, work: Promise<T>) => Promise<T>;

/** Milliseconds until it is said, and then said again, later each time. */
const SAID_AFTER = { first: 10_000, most: 300_000 };

export function openWaiting(clock: Clock, onWaiting: StreamSettings['onWaiting']): Waiting {
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
  for (let pause = SAID_AFTER.first; ; pause = Math.min(2 * pause, SAID_AFTER.most)) {
    await clock.sleep(pause, over);
    if (over.aborted) return isSaid;
    say();
    isSaid = true;
  }
}
