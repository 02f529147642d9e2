/** Caches checksums, so that only later operations must be added. */
import { createCache } from '../ground/cache.ts';
import type { BucketSum, OpId } from './storage.ts';

/** The checksum of the operations `from < id <= checkpoint` of a bucket. */
export interface PartialSum {
  /** Modulo 2³². */
  readonly checksum: number;
  readonly count: number;
  /** Whether there is a CLEAR among them, which contains the checksum of everything before it. */
  readonly cleared: boolean;
}

export interface KnownSum {
  readonly opId: OpId;
  readonly checksum: number;
  readonly count: number;
}

interface SumCache {
  /** Returns the latest known checksum at or below the checkpoint. */
  known(bucket: string, checkpoint: OpId): KnownSum | undefined;
  /** Adds the later operations to the known checksum, if there is one. Caches and returns the result. */
  add(bucket: string, checkpoint: OpId, known: KnownSum | undefined, partial: PartialSum): BucketSum;
  forget(): void;
}

const capacity = 100_000;

export function createSumCache(): SumCache {
  const sums = createCache<string, KnownSum>(capacity);
  return {
    known: (bucket, checkpoint) => {
      const sum = sums.get(bucket);
      return sum !== undefined && sum.opId <= checkpoint ? sum : undefined;
    },
    add: (bucket, checkpoint, known, partial) => {
      const start = partial.cleared ? undefined : known;
      const checksum = ((start?.checksum ?? 0) + partial.checksum) | 0;
      const count = (start?.count ?? 0) + partial.count;
      // The checksum for an older checkpoint is not cached, because few clients ask for it, and not for long.
      if ((sums.get(bucket)?.opId ?? 0) <= checkpoint)
        sums.set(bucket, { opId: checkpoint, checksum, count });
      return { bucket, checksum, count };
    },
    forget: () => sums.clear(),
  };
}
