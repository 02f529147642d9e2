/**
 * Operations as bytes. Clients at the same position of a bucket get the same bytes. If there are other clients, the bytes that
 * were read and encoded for one client are cached for a while.
 */

import { startAlone } from '../ground/unattended.ts';
import type { Clock } from '../ground/world.ts';
import type { BucketPosition, BucketReader, Notice, OpChunk, OpId } from '../storage/storage.ts';
import type { Encoder } from './encode/encoder.ts';
import type { Feed } from './feed.ts';
import type { SentChunk } from './session.ts';

interface EncodedChunk extends SentChunk {
  readonly bytes: Uint8Array;
}

export interface ChunkSource {
  /** Reads like {@link BucketReader.read}. */
  read(query: ChunkQuery): Promise<readonly EncodedChunk[]>;
}

interface ChunkQuery {
  readonly deployment: number;
  readonly at: OpId;
  readonly from: readonly BucketPosition[];
  readonly encoder: Encoder;
}

interface CachedChunk {
  readonly chunk: EncodedChunk;
  /** The checkpoint for which the chunk was read. */
  readonly at: OpId;
  readonly until: number;
}

interface CacheRules {
  readonly clock: Clock;
  /** Whether another client may need the same bytes. */
  readonly isShared: () => boolean;
}

/**
 * The size of the cache in bytes. It is enough for clients that connected at the same time, and small compared with the other
 * memory of a process.
 */
const mostKept = 8 * 1024 * 1024;
/** The lifetime of cached bytes in milliseconds. Clients that can share bytes are never far apart. */
const keptFor = 5_000;

export function openChunks(
  readerOf: (deployment: number) => Pick<BucketReader, 'read'>,
  feed: Pick<Feed, 'watch'>,
  { clock, isShared }: CacheRules,
): ChunkSource {
  const kept = new Map<string, CachedChunk>();
  let size = 0;
  let isSweeping = false;

  const drop = (key: string): void => {
    size -= kept.get(key)?.chunk.bytes.byteLength ?? 0;
    kept.delete(key);
  };
  const dropOld = (now: number): void => {
    for (const [key, { until }] of kept) {
      if (size <= mostKept && now < until) return;
      drop(key);
    }
  };
  const sweep = async (): Promise<void> => {
    if (isSweeping) return;
    for (isSweeping = true; kept.size > 0; dropOld(clock.steady())) await clock.sleep(keptFor);
    isSweeping = false;
  };
  const keep = (key: string, entry: CachedChunk): void => {
    drop(key);
    kept.set(key, entry);
    size += entry.chunk.bytes.byteLength;
    startAlone('Forgetting what was sent', sweep);
  };
  feed.watch(({ changed }: Notice) => {
    if (changed === undefined) for (const key of [...kept.keys()]) drop(key);
    else dropOld(clock.steady());
  });

  return {
    read: async ({ deployment, at, from, encoder }) => {
      const [first] = from;
      if (first === undefined) return [];
      const keyOf = ({ bucket, after }: BucketPosition) => `${encoder.name} ${after} ${bucket}`;
      const now = clock.steady();
      dropOld(now);
      const known = kept.get(keyOf(first));
      if (known !== undefined && holdsAt(known, at)) return [known.chunk];
      const chunks = await readerOf(deployment).read(at, from);
      return chunks.map((chunk) => {
        const encoded = encode(chunk, encoder);
        if (isShared()) keep(keyOf(chunk), { chunk: encoded, at, until: now + keptFor });
        return encoded;
      });
    },
  };
}

/**
 * Whether a cached chunk is valid at this checkpoint. The last chunk of a bucket is only valid at its own checkpoint; a chunk
 * before the end never changes.
 */
function holdsAt({ chunk, at }: CachedChunk, checkpoint: OpId): boolean {
  return at === checkpoint || (chunk.hasMore && chunk.nextAfter <= checkpoint);
}

function encode(chunk: OpChunk, encoder: Encoder): EncodedChunk {
  const { bucket, nextAfter, hasMore, count, target } = chunk;
  return {
    bucket,
    nextAfter,
    hasMore,
    count,
    ...(target !== undefined && { target }),
    bytes: encoder.data(chunk),
  };
}
