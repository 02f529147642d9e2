/**
 * The speed of a copy, which an admin may change at any time. Rows are read in pages, so a rate holds on average: after a page,
 * the copy rests as long as its rows may take.
 */
import type { Clock } from '../../ground/world.ts';
import type { Pace } from '../../storage/deployment.ts';
import type { JobProgress } from './progress.ts';

export interface CopyPace {
  set(pace: Pace | undefined): void;
  /** Rows in a second. */
  limit(): number | undefined;
  isPaused(): boolean;
  /** Counts rows that were read. */
  spend(rows: number): void;
  /**
   * Whether nothing is to be read for so long that the source must not wait in the middle of a statement, which would keep
   * it from cleaning up, nor the storage with rows that are not durable.
   */
  isLongRest(): boolean;
  /** Waits until the copy may continue, or the signal is aborted. */
  rest(signal: AbortSignal): Promise<void>;
  /** The same; but if it is paused meanwhile, only until then. */
  restUnlessPaused(signal: AbortSignal): Promise<void>;
}

/** The length of a long rest, in milliseconds. */
const long = 1000;
const aHour = 3_600_000;

export function openPace(clock: Clock): CopyPace {
  let pace: Pace = {};
  /** When the rows that were read have had their time. */
  let freeAt = 0;
  let change = new AbortController();
  const wait = () => (pace.isPaused ? Number.POSITIVE_INFINITY : Math.max(0, freeAt - clock.steady()));
  const restWhile = async (goesOn: () => boolean, signal: AbortSignal) => {
    while (!signal.aborted && goesOn()) {
      await clock.sleep(Math.min(wait(), aHour), AbortSignal.any([signal, change.signal]));
    }
  };
  return {
    set: (next = {}) => {
      if (next.isPaused === pace.isPaused && next.rowsPerSecond === pace.rowsPerSecond) return;
      // A new rate ends the waiting time of the previous one.
      if (next.rowsPerSecond !== pace.rowsPerSecond) freeAt = 0;
      pace = next;
      change.abort();
      change = new AbortController();
    },
    limit: () => pace.rowsPerSecond,
    isPaused: () => pace.isPaused === true,
    spend: (rows) => {
      if (pace.rowsPerSecond === undefined) return;
      freeAt = Math.max(freeAt, clock.steady()) + (1000 * rows) / pace.rowsPerSecond;
    },
    isLongRest: () => wait() >= long,
    rest: (signal) => restWhile(() => wait() > 0, signal),
    restUnlessPaused: (signal) => restWhile(() => wait() > 0 && pace.isPaused !== true, signal),
  };
}

/** Before more is read: the time in which it is paused is none of the copy. */
export async function restBefore(
  pace: CopyPace,
  progress: Pick<JobProgress, 'pause' | 'goOn'>,
  signal: AbortSignal,
): Promise<void> {
  await pace.restUnlessPaused(signal);
  if (pace.isPaused()) {
    progress.pause();
    await pace.rest(signal);
  }
  if (!signal.aborted) progress.goOn(pace.limit());
}
