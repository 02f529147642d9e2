/** The streams of a deployment and their numbers of buckets, which show if nothing or too much is synced. */
import type { ConfigEvaluator } from '../../engine/plan/evaluate/evaluate.ts';
import type { Storage } from '../storage/storage.ts';

interface StreamAnswer {
  readonly name: string;
  /** Absent if there are too many buckets to count, or if a `[` in the stream's name hides where the names of its buckets begin. */
  readonly buckets?: number;
}

/** The maximum number of buckets to count, in all, and of rows to count in a table. Counting these takes tens of milliseconds. */
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
