/**
 * Updates the view of one client at the lowest cost, by looking up only data that the news mention. Also computes the differences
 * between two views.
 */
import type { SyncRequest } from '../../engine/plan/evaluate/requests.ts';
import type { BucketReader, Checkpoint, OpId } from '../storage/storage.ts';
import { type BucketGrant, giveBuckets, type ServedConfig } from './buckets.ts';
import type { Checksums } from './checksums.ts';
import { withValues } from './cohorts/layers.ts';
import type { Interests, News } from './concern.ts';
import type { Excess, Limits } from './overLimit.ts';
import type { BucketEntry, BucketReason, Diff, View } from './protocol.ts';
import type { WriteCheckpointFeed } from './writeCheckpoints.ts';

interface Viewer {
  /** Looks at a checkpoint that is not older than the previous one. */
  look(checkpoint: Checkpoint, news: News): Promise<Look>;
}

interface Look {
  readonly view: View;
  readonly given: BucketGrant;
  readonly interests: Interests;
  readonly refusals: readonly Excess[];
}

/** The result of the last look at a client. */
export interface ClientSight {
  readonly given: BucketGrant;
  readonly view: View;
}

interface ViewerDeps {
  readonly reader: Pick<BucketReader, 'lookups'>;
  readonly checksums: Checksums;
  readonly writeCheckpoints: Pick<WriteCheckpointFeed, 'reached'>;
  readonly limits: Limits;
}

export function openViewer(
  served: ServedConfig,
  request: SyncRequest,
  writeCheckpointKey: string,
  { reader, checksums, writeCheckpoints, limits }: ViewerDeps,
  before?: ClientSight,
): Viewer {
  let given = before?.given;
  let view = before?.view;

  const readWriteCheckpoint = async ({ position }: Checkpoint, isNews: boolean) => {
    const known = view?.writeCheckpoint;
    if (view !== undefined && !isNews) return known;
    const reached = await writeCheckpoints.reached(writeCheckpointKey, position);
    // A lower number would delay the client's downloads until a higher number arrives.
    return known === undefined || (reached !== undefined && reached > known) ? reached : known;
  };

  return {
    look: async (checkpoint, news) => {
      const at = checkpoint.opId;
      if (given === undefined || news.lookups)
        given = await giveBuckets(served, request, { reader, at, limits });
      const known = given.buckets.map(({ bucket }) => view?.buckets.get(bucket));
      const isStale = (bucket: string, index: number) =>
        news.buckets === 'all' || known[index] === undefined || news.buckets.has(bucket);
      const stale = given.buckets.map(({ bucket }) => bucket).filter(isStale);
      const sums = stale.length === 0 ? [] : await checksums.of(served.deployment, at, stale);
      view = {
        opId: at,
        writeCheckpoint: await readWriteCheckpoint(checkpoint, news.writeCheckpoint),
        buckets: entriesOf(given, known, new Map(sums.map((sum) => [sum.bucket, sum]))),
        streams: given.streams,
      };
      const interests = { buckets: view.buckets, lookups: given.lookups };
      return { view, given, interests, refusals: given.refusals };
    },
  };
}

/** Returns the entries of the buckets. An unchanged entry stays the same object, so that `diffOf` can compare it quickly. */
function entriesOf(
  { buckets }: BucketGrant,
  /** The former entries of the buckets, in their order. */
  known: readonly (BucketEntry | undefined)[],
  sums: ReadonlyMap<string, Pick<BucketEntry, 'checksum' | 'count'>>,
): ReadonlyMap<string, BucketEntry> {
  const haveSameReasons = openComparison();
  const entries = new Map<string, BucketEntry>();
  for (const [index, { bucket, priority, subscriptions }] of buckets.entries()) {
    const before = known[index];
    const sum = sums.get(bucket);
    const isSame =
      before !== undefined &&
      sum === undefined &&
      before.priority === priority &&
      haveSameReasons(before.subscriptions, subscriptions);
    const { checksum, count } = sum ?? before ?? { checksum: 0, count: 0 };
    entries.set(bucket, isSame ? before : { bucket, checksum, count, priority, subscriptions });
  }
  return entries;
}

/** Returns a comparison that remembers its last result, because most buckets share one list of reasons. */
function openComparison(): typeof sameReasons {
  let last: readonly [readonly BucketReason[], readonly BucketReason[], boolean] | undefined;
  return (before, after) => {
    if (last?.[0] !== before || last[1] !== after) last = [before, after, sameReasons(before, after)];
    return last[2];
  };
}

/** Returns the view at a later checkpoint. It has the same buckets, of which these have changed. */
export async function renewView(
  view: View,
  { opId }: Checkpoint,
  changed: ReadonlySet<string>,
  sumsOf: (at: OpId, buckets: readonly string[]) => ReturnType<Checksums['of']>,
): Promise<View> {
  const stale = [...changed].filter((bucket) => view.buckets.has(bucket));
  const sums = stale.length === 0 ? [] : await sumsOf(opId, stale);
  const changedEntries: BucketEntry[] = [];
  for (const { bucket, checksum, count } of sums) {
    const entry = view.buckets.get(bucket);
    if (entry !== undefined) changedEntries.push({ ...entry, checksum, count });
  }
  const buckets = withValues(
    view.buckets,
    changedEntries.map((entry) => [entry.bucket, entry]),
  );
  return { ...view, opId, buckets, renews: { view, changed: changedEntries } };
}

/** Returns the changes that take a client from one view to the next. */
export function diffOf(before: View, after: View): Diff {
  if (after.renews?.view === before) {
    const updated = after.renews.changed.filter((entry) => {
      const known = before.buckets.get(entry.bucket);
      return known === undefined || isChanged(known, entry);
    });
    return { updated, removed: [] };
  }
  const updated: BucketEntry[] = [];
  let kept = 0;
  for (const entry of after.buckets.values()) {
    const known = before.buckets.get(entry.bucket);
    if (known !== undefined) kept += 1;
    if (known === undefined || isChanged(known, entry)) updated.push(entry);
  }
  if (kept === before.buckets.size) return { updated, removed: [] };
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
