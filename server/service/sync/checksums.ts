/** Caches the checksums of buckets between checkpoints, for all clients. */

import { type Cache, createCache } from '../ground/cache.ts';
import type { Clock } from '../ground/world.ts';
import type { BucketReader, BucketSum, Notice, OpId } from '../storage/storage.ts';
import type { Feed } from './feed.ts';

export interface Checksums {
  /** Returns the checksums in the order of the buckets. */
  of(deployment: number, at: OpId, buckets: readonly string[]): Promise<readonly BucketSum[]>;
}

interface CachedSum {
  /** The checkpoint at which the checksum was read. It is valid until the bucket changes. */
  readonly at: OpId;
  readonly until: number;
  readonly sum: Promise<BucketSum>;
}

const mostRemembered = 100_000;

export function rememberChecksums(
  readerOf: (deployment: number) => Pick<BucketReader, 'checksums'>,
  feed: Pick<Feed, 'watch'>,
  { clock, lifetime }: { readonly clock: Clock; readonly lifetime: number },
): Checksums {
  // Names of buckets begin with the id of their deployment, so keys of different deployments differ.
  const remembered = createCache<string, CachedSum>(mostRemembered);
  const newest = new Map<number, OpId>();
  feed.watch((notice) => {
    newest.set(notice.deployment, notice.checkpoint.opId);
    forget(remembered, notice);
  });

  return {
    of: (deployment, at, buckets) => {
      const now = clock.steady();
      const sums = new Map<string, Promise<BucketSum>>();
      const missing: string[] = [];
      for (const bucket of buckets) {
        const known = remembered.get(bucket);
        if (known !== undefined && known.at <= at && now < known.until) sums.set(bucket, known.sum);
        else missing.push(bucket);
      }
      if (missing.length > 0) {
        // The checksum at an older checkpoint is not cached, because its entry may already have been removed by a notice.
        const isNewest = at >= (newest.get(deployment) ?? 0);
        const read = readerOf(deployment).checksums(at, missing);
        for (const [index, bucket] of missing.entries()) {
          const sum = read.then((all) => all[index] ?? { bucket, checksum: 0, count: 0 });
          sums.set(bucket, sum);
          if (isNewest) remember(remembered, bucket, { at, until: now + lifetime, sum });
        }
      }
      return Promise.all(buckets.map((bucket) => sums.get(bucket) as Promise<BucketSum>));
    },
  };
}

/**
 * Removes the checksums of changed buckets. A checksum that is still being read belongs to the checkpoint before the notice, so
 * it is also removed.
 */
function forget(remembered: Cache<string, CachedSum>, { changed }: Notice): void {
  if (changed === undefined) remembered.clear();
  else for (const bucket of changed.buckets) remembered.delete(bucket);
}

function remember(remembered: Cache<string, CachedSum>, bucket: string, entry: CachedSum): void {
  remembered.set(bucket, entry);
  entry.sum.catch(() => {
    if (remembered.get(bucket) === entry) remembered.delete(bucket);
  });
}
