/** The amount of operations that goes into one answer. */
import type { BucketPosition, OpChunk, OpId, OpText } from './storage.ts';

/** Operations per answer. */
const maxOps = 1_000;

/** One operation, or several with commas between them; the id is that of the last one. */
export type OpRow = readonly [opId: OpId, target: OpId | null, text: OpText, count?: number];

/** The room that is left in an answer. */
export interface Room {
  ops: number;
  text: number;
}

/** `text`: characters, or bytes, after which an answer ends. */
export function newRoom(text: number): Room {
  return { ops: maxOps, text };
}

export function isFull({ ops, text }: Room): boolean {
  return ops <= 0 || text <= 0;
}

/** Takes operations as long as there is room. */
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
 * The chunks to send for a bucket. `clearedAfter` is asked at its end: compaction has replaced all operations
 * up to this one, which is later than the checkpoint. The checkpoint's part of them cannot be read any more,
 * even if nothing shows that.
 */
export function chunksToSend(chunk: OpChunk, clearedAfter: () => OpId | undefined): readonly OpChunk[] {
  const cleared = chunk.hasMore ? undefined : clearedAfter();
  if (cleared !== undefined) return [{ ...chunk, target: Math.max(chunk.target ?? 0, cleared) }];
  return chunk.count > 0 ? [chunk] : [];
}

/** The operations of a chunk as one JSON text. */
export function jsonOfChunk({ texts }: Pick<OpChunk, 'texts'>): string {
  return `[${texts.map(stringOf).join(',')}]`;
}

export function stringOf(text: OpText): string {
  if (typeof text === 'string') return text;
  return Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString();
}
