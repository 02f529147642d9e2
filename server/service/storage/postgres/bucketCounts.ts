import { countsUpTo } from '../bucketCounts.ts';
import type { Database } from './database.ts';
import { schema } from './schema.ts';

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
