/** Decides what the state of a slot means for its deployment. */
import { type Source, SourceFailure } from './source.ts';

export function lostSlot(slot: string, reason: string | undefined): SourceFailure {
  const why = reason === undefined ? '' : ` (${reason})`;
  return new SourceFailure(
    'slot-lost',
    'SVC_S1146',
    `Replication slot "${slot}" is lost${why}: the source database has dropped changes that were not read yet. Raise max_slot_wal_keep_size in the source, so that it keeps them longer.`,
  );
}

export function missingSlot(slot: string): SourceFailure {
  return new SourceFailure(
    'slot-missing',
    'SVC_S1146',
    `Replication slot "${slot}" is missing in the source database: it was dropped, or this is another database. All data must be copied again.`,
  );
}

/**
 * Whether copying all data again, with a new slot, can help. A slot that was lost during its copy would be lost again, unless the
 * source has removed log that the slot needed.
 */
export async function canRestart(source: Source, slot: string, wasCopied: boolean): Promise<boolean> {
  if (wasCopied) return true;
  const state = await source.slotState(slot).catch(() => undefined);
  return state?.reason === 'rows_removed';
}
