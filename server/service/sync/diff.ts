/** What a client must be told so that it knows the next view instead of the one before. */
import type { BucketEntry, BucketReason, Diff, View } from './protocol.ts';

export function diffOf(before: View, after: View): Diff {
  const updated: BucketEntry[] = [];
  for (const entry of after.buckets.values()) {
    const known = before.buckets.get(entry.bucket);
    if (known === undefined || isChanged(known, entry)) updated.push(entry);
  }
  const removed = [...before.buckets.keys()].filter((bucket) => !after.buckets.has(bucket));
  return { updated, removed };
}

function isChanged(before: BucketEntry, after: BucketEntry): boolean {
  return (
    before !== after &&
    (before.checksum !== after.checksum ||
      before.count !== after.count ||
      before.priority !== after.priority ||
      !sameReasons(before.subscriptions, after.subscriptions))
  );
}

function sameReasons(before: readonly BucketReason[], after: readonly BucketReason[]): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}
