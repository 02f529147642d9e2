/** Lets a few run at once; the others wait for their turn, but not for ever. */
import { ServiceError } from '../ground/errors.ts';
import type { Clock } from '../ground/world.ts';

export type Turn = <T>(run: () => Promise<T>) => Promise<T>;

export function limitConcurrency(most: number, patience: number, clock: Clock): Turn {
  const waiting: ((isTurn: boolean) => void)[] = [];
  let running = 0;

  const enter = (): Promise<boolean> => {
    if (running < most) {
      running += 1;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const settled = new AbortController();
      const take = (isTurn: boolean): void => {
        settled.abort();
        resolve(isTurn);
      };
      waiting.push(take);
      void clock.sleep(patience, settled.signal).then(() => {
        const index = waiting.indexOf(take);
        if (index === -1) return;
        waiting.splice(index, 1);
        resolve(false);
      });
    });
  };
  /** The place goes to the next one directly. */
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next(true);
  };

  return async (run) => {
    if (!(await enter())) throw new ServiceError('SVC_S2001', tooLong(patience), { status: 500 });
    try {
      return await run();
    } finally {
      leave();
    }
  };
}

function tooLong(patience: number): string {
  return `Reading buckets had to wait for over ${patience / 1000} s. Other clients are reading: try again later, or raise \`max_data_fetch_concurrency\`.`;
}
