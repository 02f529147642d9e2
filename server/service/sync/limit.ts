/** Lets a few run at once; the others wait for their turn, but not forever. */
import { ServiceError } from '../ground/errors.ts';
import { createSemaphore, type Semaphore } from '../ground/semaphore.ts';
import type { Clock } from '../ground/world.ts';

export type Turn = <T>(run: () => Promise<T>) => Promise<T>;

export function limitConcurrency(most: number, patience: number, clock: Clock): Turn {
  const semaphore = createSemaphore({ running: most, waiting: Number.POSITIVE_INFINITY });
  return async (run) => {
    const leave = semaphore.tryEnter() ?? (await enterWithin(semaphore, patience, clock));
    if (leave === undefined) throw new ServiceError('SVC_S2001', tooLong(patience), { status: 500 });
    try {
      return await run();
    } finally {
      leave();
    }
  };
}

/** Without a reason, each signal would make an error with its stack. */
const waited = 'waited';

async function enterWithin(
  semaphore: Semaphore,
  patience: number,
  clock: Clock,
): Promise<(() => void) | undefined> {
  const giveUp = new AbortController();
  const over = new AbortController();
  void clock.sleep(patience, over.signal).then(() => giveUp.abort(waited));
  try {
    return await semaphore.enter(giveUp.signal);
  } finally {
    over.abort(waited);
  }
}

function tooLong(patience: number): string {
  return `Reading buckets had to wait for over ${patience / 1000} s. Other clients are reading: try again later, or raise \`max_data_fetch_concurrency\`.`;
}
