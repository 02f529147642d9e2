/**
 * The tables of a device as they are drawn.
 *
 * 1. Changes are drawn at once, or together with later changes after the interval of the pace.
 * 2. A sweep follows each drawing within `marksLast`, and draws again while there are marks or a rate. Otherwise they would stay
 *    when no more rows change.
 * 3. Only a sweep removes an empty table, so that its last rows can fade.
 */
import { batch, signal } from '@preact/signals';
import type { TableChange } from './device.ts';
import { keepPace } from './pace.ts';
import { marksLast, type ShownRows, showRows } from './shownRows.ts';

export interface DeviceClock {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export class DrawnTables {
  readonly tables = new Map<string, ShownRows>();
  readonly pictures = signal(0);
  readonly sampling = signal<number | undefined>(undefined);
  readonly #pace = keepPace();
  readonly #end: AbortSignal;
  readonly #clock: DeviceClock;
  /** Whether a drawing is due after the interval. */
  #isWaiting = false;
  /** Whether a sweep is due. */
  #isSweeping = false;

  constructor(end: AbortSignal, clock: DeviceClock) {
    this.#end = end;
    this.#clock = clock;
  }

  /** Applies changes without drawing them. The first rows of a device are not marked as new. */
  apply(changes: ReadonlyMap<string, TableChange>, isFirst: boolean): void {
    const now = this.#clock.now();
    for (const [name, change] of changes) {
      const { came, changed, gone } = change;
      if (!isFirst) this.#pace.note(came.length + changed.length + gone.length, now);
      const rows = this.tables.get(name) ?? showRows();
      this.tables.set(name, rows);
      rows.apply(change, now, isFirst ? 'beginning' : this.#pace.isSampling(now) ? 'plain' : 'marked');
    }
  }

  /** Draws the changes (invariant 1). */
  draw(): void {
    const pause = this.#pace.interval(this.#clock.now());
    if (pause === 0) this.#drawNow();
    if (pause === 0 || this.#isWaiting) return;
    this.#isWaiting = true;
    void this.#clock.sleep(pause, this.#end).then(() => {
      this.#isWaiting = false;
      this.#drawNow();
    });
  }

  #drawNow(): void {
    const now = this.#clock.now();
    for (const rows of this.tables.values()) rows.sweep(now);
    batch(() => {
      this.sampling.value = this.#pace.isSampling(now) ? this.#pace.perSecond(now) : undefined;
      this.pictures.value += 1;
    });
    if (this.#isSweeping) return;
    this.#isSweeping = true;
    void this.#clock.sleep(marksLast, this.#end).then(() => {
      this.#isSweeping = false;
      this.#sweep();
    });
  }

  /** Draws marked rows again without their mark (invariants 2 and 3). */
  #sweep(): void {
    const now = this.#clock.now();
    const marked = [...this.tables.values()].some((rows) => rows.hasMarks());
    if (marked || this.sampling.value !== undefined) this.#drawNow();
    for (const [name, rows] of this.tables)
      if (rows.size() === 0 && !rows.hasMarks()) this.tables.delete(name);
    if (!this.#pace.isSampling(now)) this.sampling.value = undefined;
  }
}
