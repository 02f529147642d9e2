/** The parts of the outside world that the service needs. Tests replace them. */
import type { Log } from './log.ts';

/** The part of the work that a process does. `api` serves rows that other processes replicate; `sync` only replicates. */
export type Role = 'unified' | 'api' | 'sync';

export interface Clock {
  /** Milliseconds since 1970, for dates. Jumps when the clock of the machine is set. */
  now(): number;
  /** Whole milliseconds since some moment in the past, for durations. Never jumps, and starts again with the process. */
  steady(): number;
  /** Resolves after `ms`, or immediately (without an error) when the signal is aborted. Never keeps the process alive. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface World {
  readonly clock: Clock;
  readonly log: Log;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof fetch;
}
