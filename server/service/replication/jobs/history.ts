/**
 * Whether source and storage still belong together. Neither knows when the other one was replaced by an older copy, or by
 * something else of its name; but both know positions.
 *
 * A slot is told to forget only what the storage remembers: where it has forgotten more, the storage is older, or it is
 * another slot. What the storage has read lies in the log: where the log ends before it, or is sent again without it, it
 * is another log.
 */
import { type Lsn, zeroLsn } from '../../ground/lsn.ts';
import type { Deployment, PassedLog } from '../../storage/deployment.ts';
import type { DeploymentStore } from '../../storage/storage.ts';
import { type Source, SourceFailure } from '../source.ts';

interface HistoryFacts {
  readonly slot: string;
  /** Something is stored. */
  readonly isBegun: boolean;
  readonly passed: PassedLog | undefined;
  readonly confirmed: Lsn;
  /** Where the source's log ends, where that cannot be behind what was read of it. */
  readonly end: Lsn | undefined;
}

export function breakIn({ slot, isBegun, passed, confirmed, end }: HistoryFacts): SourceFailure | undefined {
  // Of a copy that has begun, an earlier release has not remembered it.
  if (passed === undefined) return isBegun ? undefined : nothingStored(slot);
  const { acknowledged } = passed;
  // The slot was being made, and nothing was read.
  if (acknowledged === zeroLsn) return undefined;
  if (confirmed > acknowledged) return outdatedStorage(slot, acknowledged, confirmed);
  return end !== undefined && end < acknowledged ? otherHistory(slot, acknowledged, end) : undefined;
}

/** Reads the slot first: what is acknowledged meanwhile is remembered before. */
export async function checkHistory(
  source: Source,
  store: DeploymentStore,
  { id, slotName }: Pick<Deployment, 'id' | 'slotName'>,
): Promise<void> {
  const { kind, confirmed, end } = await source.slotState(slotName);
  if (kind !== 'ready' || confirmed === undefined) return;
  const { passed, snapshotDone = false } = (await store.all()).find((record) => record.id === id) ?? {};
  const failure = breakIn({ slot: slotName, isBegun: snapshotDone, passed, confirmed, end });
  if (failure !== undefined) throw failure;
}

export interface Reunion {
  /** The log has come here, with an event of its own or without. Fails when it has gone past what must be in it. */
  pass(lsn: Lsn, isEvent: boolean): void;
  /** What was read before has come again, so that all that follows is a continuation of it. */
  isOver(): boolean;
}

/** What was read and not acknowledged comes again, and with it the last event of it. */
export function awaitReunion(slot: string, passed: PassedLog | undefined, confirmed: Lsn): Reunion {
  let expected = passed !== undefined && passed.last > confirmed ? passed.last : undefined;
  return {
    isOver: () => expected === undefined,
    pass: (lsn, isEvent) => {
      if (expected === undefined || lsn < expected) return;
      if (lsn > expected) throw otherHistory(slot, expected, lsn);
      if (isEvent) expected = undefined;
    },
  };
}

const consequence = 'All data is copied anew.';

function outdatedStorage(slot: string, acknowledged: Lsn, confirmed: Lsn): SourceFailure {
  return new SourceFailure(
    'storage-outdated',
    'SVC_S1500',
    `[SVC_S1500] What is stored ends at ${acknowledged}, but replication slot "${slot}" has left out what comes before ${confirmed}: an older copy of the storage was put back, or the slot was made anew or advanced by somebody else. ${consequence} Clients wait until then.`,
  );
}

function nothingStored(slot: string): SourceFailure {
  return new SourceFailure(
    'storage-outdated',
    'SVC_S1500',
    `[SVC_S1500] Nothing is stored, but replication slot "${slot}" is there: an older copy of the storage was put back, or somebody else has made the slot. ${consequence}`,
  );
}

function otherHistory(slot: string, expected: Lsn, found: Lsn): SourceFailure {
  return new SourceFailure(
    'other-history',
    'SVC_S1500',
    `[SVC_S1500] The source's log was read up to ${expected}, and what slot "${slot}" gives now is another log, at ${found}: the source was restored from a backup, or this is another server. ${consequence}`,
  );
}
