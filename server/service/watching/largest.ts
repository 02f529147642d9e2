/**
 * Finds the largest buckets. For each, it reports the number of operations that a new client downloads, and the number of
 * existing rows. The difference is history, which compaction makes shorter.
 */
import { type Deployment, servingOf } from '../storage/deployment.ts';
import type { Storage } from '../storage/storage.ts';

interface BucketSize {
  readonly name: string;
  readonly operations: number;
  /** The number of rows. Undefined if there are too many to count. */
  readonly rows: number | undefined;
}

interface Largest {
  readonly buckets: readonly BucketSize[];
  /** The number of examined buckets, and whether these are all buckets. */
  readonly counted: number;
  readonly isWhole: boolean;
}

/** The limits of one call, which takes at most some seconds, in small steps. */
const most = { buckets: 20_000, rows: 200_000, named: 50, atOnce: 500 };

type Contents = Pick<Storage, 'reader' | 'stored'>;

export async function findLargest(
  storage: Contents,
  records: readonly Deployment[],
  signal: AbortSignal,
): Promise<Largest> {
  const serving = servingOf(records);
  const nothing = { buckets: [], counted: 0, isWhole: true };
  if (serving === undefined) return nothing;
  const reader = storage.reader(serving.id);
  const checkpoint = await reader.checkpoint();
  if (checkpoint === undefined) return nothing;
  const { names, isWhole } = await bucketNames(storage, serving.id);
  const counts: { readonly name: string; readonly operations: number }[] = [];
  for (let from = 0; from < names.length && !signal.aborted; from += most.atOnce) {
    const sums = await reader.checksums(checkpoint.opId, names.slice(from, from + most.atOnce));
    for (const { bucket, count } of sums) counts.push({ name: bucket, operations: count });
  }
  const largest = counts.toSorted((one, other) => other.operations - one.operations).slice(0, most.named);
  const rows = await countRowsIn(storage, serving.id, new Set(largest.map(({ name }) => name)), signal);
  return {
    buckets: largest.map((bucket) => ({ ...bucket, rows: rows && (rows.get(bucket.name) ?? 0) })),
    counted: names.length,
    isWhole,
  };
}

async function bucketNames(
  storage: Contents,
  deployment: number,
): Promise<{ readonly names: readonly string[]; readonly isWhole: boolean }> {
  const stored = storage.stored(deployment);
  const names: string[] = [];
  for (let last = 0; ; ) {
    const some = await stored.bucketsAfter(last);
    const end = some.at(-1);
    if (end === undefined) return { names, isWhole: true };
    names.push(...some.map(({ name }) => name));
    if (names.length >= most.buckets) return { names: names.slice(0, most.buckets), isWhole: false };
    last = end.id;
  }
}

/** Returns undefined if there are too many rows. */
async function countRowsIn(
  storage: Contents,
  deployment: number,
  wanted: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, number> | undefined> {
  const stored = storage.stored(deployment);
  const counts = new Map<string, number>();
  let left = most.rows;
  for (const { id } of await stored.tables())
    for (let last: string | undefined; ; ) {
      const some = await stored.rowsAfter(id, last);
      const end = some.at(-1);
      if (end === undefined) break;
      for (const { memberships } of some)
        for (const { bucket } of memberships)
          if (wanted.has(bucket)) counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
      left -= some.length;
      if (left < 0 || signal.aborted) return undefined;
      last = end.key;
    }
  return counts;
}

/** Returns the answer in the form in which it is sent. */
export function describeLargest({ buckets, counted, isWhole }: Largest): object {
  return {
    buckets: buckets.map(({ name, operations, rows }) => ({
      name,
      operations,
      ...(rows !== undefined && { rows }),
    })),
    counted_buckets: counted,
    complete: isWhole,
  };
}
