/** What the service needs of the outside; tests bring their own. */
import type { Log } from './log.ts';

/** Which part of the work a process does. `api`: serves what others replicate; `sync`: replicates only. */
export type Role = 'unified' | 'api' | 'sync';

export interface Clock {
  /** Milliseconds since 1970: for dates. Jumps when somebody sets the clock of the machine. */
  now(): number;
  /** Whole milliseconds since some moment in the past: for durations. Never jumps, and starts again with the process. */
  steady(): number;
  /** Resolves after `ms`, or at once (without error) when the signal is aborted. Never keeps the process alive. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface World {
  readonly clock: Clock;
  readonly log: Log;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof fetch;
}
