/**
 * Checks whether source and storage still belong together. Neither can know that the other was replaced by an older
 * copy, or by another one of the same name. But the storage knows the events that it has read, and both know positions.
 * - Another system is another source. A timeline that ended before what was read is a source without that.
 * - A slot is asked to forget only what the storage remembers. If it has forgotten more, the storage is older,
 * or it is another slot.
 * - A slot of a deployment that the storage does not know was made by a later state of it. It shows where the slot of what is
 * served is gone, because something else was served later.
 * - A slot whose beginning is not stored was made by a process that ended right after that, or by a later state that served
 * from it. They look the same, so if the slot of the served deployment is gone, the later state is assumed.
 * - What the storage has read is in the log, or is older than it. If the log ends before that, or is sent
 * again without it, it is another log. The last event is never acknowledged, so it comes again and is
 * compared: two logs with the same event are the same up to there. The embedded database begins a timeline
 * with each start instead.
 * If both were restored and fit together, nothing is wrong here. Clients that have seen more notice it by
 * checksums.
 */
import { straySlots } from '../../deployments/slotNames.ts';
import { type Lsn, laterOf, zeroLsn } from '../../ground/lsn.ts';
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
  /** Something is stored. */
  readonly isBegun: boolean;
  readonly passed: PassedLog | undefined;
  /**
   * The latest position that rows may show that were read from tables, not from the log, and have not become a checkpoint yet.
   */
  readonly copied?: Lsn | undefined;
  readonly confirmed: Lsn;
  /** The end of the source's log, if it is certainly not before the positions that were read. */
  readonly end: Lsn | undefined;
  /** Whether a deployment is served whose slot is gone. */
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
  // An earlier release did not remember it for a copy that has begun.
  if (passed === undefined) return isBegun ? undefined : nothingStored(slot);
  const { acknowledged } = passed;
  // The slot was being made, and nothing had been read.
  if (acknowledged === zeroLsn) return isServedSlotGone ? unknownBeginning(slot) : undefined;
  if (confirmed > acknowledged) return outdatedStorage(slot, acknowledged, confirmed);
  const read = laterOf(copied ?? zeroLsn, laterOf(acknowledged, passed.last));
  return end !== undefined && end < read ? otherHistory(slot, read, end) : undefined;
}

/**
 * Returns undefined if replication can continue with the stored rows. Rows that an earlier release has stored are accepted as
 * they are.
 */
export function strayFrom(
  record: Pick<Deployment, 'origin' | 'passed' | 'lastCheckpointLsn' | 'noCheckpointBefore'>,
  { system, timelines }: SourceHistory,
): SourceFailure | undefined {
  const { origin, passed } = record;
  if (origin === undefined) return undefined;
  if (origin.system !== system) return otherSystem(origin.system, system);
  if (origin.timeline === undefined || timelines === undefined) return undefined;
  const own = timelines.find(({ id }) => id === origin.timeline);
  const last = laterOf(copiedOf(record) ?? zeroLsn, passed?.last);
  if (own === undefined) return leftTimeline(last, undefined);
  return own.end !== undefined && last > own.end ? leftTimeline(last, own.end) : undefined;
}

function copiedOf({
  lastCheckpointLsn,
  noCheckpointBefore,
}: Pick<Deployment, 'lastCheckpointLsn' | 'noCheckpointBefore'>): Lsn | undefined {
  if (noCheckpointBefore === undefined) return undefined;
  return noCheckpointBefore > (lastCheckpointLsn ?? zeroLsn) ? noCheckpointBefore : undefined;
}

export function provenanceOf({ system, timelines }: SourceHistory): Provenance {
  const timeline = timelines?.at(-1)?.id;
  return { system, ...(timeline !== undefined && { timeline }) };
}

/**
 * Compares source and storage. It reads the slots first, because a slot that is created or acknowledged meanwhile is recorded
 * before that.
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
  /** The log has come here, with an event of its own or without. Fails when it has gone past what must be in it. */
  pass(place: Lsn, event: ReadEvent | undefined): void;
  /** Everything that was read before has come again, so what follows continues it. */
  isOver(): boolean;
}

export interface ReadEvent extends PassedEvent {
  /** Its last record begins after this. */
  readonly from?: Lsn;
}

/** Waits for the events that were read and not acknowledged, which come again, the last event among them. */
export function awaitReunion(slot: string, passed: PassedLog | undefined, confirmed: Lsn): Reunion {
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

function outdatedStorage(slot: string, acknowledged: Lsn, confirmed: Lsn): SourceFailure {
  return broken(
    'storage-outdated',
    `What is stored ends at ${acknowledged}, but replication slot "${slot}" has left out what comes before ${confirmed}: an older copy of the storage was put back, or somebody else created the slot again or advanced it.`,
  );
}

function laterSlot(slot: string): SourceFailure {
  return broken(
    'storage-outdated',
    `Replication slot "${slot}" was made by a later state of the storage: an older copy of it was put back.`,
  );
}

function nothingStored(slot: string): SourceFailure {
  return broken(
    'storage-outdated',
    `Nothing is stored, but replication slot "${slot}" is there: an older copy of the storage was put back, or somebody else has made the slot.`,
  );
}

function unknownBeginning(slot: string): SourceFailure {
  return broken(
    'storage-outdated',
    `Replication slot "${slot}" is ready, but the storage does not know where it begins, and the slot of the served deployment is gone: either an older copy of the storage was put back, or the service ended right after it had created the slot.`,
  );
}

function otherSystem(known: string, found: string): SourceFailure {
  return broken(
    'other-history',
    `What is stored was read from another database, with the system identifier ${known}. The database at this address has ${found}: it was created again or upgraded, or the address leads elsewhere. If that is a mistake, correct the connection.`,
  );
}

function leftTimeline(last: Lsn, end: Lsn | undefined): SourceFailure {
  const why = end === undefined ? 'the source has another log' : `the source goes on from ${end} without it`;
  return broken(
    'other-history',
    `The source's log was read up to ${last}, and ${why}: the source was restored from a backup, or a standby that lacked the last changes has taken over.`,
  );
}

function otherHistory(slot: string, expected: Lsn, found: Lsn): SourceFailure {
  return broken(
    'other-history',
    `The source's log was read up to ${expected}, and what slot "${slot}" gives now is another log, at ${found}: the source was restored from a backup, or this is another server.`,
  );
}

function broken(kind: 'storage-outdated' | 'other-history', why: string): SourceFailure {
  const until = kind === 'storage-outdated' ? ' Clients wait until then.' : '';
  return new SourceFailure(kind, 'SVC_S1500', `[SVC_S1500] ${why} All data is copied again.${until}`);
}
