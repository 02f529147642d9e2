/**
 * Runs work that nothing waits for: samples, sweeps, signs of life, alarms.
 *
 * 1. A failure of such work never ends the process and never ends a loop: the next step takes place as usual.
 * 2. If a reading fails, its value is unknown and is undefined here.
 * 3. Every failure is published under the name of its work. The process counts all failures, and logs each kind once.
 *
 * Failures are published on a channel of Node instead of being passed to a parameter, because such work starts everywhere, and
 * bundles that are loaded on demand have their own modules.
 */
import { channel } from 'node:diagnostics_channel';
import { type Log, logFailure } from './log.ts';
import type { Clock } from './world.ts';

interface Failure {
  /** The name of the work, which is the beginning of a sentence. */
  readonly what: string;
  readonly error: unknown;
}

const failures = channel('headwater.unattended');

interface Rhythm {
  /** The delay before each step, in milliseconds. */
  readonly every: number;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly signal: AbortSignal;
}

/** The pause after a failure in milliseconds. */
const pauseAfterFailure = 1_000;

/** Repeats a step until the signal is aborted. */
export async function repeat(
  what: string,
  { every, clock, signal }: Rhythm,
  step: () => unknown,
): Promise<void> {
  for (;;) {
    await clock.sleep(every, signal);
    if (signal.aborted) return;
    await attempt(what, step);
  }
}

/**
 * Starts work that ends when it is stopped, and starts it again after a failure. Returns a function that stops it and waits for
 * its end.
 */
export function runUntilStopped(
  what: string,
  work: (signal: AbortSignal) => Promise<void>,
  clock: Pick<Clock, 'sleep'>,
): () => Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const run = async (): Promise<void> => {
    for (let isOver = false; !isOver && !signal.aborted; ) {
      await attempt(what, async () => {
        await work(signal);
        isOver = true;
      });
      if (!isOver) await clock.sleep(pauseAfterFailure, signal);
    }
  };
  const ended = run();
  return () => {
    controller.abort();
    return ended;
  };
}

/** Runs a step of a loop that has its own timing. */
export async function attempt(what: string, step: () => unknown): Promise<void> {
  try {
    await step();
  } catch (error) {
    reportFailure(what, error);
  }
}

/** Starts work whose end is not awaited. */
export function startAlone(what: string, work: () => unknown): void {
  void attempt(what, work);
}

/** Returns undefined if the call fails. */
export function callSafely<T>(what: string, call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    reportFailure(what, error);
    return undefined;
  }
}

export function reportFailure(what: string, error: unknown): void {
  failures.publish({ what, error });
}

/** Logs and counts failures. Returns the function that ends this. */
export function noteFailures(log: Log, count: () => void): () => void {
  const logged = new Set<string>();
  const note = (message: unknown): void => {
    const { what, error } = message as Failure;
    count();
    const { code, name = '' } = error as { readonly code?: string; readonly name?: string };
    const kind = `${what}: ${code ?? name}`;
    if (logged.has(kind)) return;
    logged.add(kind);
    logFailure(log, what, error);
  };
  failures.subscribe(note);
  return () => void failures.unsubscribe(note);
}
