/**
 * Makes a deployment wait before it becomes active, until it has everything that clients have from the active one. It could wait
 * forever, because the active one may always be slightly ahead, or at a position that the source never reaches again after it was
 * replaced. So the wait is limited. The time limit starts when the deployment has caught up with the source itself; otherwise,
 * clients would lose the changes that it lacks.
 */
import type { LogPosition } from '../../../ground/logPosition.ts';
import type { Replication } from '../replication.ts';

/** Times in milliseconds: the longest wait, and the acceptable delay behind the source meanwhile. */
const times = { longest: 10_000, behind: 1_000 } as const;

export interface CatchUp {
  /** The time at which activation was first put off. */
  readonly since: number;
  /** The position of the source at a time. */
  readonly aim: { readonly position: LogPosition; readonly at: number };
  /** The time since when the deployment has been as far as the source; absent: it is behind. */
  readonly nearSince?: number;
}

/** Returns the state of catching up, at a position at which the deployment cannot become active yet. */
export async function catchUpAt(
  position: LogPosition,
  before: CatchUp | undefined,
  { source, clock }: Pick<Replication, 'source' | 'clock'>,
): Promise<CatchUp> {
  const at = clock.steady();
  if (before === undefined) return { since: at, aim: { position: await source.position(), at } };
  const { since, aim, nearSince = at } = before;
  const isSoon = at - aim.at <= times.behind;
  if (position < aim.position) return isSoon ? before : { since, aim };
  const end = await source.position();
  const next = { since, aim: { position: end, at } };
  return isSoon || position >= end ? { ...next, nearSince } : next;
}

export function hasWaitedEnough({ nearSince }: CatchUp, now: number): boolean {
  return nearSince !== undefined && now - nearSince >= times.longest;
}

/** Returns the reason for waiting, if the wait is long. */
export function reasonToWait({ since, nearSince }: CatchUp, now: number): string | undefined {
  if (nearSince !== undefined || now - since < times.longest) return undefined;
  return 'Clients have newer rows than this deployment. It becomes active when it has reached the same position in the log of the source';
}
