/** The reasons why replication cannot continue with the stored rows. The source explains them, because it knows the remedies. */
import type { LogPosition } from '../ground/logPosition.ts';
import type { Source, SourceBacklog } from './source.ts';

export type HistoryBreak =
  /** The source has dropped changes that were not read. `reason`: as reported by the source. */
  | { readonly kind: 'backlog-lost'; readonly name: string; readonly reason?: string }
  | { readonly kind: 'backlog-missing'; readonly name: string }
  | ({ readonly kind: 'storage-outdated' } & OutdatedStorage)
  | ({ readonly kind: 'other-history' } & OtherHistory);

/** `name`: the deployment for which the source keeps changes. */
type OutdatedStorage =
  /** The source has dropped more than the storage has acknowledged. */
  | {
      readonly why: 'acknowledged less';
      readonly name: string;
      readonly acknowledged: LogPosition;
      readonly confirmed: LogPosition;
    }
  /** The source keeps changes for a deployment that is newer than all stored ones. */
  | { readonly why: 'newer deployment'; readonly name: string }
  | { readonly why: 'nothing stored'; readonly name: string }
  /** The storage does not know where the kept changes begin, and those of the serving deployment are gone. */
  | { readonly why: 'unknown beginning'; readonly name: string };

type OtherHistory =
  | { readonly why: 'other system'; readonly known: string; readonly found: string }
  /** The log was left before the last position that was read. `end`: where it was left; absent: the branch is unknown. */
  | { readonly why: 'left branch'; readonly last: LogPosition; readonly end?: LogPosition }
  /** Another log is sent instead of the one that was read. */
  | {
      readonly why: 'other log';
      readonly name: string;
      readonly expected: LogPosition;
      readonly found: LogPosition;
    };

export function lossOf(name: string, { reason }: SourceBacklog): HistoryBreak {
  return { kind: 'backlog-lost', name, ...(reason !== undefined && { reason }) };
}

/**
 * Whether copying all data again can help. Changes that were lost during a copy would be lost again, unless the source says
 * otherwise.
 */
export async function canRestart(source: Source, name: string, wasCopied: boolean): Promise<boolean> {
  if (wasCopied) return true;
  const state = await source.backlog(name).catch(() => undefined);
  return state?.canBeKeptAgain === true;
}
