/**
 * Checks whether source and storage still belong together. Neither can know that the other was replaced by an older copy, or by
 * a different one of the same name. But the storage knows the events that it has read, and both know positions.
 * - A different system is a different source. If the source's branch of the log ended before the position that was read, the
 *   source does not contain everything that was read.
 * - A backlog loses only events that the storage has recorded. If it has lost more, the storage is older, or it is a different
 *   backlog.
 * - A backlog of an unknown deployment was created by a later state of the storage. This is checked when that of the serving
 *   deployment is gone, because another deployment was served later.
 * - A backlog whose beginning is not stored was created by a process that ended right after that, or by a later state that served
 *   from it. The two cases look the same, so the later state is assumed if that of the serving deployment is gone.
 * - Events that the storage has read are in the log, or are older than it. If the log ends before them, or is sent again
 *   without them, it is a different log. The last event is never acknowledged, so it is sent again and compared: two logs with
 *   the same event are the same up to it. The embedded database begins a branch at each start instead.
 * If both were restored and match, there is no problem here. Clients that have seen more notice it by checksums.
 */
import { strayNames } from '../../deployments/deploymentNames.ts';
import { firstPosition, type LogPosition, laterOf } from '../../ground/logPosition.ts';
import {
  type Deployment,
  isServing,
  type PassedEvent,
  type PassedLog,
  type Provenance,
} from '../../storage/deployment.ts';
import type { DeploymentStore } from '../../storage/storage.ts';
import type { HistoryBreak } from '../historyBreak.ts';
import type { Source, SourceHistory } from '../source.ts';

interface HistoryFacts {
  readonly deploymentName: string;
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
  /** Whether the backlog of the serving deployment is gone. */
  readonly isServedBacklogGone?: boolean;
}

export function breakIn({
  deploymentName: name,
  isBegun,
  passed,
  copied,
  confirmed,
  end,
  isServedBacklogGone = false,
}: HistoryFacts): HistoryBreak | undefined {
  // An earlier release did not record it for a running copy.
  if (passed === undefined)
    return isBegun ? undefined : { kind: 'storage-outdated', why: 'nothing stored', name };
  const { acknowledged } = passed;
  // The backlog was being created, and nothing had been read.
  if (acknowledged === firstPosition)
    return isServedBacklogGone ? { kind: 'storage-outdated', why: 'unknown beginning', name } : undefined;
  if (confirmed > acknowledged)
    return { kind: 'storage-outdated', why: 'acknowledged less', name, acknowledged, confirmed };
  const read = laterOf(copied ?? firstPosition, laterOf(acknowledged, passed.last));
  return end !== undefined && end < read
    ? { kind: 'other-history', why: 'other log', name, expected: read, found: end }
    : undefined;
}

/**
 * Returns undefined if replication can continue with the stored rows. Rows that an earlier release stored are accepted without a
 * check.
 */
export function strayFrom(
  record: Pick<Deployment, 'origin' | 'passed' | 'lastCheckpointPosition' | 'noCheckpointBefore'>,
  { system, branches }: SourceHistory,
): HistoryBreak | undefined {
  const { origin, passed } = record;
  if (origin === undefined) return undefined;
  if (origin.system !== system)
    return { kind: 'other-history', why: 'other system', known: origin.system, found: system };
  if (origin.branch === undefined || branches === undefined) return undefined;
  const own = branches.find(({ id }) => id === origin.branch);
  const last = laterOf(copiedOf(record) ?? firstPosition, passed?.last);
  if (own === undefined) return { kind: 'other-history', why: 'left branch', last };
  return own.end !== undefined && last > own.end
    ? { kind: 'other-history', why: 'left branch', last, end: own.end }
    : undefined;
}

function copiedOf({
  lastCheckpointPosition,
  noCheckpointBefore,
}: Pick<Deployment, 'lastCheckpointPosition' | 'noCheckpointBefore'>): LogPosition | undefined {
  if (noCheckpointBefore === undefined) return undefined;
  return noCheckpointBefore > (lastCheckpointPosition ?? firstPosition) ? noCheckpointBefore : undefined;
}

export function provenanceOf({ system, branches }: SourceHistory): Provenance {
  const branch = branches?.at(-1)?.id;
  return { system, ...(branch !== undefined && { branch }) };
}

/**
 * Compares source and storage. It reads the backlogs first, because one that is created or acknowledged meanwhile is recorded in
 * the storage before that.
 */
export async function checkHistory(
  source: Source,
  store: DeploymentStore,
  { id, deploymentName }: Pick<Deployment, 'id' | 'deploymentName'>,
): Promise<void> {
  const names = await source.backlogNames();
  const { kind, confirmed, end } = await source.backlog(deploymentName);
  const records = await store.all();
  const later = strayNames(names, records).find(({ isLater }) => isLater);
  if (later !== undefined)
    throw source.explain({ kind: 'storage-outdated', why: 'newer deployment', name: later.name });
  if (kind !== 'ready' || confirmed === undefined) return;
  const record = records.find((each) => each.id === id);
  const { passed, snapshotDone: isBegun = false } = record ?? {};
  const isServedBacklogGone = records.some(
    (each) => isServing(each.state) && !names.includes(each.deploymentName),
  );
  const copied = record && copiedOf(record);
  const found =
    (record && strayFrom(record, await source.history())) ??
    breakIn({ deploymentName, isBegun, passed, copied, confirmed, end, isServedBacklogGone });
  if (found !== undefined) throw source.explain(found);
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

interface ReunionFacts {
  readonly deploymentName: string;
  readonly passed: PassedLog | undefined;
  readonly confirmed: LogPosition;
  readonly explain: Source['explain'];
}

/** Waits for the events that were read but not acknowledged, which the source sends again. The last event is one of them. */
export function awaitReunion({ deploymentName, passed, confirmed, explain }: ReunionFacts): Reunion {
  let expected = passed !== undefined && passed.last > confirmed ? passed : undefined;
  return {
    isOver: () => expected === undefined,
    pass: (place, event) => {
      if (expected === undefined || place < expected.last) return;
      const isThere = event !== undefined && (event.from ?? place) <= expected.last;
      const isAnother = isThere && isOther(expected.mark, event.mark);
      if (isAnother || (place > expected.last && !isThere)) {
        const found = { expected: expected.last, found: place };
        throw explain({ kind: 'other-history', why: 'other log', name: deploymentName, ...found });
      }
      if (isThere) expected = undefined;
    },
  };
}

function isOther(known: string | undefined, found: string | undefined): boolean {
  return known !== undefined && found !== undefined && known !== found;
}
