/**
 * Checks whether source and storage still belong together. Neither can know that the other was replaced by an older copy, or by
 * a different one of the same name. But the storage knows the events that it has read, and both know positions.
 * - A different system is a different source. If the source's timeline ended before the position that was read, the source
 *   does not contain everything that was read.
 * - A slot is asked to drop only events that the storage has recorded. If it has dropped more, the storage is older, or it is
 *   a different slot.
 * - A slot of an unknown deployment was created by a later state of the storage. This is checked when the slot of the serving
 *   deployment is gone, because another deployment was served later.
 * - A slot whose beginning is not stored was created by a process that ended right after that, or by a later state that served
 *   from it. The two cases look the same, so the later state is assumed if the slot of the serving deployment is gone.
 * - Events that the storage has read are in the log, or are older than it. If the log ends before them, or is sent again
 *   without them, it is a different log. The last event is never acknowledged, so it is sent again and compared: two logs with
 *   the same event are the same up to it. The embedded database begins a timeline at each start instead.
 * If both were restored and match, there is no problem here. Clients that have seen more notice it by checksums.
 */
import { straySlots } from '../../deployments/slotNames.ts';
import { firstPosition, type LogPosition, laterOf } from '../../ground/logPosition.ts';
import {
  type Deployment,
  isServing,
  type PassedEvent,
  type PassedLog,
  type Provenance,
} from '../../storage/deployment.ts';
import type { DeploymentStore } from '../../storage/storage.ts';
import { type Source, SourceFailure, type SourceHistory } from '../source.ts';

interface HistoryFacts {
  readonly slot: string;
  /** Whether anything is stored. */
  readonly isBegun: boolean;
  readonly passed: PassedLog | undefined;
  /**
   * The latest position whose changes may be in rows that were read from tables instead of the log, and that are not in a
   * checkpoint yet.
   */
  readonly copied?: LogPosition | undefined;
  readonly confirmed: LogPosition;
  /** The end of the source's log. Absent if it may be before the positions that were read. */
  readonly end: LogPosition | undefined;
  /** Whether the slot of the serving deployment is gone. */
  readonly isServedSlotGone?: boolean;
}

export function breakIn({
  slot,
  isBegun,
  passed,
  copied,
  confirmed,
  end,
  isServedSlotGone = false,
}: HistoryFacts): SourceFailure | undefined {
  // An earlier release did not record it for a running copy.
  if (passed === undefined) return isBegun ? undefined : nothingStored(slot);
  const { acknowledged } = passed;
  // The slot was being created, and nothing had been read.
  if (acknowledged === firstPosition) return isServedSlotGone ? unknownBeginning(slot) : undefined;
  if (confirmed > acknowledged) return outdatedStorage(slot, acknowledged, confirmed);
  const read = laterOf(copied ?? firstPosition, laterOf(acknowledged, passed.last));
  return end !== undefined && end < read ? otherHistory(slot, read, end) : undefined;
}

/**
 * Returns undefined if replication can continue with the stored rows. Rows that an earlier release stored are accepted without a
 * check.
 */
export function strayFrom(
  record: Pick<Deployment, 'origin' | 'passed' | 'lastCheckpointPosition' | 'noCheckpointBefore'>,
  { system, timelines }: SourceHistory,
): SourceFailure | undefined {
  const { origin, passed } = record;
  if (origin === undefined) return undefined;
  if (origin.system !== system) return otherSystem(origin.system, system);
  if (origin.timeline === undefined || timelines === undefined) return undefined;
  const own = timelines.find(({ id }) => id === origin.timeline);
  const last = laterOf(copiedOf(record) ?? firstPosition, passed?.last);
  if (own === undefined) return leftTimeline(last, undefined);
  return own.end !== undefined && last > own.end ? leftTimeline(last, own.end) : undefined;
}

function copiedOf({
  lastCheckpointPosition,
  noCheckpointBefore,
}: Pick<Deployment, 'lastCheckpointPosition' | 'noCheckpointBefore'>): LogPosition | undefined {
  if (noCheckpointBefore === undefined) return undefined;
  return noCheckpointBefore > (lastCheckpointPosition ?? firstPosition) ? noCheckpointBefore : undefined;
}

export function provenanceOf({ system, timelines }: SourceHistory): Provenance {
  const timeline = timelines?.at(-1)?.id;
  return { system, ...(timeline !== undefined && { timeline }) };
}

/**
 * Compares source and storage. It reads the slots first, because a slot that is created or acknowledged meanwhile is recorded in
 * the storage before that.
 */
