/** How much of the operations goes into one answer. */
import type { BucketPosition, OpChunk, OpId, StoredOp } from './storage.ts';

/** Operations per answer. */
export const maxOps = 1_000;

export type OpRow = readonly [opId: OpId, target: OpId | null, json: string];

/** What still fits. */
export interface Room {
  ops: number;
  text: number;
}

/** `text`: characters after which an answer ends. */
export function newRoom(text: number): Room {
  return { ops: maxOps, text };
}

export function isFull({ ops, text }: Room): boolean {
  return ops <= 0 || text <= 0;
}

/** Takes operations as long as there is room. */
export function chunkOf({ bucket, after }: BucketPosition, rows: Iterable<OpRow>, room: Room): OpChunk {
  const ops: StoredOp[] = [];
  let nextAfter = after;
  let target = 0;
  for (const [opId, superseding, json] of rows) {
    ops.push({ opId, json });
    nextAfter = opId;
    if (superseding !== null && superseding > target) target = superseding;
    room.ops -= 1;
    room.text -= json.length;
    if (isFull(room)) break;
  }
  return { bucket, after, nextAfter, hasMore: isFull(room), ops, ...(target > 0 && { target }) };
}

/**
 * What is answered for a bucket. `clearedAfter`, asked at its end: compaction has put one operation in the place of all up
 * to this one, which is later than the checkpoint. What the checkpoint had of them cannot be read any more, even if
 * nothing is left to say so.
 */
export function answerOf(chunk: OpChunk, clearedAfter: () => OpId | undefined): readonly OpChunk[] {
  const cleared = chunk.hasMore ? undefined : clearedAfter();
  if (cleared !== undefined) return [{ ...chunk, target: Math.max(chunk.target ?? 0, cleared) }];
  return chunk.ops.length > 0 ? [chunk] : [];
}
