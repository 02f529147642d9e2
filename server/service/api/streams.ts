/** The streams of a deployment, with how many buckets each has: what shows that nothing, or too much, is synced. */
import type { ConfigEvaluator } from '../../engine/plan/evaluate/evaluate.ts';
import type { Storage } from '../storage/storage.ts';

interface StreamAnswer {
  readonly name: string;
  /** Absent where there are too many to count, or where a name hides where the names of its buckets begin. */
  readonly buckets?: number;
}

/** The maximum number of buckets that are counted in all, and of rows of a table: tens of milliseconds. */
export const mostCounted = 50_000;

export async function streamsOf(
  deployment: number,
  { bucketNames }: Pick<ConfigEvaluator, 'bucketNames'>,
  countBuckets: Storage['countBuckets'],
): Promise<readonly StreamAnswer[]> {
  const counts = await countBuckets(deployment, mostCounted);
  return [...bucketNames].map(([name, beginnings]) =>
    counts === undefined || beginnings.some((beginning) => beginning.includes('['))
      ? { name }
      : { name, buckets: beginnings.reduce((sum, beginning) => sum + (counts.get(beginning) ?? 0), 0) },
  );
}
