/**
 * The position up to which the stream has read the source's log.
 *
 * 1. The position never moves back, and neither does the last event: events that the source sends again change neither.
 * 2. The source must not drop the last event, because the next connection must get it again to show that it reads the same
 *    log. If no other event follows within `heldMs`, the source may drop it, because it could never delete its log otherwise.
 * 3. Rows are stored with the event that ends their transaction. While events are sent again, rows are stored without an
 *    event, because the storage already has a later one.
 * 4. The history of the source is recorded once, and only when all events that were read before have been sent again.
 */
import { firstPosition, type LogPosition, laterOf } from '../../../ground/logPosition.ts';
import type { Clock } from '../../../ground/world.ts';
import type { PassedEvent } from '../../../storage/deployment.ts';
import type { ReadEvent, Reunion } from '../history.ts';
import { recordedEveryMs } from './checkpointTimes.ts';

const heldMs = 3 * recordedEveryMs;

export class ReadPosition {
  readonly #reunion: Reunion;
  readonly #clock: Pick<Clock, 'steady'>;
  #end = firstPosition;
  #last: PassedEvent | undefined;
  /** The time at which the last event was read. */
  #lastAt: number;
  /** The position before the last event. */
  #beforeLast = firstPosition;
  /** The event that will end the current transaction. */
  #coming: PassedEvent | undefined;
  #isJoined = false;

  constructor(reunion: Reunion, clock: Pick<Clock, 'steady'>) {
    this.#reunion = reunion;
    this.#clock = clock;
    this.#lastAt = clock.steady();
  }

  /** The end of the last transaction that was read. */
  get end(): LogPosition {
    return this.#end;
  }

  get last(): PassedEvent | undefined {
    return this.#last;
  }

  /** Whether all events that were read before have been sent again. */
  get isReunited(): boolean {
    return this.#reunion.isOver();
  }

  /** Whether the history of the source has been recorded. */
  get isJoined(): boolean {
    return this.#isJoined;
  }

  /** Begins a transaction. @param coming the event that will end it, if the source has already sent that */
  begin(coming: PassedEvent | undefined): void {
    this.#coming = coming;
  }

  commit(event: ReadEvent): void {
    this.#coming = undefined;
    this.pass(event.position, event);
  }

  /** @param event absent if the log has no event at this place */
  pass(place: LogPosition, event?: ReadEvent): void {
    this.#reunion.pass(place, event);
    const before = this.#end;
    this.#end = laterOf(place, before);
    if (event === undefined || (this.#last !== undefined && event.position < this.#last.position)) return;
    const { position, mark } = event;
    this.#last = { position, ...(mark !== undefined && { mark }) };
    this.#lastAt = this.#clock.steady();
    this.#beforeLast = before;
  }

  /** Returns the event to store with the rows that were read (invariant 3). */
  eventOfRows(): PassedEvent | undefined {
    return this.isReunited ? (this.#coming ?? this.#last) : undefined;
  }

  /** Returns the position before which the source may drop its log (invariant 2). */
  forgettable(): LogPosition {
    const isHeld = this.#last?.mark !== undefined && this.#clock.steady() - this.#lastAt < heldMs;
    return isHeld ? this.#beforeLast : this.#end;
  }

  /** Records the history of the source. Returns false while events are being sent again (invariant 4). */
  async join(record: () => Promise<void>): Promise<boolean> {
    if (!this.isReunited) return false;
    if (!this.#isJoined) await record();
    this.#isJoined = true;
    return true;
  }
}
