/** The number of operations that one answer contains. */
import type { BucketPosition, OpChunk, OpId, OpText } from './storage.ts';

/** The maximum number of operations in an answer. */
const maxOps = 1_000;

/** One operation, or several separated by commas; the id is that of the last one. */
export type OpRow = readonly [opId: OpId, target: OpId | null, text: OpText, count?: number];

/** The remaining room in an answer. */
export interface Room {
  ops: number;
  text: number;
}

/** `text`: the number of characters or bytes after which an answer ends. */
export function newRoom(text: number): Room {
  return { ops: maxOps, text };
}

export function isFull({ ops, text }: Room): boolean {
  return ops <= 0 || text <= 0;
}

/** Takes operations while there is room. */
export function chunkOf({ bucket, after }: BucketPosition, rows: Iterable<OpRow>, room: Room): OpChunk {
  const texts: OpText[] = [];
  let ops = 0;
  let nextAfter = after;
  let target = 0;
  for (const [opId, superseding, text, count = 1] of rows) {
    texts.push(text);
    ops += count;
    nextAfter = opId;
    if (superseding !== null && superseding > target) target = superseding;
    room.ops -= count;
    room.text -= text.length;
    if (isFull(room)) break;
  }
  return {
    bucket,
    after,
    nextAfter,
    hasMore: isFull(room),
    count: ops,
    texts,
    ...(target > 0 && { target }),
  };
}

/**
 * Returns the chunks to send for a bucket. At the end of the bucket, `clearedAfter` returns the operation up to which compaction
 * has replaced all operations, if that operation is later than the checkpoint. The checkpoint's part of them can then no longer
 * be read, even if no chunk shows that.
 */
export function chunksToSend(chunk: OpChunk, clearedAfter: () => OpId | undefined): readonly OpChunk[] {
  const cleared = chunk.hasMore ? undefined : clearedAfter();
  if (cleared !== undefined) return [{ ...chunk, target: Math.max(chunk.target ?? 0, cleared) }];
  return chunk.count > 0 ? [chunk] : [];
}

/** Returns the operations of a chunk as JSON. */
export function jsonOfChunk({ texts }: Pick<OpChunk, 'texts'>): string {
  return `[${texts.map(stringOf).join(',')}]`;
}

export function stringOf(text: OpText): string {
  if (typeof text === 'string') return text;
  return Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString();
}