export async function checkHistory(
  source: Source,
  store: DeploymentStore,
  { id, slotName }: Pick<Deployment, 'id' | 'slotName'>,
): Promise<void> {
  const slots = await source.slotNames();
  const { kind, confirmed, end } = await source.slotState(slotName);
  const records = await store.all();
  const later = straySlots(slots, records).find(({ isLater }) => isLater);
  if (later !== undefined) throw laterSlot(later.name);
  if (kind !== 'ready' || confirmed === undefined) return;
  const record = records.find((each) => each.id === id);
  const { passed, snapshotDone: isBegun = false } = record ?? {};
  const isServedSlotGone = records.some((each) => isServing(each.state) && !slots.includes(each.slotName));
  const copied = record && copiedOf(record);
  const failure =
    (record && strayFrom(record, await source.history())) ??
    breakIn({ slot: slotName, isBegun, passed, copied, confirmed, end, isServedSlotGone });
  if (failure !== undefined) throw failure;
}

export interface Reunion {
  /**
   * Reports that the stream has reached this place, with or without an event. Fails if it has passed a place at which an expected
   * event is missing.
   */
  pass(place: LogPosition, event: ReadEvent | undefined): void;
  /** Whether all events that were read before have been sent again, so that the following ones continue them. */
  isOver(): boolean;
}

export interface ReadEvent extends PassedEvent {
  /** A position before its last record. */
  readonly from?: LogPosition;
}

/** Waits for the events that were read but not acknowledged, which the source sends again. The last event is one of them. */
export function awaitReunion(slot: string, passed: PassedLog | undefined, confirmed: LogPosition): Reunion {
  let expected = passed !== undefined && passed.last > confirmed ? passed : undefined;
  return {
    isOver: () => expected === undefined,
    pass: (place, event) => {
      if (expected === undefined || place < expected.last) return;
      const isThere = event !== undefined && (event.from ?? place) <= expected.last;
      const isAnother = isThere && isOther(expected.mark, event.mark);
      if (isAnother || (place > expected.last && !isThere)) throw otherHistory(slot, expected.last, place);
      if (isThere) expected = undefined;
    },
  };
}

function isOther(known: string | undefined, found: string | undefined): boolean {
  return known !== undefined && found !== undefined && known !== found;
}

function outdatedStorage(slot: string, acknowledged: LogPosition, confirmed: LogPosition): SourceFailure {
  return broken(
    'storage-outdated',
    `The stored data ends at ${acknowledged}, but replication slot "${slot}" no longer has the changes before ${confirmed}: an older copy of the storage was restored, or somebody else created the slot again or advanced it.`,
  );
}

function laterSlot(slot: string): SourceFailure {
  return broken(
    'storage-outdated',
    `Replication slot "${slot}" was created by a later state of the storage: an older copy of the storage was restored.`,
  );
}

function nothingStored(slot: string): SourceFailure {
  return broken(
    'storage-outdated',
    `Nothing is stored, but replication slot "${slot}" exists: an older copy of the storage was restored, or somebody else created the slot.`,
  );
}

function unknownBeginning(slot: string): SourceFailure {
  return broken(
    'storage-outdated',
    `Replication slot "${slot}" is ready, but the storage does not know where the slot begins, and the slot of the served deployment is gone: either an older copy of the storage was restored, or the service ended right after it had created the slot.`,
  );
}

function otherSystem(known: string, found: string): SourceFailure {
  return broken(
    'other-history',
    `The stored data was read from another database, with the system identifier ${known}. The database at this address has ${found}: it was created again or upgraded, or the address belongs to another server. If the address is a mistake, correct the connection.`,
  );
}

function leftTimeline(last: LogPosition, end: LogPosition | undefined): SourceFailure {
  const why =
    end === undefined ? 'the source has another log' : `the source continues from ${end} without that part`;
  return broken(
    'other-history',
    `The source's log was read up to ${last}, and ${why}: the source was restored from a backup, or a standby that lacked the last changes has taken over.`,
  );
}

function otherHistory(slot: string, expected: LogPosition, found: LogPosition): SourceFailure {
  return broken(
    'other-history',
    `The source's log was read up to ${expected}, but slot "${slot}" now returns another log, at ${found}: the source was restored from a backup, or this is another server.`,
  );
}

function broken(kind: 'storage-outdated' | 'other-history', why: string): SourceFailure {
  const until = kind === 'storage-outdated' ? ' Clients wait until then.' : '';
  return new SourceFailure(kind, 'SVC_S1500', `[SVC_S1500] ${why} All data is copied again.${until}`);
}
