/**
 * A deployment that is to become active waits until it has what clients have of the active one. It could wait forever: the active
 * one may always be a little faster, or at a position that the source no longer comes to, as after it was replaced. So it waits
 * for a time only, which begins when it is as far as the source itself: before, clients would go back by all that it lacks.
 */
import type { Lsn } from '../../../ground/lsn.ts';
import type { Replication } from '../replication.ts';

/** Times in milliseconds: the longest wait, and the delay behind the source that is acceptable meanwhile. */
const times = { longest: 10_000, behind: 1_000 } as const;

export interface CatchUp {
  /** When it was put off for the first time. */
  readonly since: number;
  /** The position of the source at a time. */
  readonly aim: { readonly lsn: Lsn; readonly at: number };
  /** Since when it has been as far as the source; absent: it is behind. */
  readonly nearSince?: number;
}

/** Returns the state of catching up, at a position at which the deployment cannot become active yet. */
export async function catchUpAt(
  position: Lsn,
  before: CatchUp | undefined,
  { source, clock }: Pick<Replication, 'source' | 'clock'>,
): Promise<CatchUp> {
  const at = clock.steady();
  if (before === undefined) return { since: at, aim: { lsn: await source.position(), at } };
  const { since, aim, nearSince = at } = before;
  const isSoon = at - aim.at <= times.behind;
  if (position < aim.lsn) return isSoon ? before : { since, aim };
  const lsn = await source.position();
  const next = { since, aim: { lsn, at } };
  return isSoon || position >= lsn ? { ...next, nearSince } : next;
}

export function hasWaitedEnough({ nearSince }: CatchUp, now: number): boolean {
  return nearSince !== undefined && now - nearSince >= times.longest;
}

/** Returns the reason for waiting, when that takes long. */
export function reasonToWait({ since, nearSince }: CatchUp, now: number): string | undefined {
  if (nearSince !== undefined || now - since < times.longest) return undefined;
  return 'Clients have newer rows than this deployment has. It becomes active when it has come as far in the log of the source';
}
