/** Describes the numbers of a replication slot in sentences. */
import type { BacklogHealth, SourceBacklog } from '../source.ts';

/** The share of the log's maximum size for a lagging slot at which the warnings begin. */
const budgetWarning = 0.5;

/** @param slot undefined if the source does not answer */
export function slotHealth(slot: SourceBacklog | undefined, isCopied: boolean): BacklogHealth {
  if (slot === undefined)
    return {
      level: 'warning',
      message: 'The source does not answer, so the state of the replication slot is unknown.',
    };
  switch (slot.kind) {
    case 'absent':
      return isCopied
        ? {
            level: 'fatal',
            message: 'The replication slot is gone, so changes are missing: everything is copied again.',
          }
        : { level: 'ok', message: 'The replication slot is created when the copy begins.' };
    case 'lost':
      return {
        level: 'fatal',
        message: `The replication slot is lost${slot.reason ? ` (${slot.reason})` : ''}: everything is copied again.`,
      };
    case 'ready':
      return lagOf(slot) ?? { level: 'ok', message: `The replication slot is ${distance(slot.lagBytes)}.` };
  }
}

function lagOf({ status, safeBytes, mostBytes }: SourceBacklog): BacklogHealth | undefined {
  if (status === 'unreserved')
    return {
      level: 'fatal',
      message:
        'At its next checkpoint, the source removes WAL that the replication slot needs, and everything is copied again. ' +
        'Raise max_slot_wal_keep_size.',
    };
  if (safeBytes === undefined || !mostBytes) return undefined;
  const left = Math.max(0, safeBytes / mostBytes);
  if (left > budgetWarning) return undefined;
  const message =
    `${Math.round(left * 100)} % of the WAL that the source keeps for the replication slot is left. When it is ` +
    'used up, the slot is lost and everything is copied again: raise max_slot_wal_keep_size.';
  return { level: 'warning', message };
}

function distance(bytes: number | undefined): string {
  if (bytes === undefined) return 'there';
  if (bytes < 1024 * 1024) return `healthy, ${Math.ceil(bytes / 1024)} KiB behind`;
  return `healthy, ${Math.round(bytes / 1024 / 1024)} MiB behind`;
}
