import type { JobStatus } from './replicator.ts';

/**
 * Age, in milliseconds, of the oldest change that clients of this deployment cannot see yet: 0 when there is none.
 * After a failure, the time since anything was heard of the source. Undefined before anything was.
 */
export function lagOf({ progress, running }: JobStatus, now: number): number | undefined {
  const { lastProgressAt, oldestOpenAt } = progress;
  if (lastProgressAt === undefined) return undefined;
  if (!running) return now - lastProgressAt;
  return oldestOpenAt === undefined ? 0 : Math.max(0, now - oldestOpenAt);
}
