/**
 * Does the work for large requests in steps (parsing, checking, looking up), for example for a request with thousands of
 * subscriptions. The steps of all these requests take turns. After each step, the event loop is free for as long as the step
 * took. Otherwise, the steps of ten requests would follow each other without a pause, and a probe would wait for all of them.
 *
 * A request that has begun has precedence over one that has not, so only few requests need memory at the same time.
 */
import { setImmediate, setTimeout } from 'node:timers/promises';
import { startAlone } from './unattended.ts';

/** The minimum size of a large request in bytes. The requests of nearly all clients are smaller and do not wait. */
const largeSize = 16 * 1024;

/** The approximate size of a request for each subscription or bucket, in bytes. */
const bytesEach = 64;

/** The longest pause after a step, in milliseconds. */
const longestRest = 20;

interface LargeSteps {
  /** Waits until the first step for a request of this size may be taken. */
  readonly start: (bytes: number) => Promise<void>;
  /** Waits until a later step of this size may be taken. */
  readonly next: (bytes: number) => Promise<void>;
  /** Waits until a later step for this number of subscriptions or buckets may be taken. */
  readonly nextFor: (count: number) => Promise<void>;
}

interface LargeStepsOptions {
  readonly now?: () => number;
  /** Resolves in the next round of the event loop. */
  readonly nextRound?: () => Promise<void>;
  readonly rest?: (ms: number) => Promise<void>;
}

export function openLargeSteps({
  now = () => performance.now(),
  nextRound = setImmediate,
  rest = setTimeout,
}: LargeStepsOptions = {}): LargeSteps {
  const starting: (() => void)[] = [];
  const begun: (() => void)[] = [];
  let isRunning = false;
  const run = async (): Promise<void> => {
    for (let step = begun.shift() ?? starting.shift(); step !== undefined; ) {
      const from = now();
      step();
      await nextRound();
      await rest(Math.min(now() - from, longestRest));
      step = begun.shift() ?? starting.shift();
    }
    isRunning = false;
  };
  const waitIn = async (queue: (() => void)[], bytes: number): Promise<void> => {
    if (bytes < largeSize) return;
    const turn = new Promise<void>((resolve) => queue.push(resolve));
    if (!isRunning) {
      isRunning = true;
      startAlone('The steps of large requests', run);
    }
    await turn;
  };
  return {
    start: (bytes) => waitIn(starting, bytes),
    next: (bytes) => waitIn(begun, bytes),
    nextFor: (count) => waitIn(begun, count * bytesEach),
  };
}

/** The large steps of this process. */
export const largeSteps = openLargeSteps();
