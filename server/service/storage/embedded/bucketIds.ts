import type { Database, Statements } from './database.ts';

/** Numbers that stand for the buckets of a deployment. */
interface BucketIds {
  find(bucket: string): number | undefined;
}

/** How many are remembered, at some 150 bytes each. */
const capacity = 100_000;

export function findBucketIds(database: Database, statements: Statements, deployment: number): BucketIds {
  const select = statements.prepareRows('SELECT id FROM buckets WHERE deployment = ? AND name = ?');
  const known = new Map<string, number>();
  database.onDoubt(() => known.clear());
  return {
    find: (bucket) => {
      const remembered = known.get(bucket);
      if (remembered !== undefined) return remembered;
      const row = select.get(deployment, bucket) as unknown as [number] | undefined;
      if (row === undefined) return undefined;
      if (known.size >= capacity) known.clear();
      known.set(bucket, row[0]);
      return row[0];
    },
  };
}

/** Inside of a transaction: gives a number to a bucket that has none. */
export function giveBucketIds(database: Database, deployment: number): (bucket: string) => number {
  const ids = findBucketIds(database, database.writing, deployment);
  const insert = database.writing.prepare('INSERT INTO buckets (deployment, name) VALUES (?, ?)');
  return (bucket) => ids.find(bucket) ?? Number(insert.run(deployment, bucket).lastInsertRowid);
}
