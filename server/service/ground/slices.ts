/**
 * Work for many at once, such as an answer to each of a thousand sockets, in slices: after each of them the event loop hears
 * everybody else. Node takes one new connection in each of its rounds, so a long round keeps those who wait for one.
 */
import { callSafely } from './unattended.ts';
export interface Slices {
  /** Done soon, after all that was added before. */
  add(work: () => void): void;
  /**
   * A new connection was accepted, so more may wait for that: nothing is done in this round. Otherwise the last of thousands
   * would wait until all before it are served, even if it only asks for a probe.
   */
  giveWay(): void;
}

/** Milliseconds that a slice may take before the next round; one piece of work is not cut. */
const slice = 1;

/** Rounds without a slice, at most: those who have come are served as well while others come without end. */
const mostGivenUp = 32;

/** Calls a function for each of very many items, in slices. Items that are removed meanwhile are left out. */
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
  /** Runs it in the next round of the event loop. */
  readonly defer?: (run: () => void) => void;
  /** Pieces of work in a slice: for work that only begins there, and whose length is not known. */
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
    giveWay: () => {
      givesWay = true;
    },
  };
}
