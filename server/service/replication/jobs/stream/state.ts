/** The parts of following the source's changes. This one: how far the stream has come, and what of it is stored. */
import { type Lsn, laterOf, zeroLsn } from '../../../ground/lsn.ts';
import type { PassedEvent } from '../../../storage/deployment.ts';
import type { ReplicatedTable } from '../../rows/tables.ts';
import { type BesideCopy, openBesideCopy } from '../beside.ts';
import type { ReadEvent, Reunion } from '../history.ts';
import { nothingPending, type PendingChanges } from '../pending.ts';
import type { Replication } from '../replication.ts';
import { openSurvey, type Survey } from '../survey.ts';
import type { CatchUp } from './catchUp.ts';

export interface StreamState {
  /** By the source's number; undefined for those that the config does not use. */
  readonly tables: Map<number, ReplicatedTable | undefined>;
  readonly pending: PendingChanges;
  /** End of the last transaction that was read. */
  position: Lsn;
  needsCheckpoint: boolean;
  /** When the checkpoint could have been made that waits for a later one. */
  dueSince: number | undefined;
  /** Milliseconds of the last checkpoint. */
  took: number;
  /** While the activation is put off. */
  catchUp: CatchUp | undefined;
  /** When the log was marked for a next checkpoint; 0: not yet. */
  markedAt: number;
  /**
   * The stored rows are the source's state at `position`. This is not so while the stream repeats changes
   * that an earlier job has stored already, or that a copy has seen: then the stored rows are newer.
   */
  exact: boolean;
  /** How often tables were copied again because of equal rows, since the last checkpoint. */
  doubts: number;
  last: PassedEvent | undefined;
  /** When it was read. */
  lastAt: number;
  /** Where the log was before it. */
  beforeLast: Lsn;
  /** What will end the transaction that is being read. */
  coming: PassedEvent | undefined;
  /** When a position was remembered last. */
  recordedAt: number;
  readonly reunion: Reunion;
  /** Which history of the source it is has been remembered. */
  belongs: boolean;
  survey: Survey;
  beside: BesideCopy | undefined;
}

/** In milliseconds: as often as the source's log is marked, which is an occasion of its own. */
export const recordedEvery = 60_000;

/** In milliseconds: where the log cannot be marked, the source must be able to forget what other databases write to it. */
const heldFor = 3 * recordedEvery;

export async function beginState(replication: Replication): Promise<StreamState> {
  const { clock, reunion, beside: work } = replication;
  const tables: StreamState['tables'] = new Map();
  const onTable = (table: ReplicatedTable) => void tables.set(table.info.oid, table);
  return {
    tables,
    pending: nothingPending(),
    position: zeroLsn,
    // What an earlier job has left unpublished is not known here.
    needsCheckpoint: true,
    dueSince: undefined,
    took: 0,
    catchUp: undefined,
    markedAt: 0,
    exact: false,
    last: undefined,
    lastAt: clock.now(),
    beforeLast: zeroLsn,
    coming: undefined,
    doubts: 0,
    recordedAt: clock.now(),
    reunion: await reunion(),
    belongs: false,
    survey: openSurvey(replication),
    beside: work && openBesideCopy(replication, work, onTable),
  };
}

export function pass(
  place: Lsn,
  event: ReadEvent | undefined,
  state: StreamState,
  { clock }: Pick<Replication, 'clock'>,
): void {
  state.reunion.pass(place, event);
  const before = state.position;
  state.position = laterOf(place, before);
  if (event === undefined || (state.last !== undefined && event.lsn < state.last.lsn)) return;
  const { lsn, mark } = event;
  state.last = { lsn, ...(mark !== undefined && { mark }) };
  state.lastAt = clock.now();
  state.beforeLast = before;
}

/** Everything that is repeated up to the last event is stored already, completely if a commit has followed. */
export function isRepeated({ reunion }: StreamState, { writer }: Replication): boolean {
  return !reunion.isOver() && !writer.isInterrupted;
}

/** What the rows that are being stored end with. While events come again, a later one is remembered already. */
export function lastEventOf({ reunion, coming, last }: StreamState): PassedEvent | undefined {
  return reunion.isOver() ? (coming ?? last) : undefined;
}

/** Not the last event: it comes again to the next connection, which shows whether that reads the same log. */
export function forgettable({ position, last, lastAt, beforeLast }: StreamState, now: number): Lsn {
  return last?.mark !== undefined && now - lastAt < heldFor ? beforeLast : position;
}

/** The stored rows may be the source's current ones: no checkpoint before the stream has come there, too. */
export async function holdUntilNow({
  writer,
  source,
}: Pick<Replication, 'writer' | 'source'>): Promise<void> {
  await writer.holdCheckpoints(await source.position());
  await source.mark();
}
