/** Numbers of a worker, for the metrics of the service: counted there, and added up in the primary. */
import type { Metrics } from '../ground/metrics.ts';
import type { Clock } from '../ground/world.ts';

type CounterName = Parameters<Metrics['add']>[0];

/** What has been counted since the last time. */
export type Counts = Partial<Record<CounterName, number>>;

interface CountBook {
  readonly add: Metrics['add'];
  /** Tells at once what has not been told. */
  readonly flush: () => void;
}

/** Milliseconds between two reports. */
const pause = 100;

export function openCounts(tell: (counts: Counts) => void, clock: Pick<Clock, 'sleep'>): CountBook {
  let counts: Counts | undefined;
  const flush = (): void => {
    if (counts === undefined) return;
    tell(counts);
    counts = undefined;
  };
  return {
    add: (name, amount) => {
      if (counts === undefined) void clock.sleep(pause).then(flush);
      counts ??= {};
      counts[name] = (counts[name] ?? 0) + amount;
    },
    flush,
  };
}
