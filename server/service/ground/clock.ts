/** The clock of the machine, and for any clock: alarms, and pauses between steps of work. */

import { callSafely, startAlone } from './unattended.ts';
import type { Clock } from './world.ts';

/** The longest timer in milliseconds. Node runs a longer one after a single millisecond. */
const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: Date.now,
  steady: () => Math.floor(performance.now()),
  sleep: async (ms, signal) => {
    let left = ms;
    while (left > longestTimer && !signal?.aborted) {
      await wait(longestTimer, signal);
      left -= longestTimer;
    }
    await wait(left, signal);
  },
};

function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    // Node prints a warning for a negative delay.
    const timer = setTimeout(finish, Math.max(0, ms)).unref();
    signal?.addEventListener('abort', finish);
  });
}

/** Many alarms that share one timer, because each of thousands of clients has an alarm. */
export interface Alarms {
  /** Calls `ring` once, at that moment of {@link Clock.steady} or up to {@link step} later. */
  set(at: number, ring: () => void): void;
  /** Cancels an alarm for that moment. */
  drop(at: number, ring: () => void): void;
}

/** The step of alarms, in milliseconds. Alarms within the same step ring together. */
const step = 100;

export function openAlarms(clock: Clock): Alarms {
  const steps = new Map<number, Set<() => void>>();
  let sleeping: { readonly until: number; readonly over: AbortController } | undefined;

  const sleep = (until: number): void => {
    sleeping?.over.abort();
    const over = new AbortController();
    const mine = { until, over };
    sleeping = mine;
    startAlone('Waiting for alarms', async () => {
      await clock.sleep(until - clock.steady(), over.signal);
      if (sleeping === mine) ringDue();
    });
  };
  const ringDue = (): void => {
    const now = clock.steady();
    for (const [at, rings] of steps) {
      if (at > now) continue;
      for (const ring of rings) {
        rings.delete(ring);
        callSafely('An alarm', ring);
      }
      steps.delete(at);
    }
    sleeping = undefined;
    const next = earliest(steps.keys());
    if (next !== undefined) sleep(next);
  };
  return {
    set: (at, ring) => {
      const due = stepOf(at);
      steps.set(due, (steps.get(due) ?? new Set()).add(ring));
      if (sleeping === undefined || due < sleeping.until) sleep(due);
    },
    drop: (at, ring) => {
      const due = stepOf(at);
      const rings = steps.get(due);
      if (rings?.delete(ring) && rings.size === 0) steps.delete(due);
    },
  };
}

function stepOf(at: number): number {
  return Math.ceil(at / step) * step;
}

function earliest(moments: Iterable<number>): number | undefined {
  let first: number | undefined;
  for (const each of moments) if (first === undefined || each < first) first = each;
  return first;
}

/** The time in milliseconds that work takes before it pauses for others, and the length of the pause. */
const workingTime = 4;
const restingTime = 8;

/** Returns a function to await between steps of work that can wait. It pauses after some working time. */
export function restBetween(clock: Clock, signal: AbortSignal): () => Promise<void> {
  let since = clock.steady();
  return async () => {
    if (clock.steady() - since < workingTime) return;
    await clock.sleep(restingTime, signal);
    since = clock.steady();
  };
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
