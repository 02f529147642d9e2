/** Sums of buckets, remembered between checkpoints and shared between clients. */

import { type Cache, createCache } from '../ground/cache.ts';
import type { Clock } from '../ground/world.ts';
import type { BucketReader, BucketSum, Notice, OpId } from '../storage/storage.ts';
import type { Feed } from './feed.ts';

export interface Checksums {
  /** Returns the sums in the order of the buckets. */
  of(deployment: number, at: OpId, buckets: readonly string[]): Promise<readonly BucketSum[]>;
}

interface CachedSum {
  /** The checkpoint that it was read at; it holds until the bucket changes. */
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
  // Names of buckets begin with their deployment.
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
        // An older checkpoint may have been dropped already.
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

/** A sum that is still being read is of the checkpoint before the notice, so it is forgotten as well. */
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
