/**
 * Decides when a checkpoint is made.
 *
 * 1. A due checkpoint waits for a later one that has already arrived, but at most for `wait.times` times the duration of the
 *    last checkpoint. So checkpoints take at most a twentieth of the time, and many small transactions cost one checkpoint.
 * 2. Positions are recorded at least every `recordedEveryMs`, even if no rows have changed. They are not recorded more often,
 *    because each record is a new event of the source if the storage is in the same database.
 * 3. An idle source is marked at most every `markEveryMs` while a deployment catches up.
 */
import type { Clock } from '../../../ground/world.ts';
import type { CatchUp } from './catchUp.ts';

/** `least` and `most` are in milliseconds. */
const wait = { times: 20, least: 20, most: 500 } as const;

/** The interval of recording positions. It is that of the marks in the source's log, which also cause a record. */
export const recordedEveryMs = 60_000;

const markEveryMs = 100;

export class CheckpointTimes {
  readonly #clock: Pick<Clock, 'steady' | 'sleep'>;
  /** The earliest time at which the due checkpoint could have been made. */
  #dueSince: number | undefined;
  /** The duration of the last checkpoint. */
  #tookMs = 0;
  #recordedAt: number;
  #markedAt = 0;
  /** Present while the activation is put off. */
  catchUp: CatchUp | undefined;

  constructor(clock: Pick<Clock, 'steady' | 'sleep'>) {
    this.#clock = clock;
    this.#recordedAt = clock.steady();
  }

  /** Whether the due checkpoint can wait for a later one (invariant 1). */
  mayWait(): boolean {
    this.#dueSince ??= this.#clock.steady();
    const longest = Math.min(wait.most, Math.max(wait.least, wait.times * this.#tookMs));
    return this.#clock.steady() - this.#dueSince < longest;
  }

  /** Reports that no checkpoint is waiting any more. */
  settle(): void {
    this.#dueSince = undefined;
  }

  /** Whether it is time to record the position (invariant 2). */
  get isRecordDue(): boolean {
    return this.#clock.steady() - this.#recordedAt >= recordedEveryMs;
  }

  /** Reports that a checkpoint that began at this time is stored. */
  record(at: number): void {
    this.#recordedAt = at;
    this.#tookMs = this.#clock.steady() - at;
  }

  /** Waits until the source may be marked again (invariant 3). Returns false if aborted. */
  async mark(signal: AbortSignal): Promise<boolean> {
    await this.#clock.sleep(this.#markedAt + markEveryMs - this.#clock.steady(), signal);
    if (signal.aborted) return false;
    this.#markedAt = this.#clock.steady();
    return true;
  }
}
