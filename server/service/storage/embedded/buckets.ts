/** The buckets of a deployment: their numbers, and how many there are. */
import { createCache } from '../../ground/cache.ts';
import { countsUpTo, type NamedCount } from '../bucketCounts.ts';
import type { Storage } from '../storage.ts';
import { damagedRow } from '../storageFailure.ts';
import type { Database, ReadingDatabase, Statements } from './database.ts';

/** Numbers of the buckets of a deployment. */
interface BucketIds {
  find(bucket: string): number | undefined;
}

/** The maximum number of buckets in memory, at some 150 bytes each. */
const capacity = 100_000;

export function findBucketIds(
  database: Pick<ReadingDatabase, 'onDoubt'>,
  statements: Statements,
  deployment: number,
): BucketIds {
  const select = statements.prepareRows('SELECT id FROM buckets WHERE deployment = ? AND name = ?');
  const known = createCache<string, number>(capacity);
  database.onDoubt(() => known.clear());
  return {
    find: (bucket) => {
      const remembered = known.get(bucket);
      if (remembered !== undefined) return remembered;
      const row = select.get(deployment, bucket) as unknown as [number] | undefined;
      if (row === undefined) return undefined;
      known.set(bucket, row[0]);
      return row[0];
    },
  };
}

/** Names of the buckets of a deployment. Each number that a row has is one of them: buckets go after the rows. */
export function findBucketNames(
  database: Pick<ReadingDatabase, 'onDoubt'>,
  statements: Statements,
  deployment: number,
  ids = findBucketIds(database, statements, deployment),
): (id: number) => string {
  const select = statements.prepareRows('SELECT name FROM buckets WHERE id = ?');
  const known = createCache<number, string>(capacity);
  database.onDoubt(() => known.clear());
  return (id) => {
    const remembered = known.get(id);
    if (remembered !== undefined) return remembered;
    const [name] = (select.get(id) ?? []) as unknown as readonly [string?];
    // The name is also in the index: the disk has changed one of them if they differ.
    if (name === undefined || ids.find(name) !== id) throw damagedRow(`bucket ${id}`);
    known.set(id, name);
    return name;
  };
}

/** Inside of transactions. */
export interface WrittenBuckets {
  /** Gives a number to a bucket that has none. */
  readonly give: (bucket: string) => number;
  readonly nameOf: (id: number) => string;
}

export function openBuckets(database: Database, deployment: number): WrittenBuckets {
  const ids = findBucketIds(database, database.writing, deployment);
  const insert = database.writing.prepare('INSERT INTO buckets (deployment, name) VALUES (?, ?)');
  return {
    give: (bucket) => ids.find(bucket) ?? Number(insert.run(deployment, bucket).lastInsertRowid),
    nameOf: findBucketNames(database, database.writing, deployment, ids),
  };
}

type CountBuckets = (
  ...asked: Parameters<Storage['countBuckets']>
) => ReadonlyMap<string, number> | undefined;

/** Reads the index of names only: 50,000 of them in some 15 to 30 ms. */
export function openBucketCounts({ reading }: Database): CountBuckets {
  const counting = reading.prepareRows(
    `SELECT substr(name, 1, instr(name, '[') - 1), count(*)
     FROM (SELECT name FROM buckets WHERE deployment = ? LIMIT ?) GROUP BY 1`,
  );
  return (deployment, most) =>
    countsUpTo(most, counting.all(deployment, most + 1) as unknown as readonly NamedCount[]);
}
