/** Limits how many run at the same time. The others wait for their turn, up to a time limit. */
import type { Alarms } from '../ground/clock.ts';
import { ServiceError } from '../ground/errors.ts';
import { createSemaphore, type Semaphore } from '../ground/semaphore.ts';
import type { Clock } from '../ground/world.ts';

export type Turn = <T>(run: () => Promise<T>) => Promise<T>;

interface Waiting {
  readonly clock: Clock;
  readonly alarms: Alarms;
}

/** @param patience the time limit in milliseconds, which one step of the alarms may extend */
export function limitConcurrency(most: number, patience: number, waiting: Waiting): Turn {
  const semaphore = createSemaphore({ running: most, waiting: Number.POSITIVE_INFINITY });
  return async (run) => {
    const leave = semaphore.tryEnter() ?? (await enterWithin(semaphore, patience, waiting));
    if (leave === undefined) throw new ServiceError('SVC_S2001', tooLong(patience), { status: 500 });
    try {
      return await run();
    } finally {
      leave();
    }
  };
}

function enterWithin(
  semaphore: Semaphore,
  patience: number,
  { clock, alarms }: Waiting,
): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const until = clock.steady() + patience;
    const giveUp = (): void => {
      quit?.();
      resolve(undefined);
    };
    const quit = semaphore.tryWait((leave) => {
      alarms.drop(until, giveUp);
      resolve(leave);
    });
    alarms.set(until, giveUp);
  });
}

function tooLong(patience: number): string {
  return `Reading buckets had to wait for over ${patience / 1000} s. Other clients are reading: try again later, or raise \`max_data_fetch_concurrency\`.`;
}
