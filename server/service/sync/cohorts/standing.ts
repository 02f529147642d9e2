/** The position of a client. It decides whether two clients will get the same output. */
import { createHash } from 'node:crypto';
import type { BucketGrant } from '../buckets.ts';
import type { Encoder } from '../encode/encoder.ts';
import type { ServedRevision } from '../feed.ts';
import type { ClientState, SyncSession } from '../session.ts';

/** Returns a short key, which is equal for clients with the same buckets, for the same reasons, in the same encoding. */
export function cohortKeyOf(
  { served, encoder }: { readonly served: ServedRevision; readonly encoder: Pick<Encoder, 'name'> },
  { buckets, streams }: Pick<BucketGrant, 'buckets' | 'streams'>,
): string {
  const text = JSON.stringify([served.deployment, served.revision, encoder.name, buckets, streams]);
  return createHash('sha256').update(text).digest('base64');
}

/** Whether a client with the same key is at the position of the session. The buckets decide, not the number of the checkpoint. */
export function standsAt(session: SyncSession, { view, positions }: ClientState): boolean {
  if (session.kind !== 'waiting' || session.told.view === undefined || view === undefined) return false;
  const { buckets } = session.told.view;
  for (const [bucket, { checksum, count }] of view.buckets) {
    const entry = buckets.get(bucket);
    if (entry === undefined || entry.checksum !== checksum || entry.count !== count) return false;
    if (positions.get(bucket) !== session.told.positions.get(bucket)) return false;
  }
  return buckets.size === view.buckets.size;
}
