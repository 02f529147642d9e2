/** The buckets of a deployment: their numbers, and how many there are. */
import { createCache } from '../../ground/cache.ts';
import { countsUpTo } from '../bucketCounts.ts';
import type { Database, Run } from './database.ts';
import { hashOf } from './hash.ts';
import { schema } from './schema.ts';

/** The numbers of a deployment's buckets. A number is never used again. */
export interface BucketIds {
  find(run: Run, buckets: Iterable<string>): Promise<ReadonlyMap<string, number>>;
  /** Like `find`, but also gives numbers to buckets that have none. Must be called inside of a transaction. */
  give(run: Run, buckets: Iterable<string>): Promise<ReadonlyMap<string, number>>;
  /** Forgets the numbers that were given in a failed transaction. */
  forget(): void;
}

/** The maximum number of buckets in memory, with about 150 bytes each. */
const capacity = 100_000;

export function openBucketIds(deployment: number): BucketIds {
  const known = createCache<string, number>(capacity);

  const find = async (run: Run, buckets: Iterable<string>) => {
    const found = new Map<string, number>();
    const unknown = new Map<string, string>();
    for (const bucket of buckets) {
      const id = known.get(bucket);
      if (id === undefined) unknown.set(hashOf(bucket), bucket);
      else found.set(bucket, id);
    }
    if (unknown.size === 0) return found;
    const rows = await run<{ id: number; name: string }>(
      `SELECT id, name FROM ${schema}.buckets WHERE deployment = $1 AND hash = ANY ($2::uuid[])`,
      [deployment, [...unknown.keys()]],
    );
    for (const { id, name } of rows) {
      known.set(name, id);
      found.set(name, id);
    }
    return found;
  };

  return {
    find,
    give: async (run, buckets) => {
      const wanted = new Set(buckets);
      const found = await find(run, wanted);
      const missing = [...wanted].filter((bucket) => !found.has(bucket));
      if (missing.length === 0) return found;
      await run(
        `INSERT INTO ${schema}.buckets (deployment, hash, name) SELECT $1, * FROM unnest($2::uuid[], $3::text[])`,
        [deployment, missing.map(hashOf), missing],
      );
      return find(run, wanted);
    },
    forget: () => known.clear(),
  };
}

export async function countBuckets(
  { run }: Database,
  deployment: number,
  most: number,
): Promise<ReadonlyMap<string, number> | undefined> {
  const rows = await run<{ name: string; count: number }>(
    `SELECT split_part(name, '[', 1) AS name, count(*) AS count
     FROM (SELECT name FROM ${schema}.buckets WHERE deployment = $1 LIMIT $2) AS counted GROUP BY 1`,
    [deployment, most + 1],
  );
  return countsUpTo(
    most,
    rows.map(({ name, count }) => [name, count]),
  );
}
