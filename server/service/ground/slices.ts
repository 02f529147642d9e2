/**
 * Does work for many in slices, such as an answer to each of a thousand sockets. After each slice, the event loop handles
 * everything else. Node accepts one new connection in each round, so a long round delays waiting connections.
 */
import { callSafely } from './unattended.ts';
export interface Slices {
  /** Adds work, which is done soon, after all work that was added before. */
  add(work: () => void): void;
  /**
   * Call it when a new connection was accepted, because more may be waiting. Nothing is done in this round, unless more than
   * `most` pieces of work are waiting. Otherwise, the last of thousands of connections would wait until all others are served,
   * even if it only asks for a probe.
   */
  giveWay(most: number): void;
}

/**
 * The maximum duration of a slice in milliseconds, after which the next round begins. A single piece of work is not interrupted.
 */
const slice = 1;

/** The maximum number of rounds without a slice, so that existing connections are served even if new ones keep coming. */
const mostGivenUp = 32;

/** Calls a function for each of very many items, in slices. Items that are removed meanwhile are skipped. */
export async function eachInSlices<T>(
  items: Iterable<T>,
  work: (item: T) => void,
  now: () => number = () => performance.now(),
): Promise<void> {
  let end = now() + slice;
  for (const item of items) {
    work(item);
    if (now() < end) continue;
    await new Promise((resolve) => setImmediate(resolve));
    end = now() + slice;
  }
}

interface SliceOptions {
  readonly now?: () => number;
  /** Calls a function in the next round of the event loop. */
  readonly defer?: (run: () => void) => void;
  /** The maximum number of pieces in a slice, for work that only begins there and whose duration is unknown. */
  readonly most?: number;
}

export function openSlices({
  now = () => performance.now(),
  defer = setImmediate,
  most = Number.POSITIVE_INFINITY,
}: SliceOptions = {}): Slices {
  const waiting = new Set<() => void>();
  let isDeferred = false;
  let givesWay = false;
  let givenUp = 0;
  const runSoon = (): void => {
    if (isDeferred || waiting.size === 0) return;
    isDeferred = true;
    defer(run);
  };
  const run = (): void => {
    givenUp = givesWay && givenUp < mostGivenUp ? givenUp + 1 : 0;
    givesWay = false;
    if (givenUp === 0) runSlice();
    isDeferred = false;
    runSoon();
  };
  const runSlice = (): void => {
    const end = now() + slice;
    let count = 0;
    for (const work of waiting) {
      waiting.delete(work);
      callSafely('A piece of work', work);
      count += 1;
      if (count >= most || now() >= end) break;
    }
  };
  return {
    add: (work) => {
      waiting.add(work);
      runSoon();
    },
    giveWay: (most) => {
      givesWay = waiting.size <= most;
    },
  };
}
