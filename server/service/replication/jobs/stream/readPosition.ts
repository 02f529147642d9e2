/**
 * How far the stream has read the source's log.
 *
 * 1. The position never moves back, and neither does the last event: events that the source sends again leave both in place.
 * 2. The source may not forget the last event, because the next connection must get it again: that shows whether it reads
 *    the same log. After `heldMs` without another event the source may forget it, because it could not delete its log otherwise.
 * 3. Rows are stored with the event that ends their transaction. While events come again, they are stored without one,
 *    because the storage already has a later one.
 * 4. The history of the source is recorded once, and only when everything that was read before has come again.
 */
import { type Lsn, laterOf, zeroLsn } from '../../../ground/lsn.ts';
import type { Clock } from '../../../ground/world.ts';
import type { PassedEvent } from '../../../storage/deployment.ts';
import type { ReadEvent, Reunion } from '../history.ts';
import { recordedEveryMs } from './checkpointTimes.ts';

const heldMs = 3 * recordedEveryMs;

export class ReadPosition {
  readonly #reunion: Reunion;
  readonly #clock: Pick<Clock, 'steady'>;
  #end = zeroLsn;
  #last: PassedEvent | undefined;
  /** When the last event was read. */
  #lastAt: number;
  /** The position before the last event. */
  #beforeLast = zeroLsn;
  /** The event that will end the transaction that is being read. */
  #coming: PassedEvent | undefined;
  #isJoined = false;

  constructor(reunion: Reunion, clock: Pick<Clock, 'steady'>) {
    this.#reunion = reunion;
    this.#clock = clock;
    this.#lastAt = clock.steady();
  }

  /** The end of the last transaction that was read. */
  get end(): Lsn {
    return this.#end;
  }

  get last(): PassedEvent | undefined {
    return this.#last;
  }

  /** Whether everything that was read before has come again. */
  get isReunited(): boolean {
    return this.#reunion.isOver();
  }

  /** Whether the history of the source is recorded. */
  get isJoined(): boolean {
    return this.#isJoined;
  }

  /** A transaction begins. @param coming the event that will end it, if the source has sent that already */
  begin(coming: PassedEvent | undefined): void {
    this.#coming = coming;
  }

  commit(event: ReadEvent): void {
    this.#coming = undefined;
    this.pass(event.lsn, event);
  }

  /** @param event absent if the log has no event at this place */
  pass(place: Lsn, event?: ReadEvent): void {
    this.#reunion.pass(place, event);
    const before = this.#end;
    this.#end = laterOf(place, before);
    if (event === undefined || (this.#last !== undefined && event.lsn < this.#last.lsn)) return;
    const { lsn, mark } = event;
    this.#last = { lsn, ...(mark !== undefined && { mark }) };
    this.#lastAt = this.#clock.steady();
    this.#beforeLast = before;
  }

  /** The event to store with the rows that were read (invariant 3). */
  eventOfRows(): PassedEvent | undefined {
    return this.isReunited ? (this.#coming ?? this.#last) : undefined;
  }

  /** The position before which the source may forget its log (invariant 2). */
  forgettable(): Lsn {
    const isHeld = this.#last?.mark !== undefined && this.#clock.steady() - this.#lastAt < heldMs;
    return isHeld ? this.#beforeLast : this.#end;
  }

  /** Returns false while events come again (invariant 4). */
  async join(record: () => Promise<void>): Promise<boolean> {
    if (!this.isReunited) return false;
    if (!this.#isJoined) await record();
    this.#isJoined = true;
    return true;
  }
}
