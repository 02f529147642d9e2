/**
 * A deployment that is to become active waits until it has what clients have of the active one. It could wait forever: the active
 * one may always be a little faster, or at a position that the source no longer comes to, as after it was replaced. So it waits
 * for a time only, which begins when it is as far as the source itself: before, clients would go back by all that it lacks.
 */
import type { Lsn } from '../../../ground/lsn.ts';
import type { Replication } from '../replication.ts';

/** In milliseconds: how long it waits, and how far behind the source it may be meanwhile. */
const times = { longest: 10_000, behind: 1_000 } as const;

export interface CatchUp {
  /** Where the source was at a time. */
  readonly aim: { readonly lsn: Lsn; readonly at: number };
  /** Since when it has been as far as the source; absent: it is behind. */
  readonly nearSince?: number;
}

/** How it goes on, when it was put off at this position. */
export async function catchUpFrom(
  position: Lsn,
  before: CatchUp | undefined,
  { source, clock }: Pick<Replication, 'source' | 'clock'>,
): Promise<CatchUp> {
  if (before !== undefined && position < before.aim.lsn) return before;
  const at = clock.now();
  const isNear = before !== undefined && at - before.aim.at <= times.behind;
  const aim = { lsn: await source.position(), at };
  return isNear ? { aim, nearSince: before.nearSince ?? at } : { aim };
}

export function hasWaitedEnough({ nearSince }: CatchUp, now: number): boolean {
  return nearSince !== undefined && now - nearSince >= times.longest;
}
