/** Explains why replication cannot continue with the stored rows, and what to do. */
import type { HistoryBreak } from '../historyBreak.ts';
import { SourceFailure } from '../source.ts';

export function explainBreak(found: HistoryBreak): SourceFailure {
  switch (found.kind) {
    case 'backlog-lost':
      return lostSlot(found.name, found.reason);
    case 'backlog-missing':
      return new SourceFailure(
        'backlog-missing',
        'SVC_S1146',
        `Replication slot "${found.name}" is missing in the source database: it was dropped, or this is another database. All data must be copied again.`,
      );
    case 'storage-outdated':
      return broken(
        found.kind,
        `${outdatedStorage(found)} All data is copied again. Clients wait until then.`,
      );
    case 'other-history':
      return broken(found.kind, `${otherHistory(found)} All data is copied again.`);
  }
}

export function lostSlot(slot: string, reason: string | undefined): SourceFailure {
  const why = reason === undefined ? '' : ` (${reason})`;
  return new SourceFailure(
    'backlog-lost',
    'SVC_S1146',
    `Replication slot "${slot}" is lost${why}: the source database has dropped changes that were not read yet. Raise max_slot_wal_keep_size in the source, so that it keeps them longer.`,
  );
}

function outdatedStorage(found: Extract<HistoryBreak, { readonly kind: 'storage-outdated' }>): string {
  const { name } = found;
  switch (found.why) {
    case 'acknowledged less':
      return `The stored data ends at ${found.acknowledged}, but replication slot "${name}" no longer has the changes before ${found.confirmed}: an older copy of the storage was restored, or somebody else created the slot again or advanced it.`;
    case 'newer deployment':
      return `Replication slot "${name}" was created by a later state of the storage: an older copy of the storage was restored.`;
    case 'nothing stored':
      return `Nothing is stored, but replication slot "${name}" exists: an older copy of the storage was restored, or somebody else created the slot.`;
    case 'unknown beginning':
      return `Replication slot "${name}" is ready, but the storage does not know where the slot begins, and the slot of the served deployment is gone: either an older copy of the storage was restored, or the service ended right after it had created the slot.`;
  }
}

function otherHistory(found: Extract<HistoryBreak, { readonly kind: 'other-history' }>): string {
  switch (found.why) {
    case 'other system':
      return `The stored data was read from another database, with the system identifier ${found.known}. The database at this address has ${found.found}: it was created again or upgraded, or the address belongs to another server. If the address is a mistake, correct the connection.`;
    case 'left branch': {
      const { last, end } = found;
      const why =
        end === undefined
          ? 'the source has another log'
          : `the source continues from ${end} without that part`;
      return `The source's log was read up to ${last}, and ${why}: the source was restored from a backup, or a standby that lacked the last changes has taken over.`;
    }
    case 'other log':
      return `The source's log was read up to ${found.expected}, but slot "${found.name}" now returns another log, at ${found.found}: the source was restored from a backup, or this is another server.`;
  }
}

function broken(kind: 'storage-outdated' | 'other-history', why: string): SourceFailure {
  return new SourceFailure(kind, 'SVC_S1500', `[SVC_S1500] ${why}`);
}
