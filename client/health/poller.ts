/**
 * Asks a service for its state: often while it is wanted and the service answers, seldom while the service cannot be reached,
 * otherwise never. If the next answer does not arrive in time, the state becomes overdue, and its age is reported every few
 * seconds until an answer arrives.
 */
import type { Diagnosis } from '../api/answers.ts';
import { isFailure } from '../api/failure.ts';
import { type Health, next, overdueAfter, pollEvery, shortestPatience } from './health.ts';

interface PollWorld {
  readonly ask: (signal: AbortSignal) => Promise<Diagnosis>;
  /** Whether there is a target, and a window that the user is looking at. */
  readonly isWanted: () => boolean;
  /** Calls back after a time. Returns a function that cancels the call. */
  readonly after: (milliseconds: number, call: () => void) => () => void;
  /** A clock for ages, in milliseconds. */
  readonly now: () => number;
}

export interface Poller {
  readonly health: () => Health;
  /** Asks now. Resolves when the answer has arrived. */
  readonly askNow: () => Promise<Health>;
  /** Starts again without a known state. Called for another service, and when the process of the service has started or ended. */
  readonly retarget: () => void;
  /**
   * Passes on a diagnosis that other code has received. That code asks again by itself, so the poller asks only if no further
   * answer comes. `duration`: the time that the answer took, in milliseconds.
   */
  readonly learn: (diagnosis: Diagnosis, duration?: number) => void;
  /** Called when `isWanted` may have changed. */
  readonly reconsider: () => void;
  readonly dispose: () => void;
}

/** Pauses between two calls, in milliseconds. */
const intervals = { usual: pollEvery, copying: 1_000, longest: 60_000 };

export function pollHealth(world: PollWorld, onHealth: (health: Health) => void): Poller {
  let health: Health = { kind: 'unknown' };
  let failures = 0;
  let answeredAt = world.now();
  /** The time that the last answer took, in milliseconds. */
  let took = 0;
  /** Cancels the scheduled question. Undefined if none is scheduled. */
  let cancelNext: (() => void) | undefined;
  let cancelOverdue = (): void => {};
  let controller = new AbortController();

  function take(event: Parameters<typeof next>[1]): void {
    health = next(health, event);
    onHealth(health);
  }

  function schedule(milliseconds: number): void {
    cancelNext?.();
    cancelNext = world.isWanted() ? world.after(milliseconds, () => void askNow()) : undefined;
  }

  function answer(diagnosis: Diagnosis): void {
    failures = 0;
    answeredAt = world.now();
    take({ kind: 'answered', diagnosis });
    expectNext(overdueAfter(pause(), took));
  }

  function expectNext(milliseconds: number): void {
    cancelOverdue();
    cancelOverdue = world.after(milliseconds, () => {
      take({ kind: 'overdue', age: ageOfAnswer() });
      expectNext(intervals.usual);
    });
  }

  function ageOfAnswer(): number {
    return world.now() - answeredAt;
  }

  async function askNow(): Promise<Health> {
    cancelNext?.();
    cancelNext = undefined;
    const { signal } = controller;
    const askedAt = world.now();
    try {
      const diagnosis = await world.ask(signal);
      if (signal.aborted) return health;
      took = world.now() - askedAt;
      answer(diagnosis);
    } catch (error) {
      if (signal.aborted) return health;
      failures += 1;
      const sentence = error instanceof Error ? error.message : String(error);
      const why = isFailure(error) ? error.kind : 'failed';
      take({ kind: 'failed', why, sentence, age: ageOfAnswer() });
      if (!('diagnosis' in health)) cancelOverdue();
    }
    schedule(pause());
    return health;
  }

  function pause(): number {
    // A service that has answered recently is asked as often as before, so that its return is noticed quickly.
    const isLost = failures > 0 && !('diagnosis' in health);
    if (isLost) return Math.min(intervals.usual * 2 ** (failures - 1), intervals.longest);
    return health.kind === 'copying' ? intervals.copying : intervals.usual;
  }

  return {
    health: () => health,
    askNow,
    retarget() {
      controller.abort();
      controller = new AbortController();
      failures = 0;
      took = 0;
      cancelOverdue();
      take({ kind: 'retargeted' });
      schedule(0);
    },
    learn(diagnosis, duration = took) {
      took = duration;
      answer(diagnosis);
      if (cancelNext !== undefined) schedule(pause() + shortestPatience);
    },
    reconsider() {
      if (!world.isWanted() || cancelNext === undefined) schedule(0);
    },
    dispose() {
      cancelNext?.();
      cancelOverdue();
      controller.abort();
    },
  };
}
