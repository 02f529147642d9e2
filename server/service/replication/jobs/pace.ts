/**
 * The speed of a copy, which an admin may change at any time. Rows are read in pages, so a rate applies to the average: after a
 * page, the copy pauses for as long as its rows may take.
 */
import type { Clock } from '../../ground/world.ts';
import type { Pace } from '../../storage/deployment.ts';
import type { JobProgress } from './progress.ts';

export interface CopyPace {
  set(pace: Pace | undefined): void;
  /** Returns the maximum rate in rows per second. */
  limit(): number | undefined;
  isPaused(): boolean;
  /** Counts rows that were read. */
  spend(rows: number): void;
  /**
   * Whether the next pause is so long that the current statement should end and all rows should be made durable. An open
   * statement would keep the source from cleaning up.
   */
  isLongRest(): boolean;
  /** Waits until the copy may continue, or the signal is aborted. */
  rest(signal: AbortSignal): Promise<void>;
  /** Does the same, but also ends the wait if the copy is paused meanwhile. */
  restUnlessPaused(signal: AbortSignal): Promise<void>;
}

/** The minimum length of a long pause, in milliseconds. */
const long = 1000;
const aHour = 3_600_000;

export function openPace(clock: Clock): CopyPace {
  let pace: Pace = {};
  /** The time at which the rows that were read have used up their time. */
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

/** Waits before more is read. The time in which the copy is paused does not count for its progress. */
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
