/** Asks a service how it is: often while someone looks and it matters, seldom while it does not answer, else never. */
import type { Diagnosis } from '../api/answers.ts';
import { isFailure } from '../api/failure.ts';
import { type Health, next } from './health.ts';

interface PollWorld {
  readonly ask: (signal: AbortSignal) => Promise<Diagnosis>;
  /** Whether there is a target, and a window that someone looks at. */
  readonly isWanted: () => boolean;
  /** Returns what cancels it. */
  readonly after: (milliseconds: number, call: () => void) => () => void;
}

export interface Poller {
  readonly health: () => Health;
  /** Asks now; resolves when the answer is there. */
  readonly askNow: () => Promise<Health>;
  /** Another service, of which nothing is known: also when the process of the old one has come or gone. */
  readonly retarget: () => void;
  /** A diagnosis that other code has received in the meantime. */
  readonly learn: (diagnosis: Diagnosis) => void;
  /** `isWanted` may have changed. */
  readonly reconsider: () => void;
  readonly dispose: () => void;
}

/** Milliseconds. */
const intervals = { usual: 5_000, copying: 1_000, longest: 60_000 };

export function pollHealth(world: PollWorld, onHealth: (health: Health) => void): Poller {
  let health: Health = { kind: 'unknown' };
  let failures = 0;
  let cancelNext = (): void => {};
  let isScheduled = false;
  let controller = new AbortController();

  function take(event: Parameters<typeof next>[1]): void {
    health = next(health, event);
    onHealth(health);
  }

  function schedule(milliseconds: number): void {
    cancelNext();
    isScheduled = world.isWanted();
    cancelNext = isScheduled
      ? world.after(milliseconds, () => {
          isScheduled = false;
          void askNow();
        })
      : () => {};
  }

  async function askNow(): Promise<Health> {
    cancelNext();
    isScheduled = false;
    const { signal } = controller;
    try {
      const diagnosis = await world.ask(signal);
      if (signal.aborted) return health;
      failures = 0;
      take({ kind: 'answered', diagnosis });
    } catch (error) {
      if (signal.aborted) return health;
      failures += 1;
      const sentence = error instanceof Error ? error.message : String(error);
      take({ kind: 'failed', why: isFailure(error) ? error.kind : 'failed', sentence });
    }
    schedule(pause());
    return health;
  }

  function pause(): number {
    if (failures > 0) return Math.min(intervals.usual * 2 ** (failures - 1), intervals.longest);
    return health.kind === 'copying' ? intervals.copying : intervals.usual;
  }

  return {
    health: () => health,
    askNow,
    retarget() {
      controller.abort();
      controller = new AbortController();
      failures = 0;
      take({ kind: 'retargeted' });
      schedule(0);
    },
    learn: (diagnosis) => take({ kind: 'answered', diagnosis }),
    reconsider() {
      if (!world.isWanted()) schedule(0);
      else if (!isScheduled) schedule(0);
    },
    dispose() {
      cancelNext();
      controller.abort();
    },
  };
}
