/**
 * Runs in progress. Their operations are immediately written as bytes into reused memory, because the garbage collector would
 * repeatedly move waiting strings and objects.
 */
import type { OpId } from '../../storage.ts';
import type { TextedRow } from './columns.ts';
import { withRoom } from './room.ts';
import { headSize, kindBits, type Op, targetSize } from './runRows.ts';
import type { StoreText } from './texts.ts';

export interface RunDraft {
  readonly bucket: number;
  readonly firstOp: OpId;
  /** The kind of the first operation. */
  readonly kind: number;
  lastOp: OpId;
  checksum: number;
  count: number;
  /** The size of the text in bytes. */
  size: number;
  memory: Memory;
  /** The targets, by the index of the operation. */
  targets: Map<number, OpId> | undefined;
}

interface Memory {
  heads: Buffer;
  text: Buffer;
}

/** The largest memory that is kept for reuse, in bytes. Larger memory was needed for a large row, and is released. */
const largestKept = 256 * 1024;
const mostKept = 8 * 1024 * 1024;
const unused: Memory[] = [];
let kept = 0;

const shortText = 4_096;
/** The maximum number of UTF-8 bytes for one UTF-16 unit. A surrogate pair has four bytes for two units. */
const mostBytesOfUnit = 3;
const comma = 0x2c;

export function beginDraft(bucket: number, { opId, kind }: Op): RunDraft {
  const memory = unused.pop() ?? { heads: Buffer.alloc(0), text: Buffer.alloc(0) };
  kept -= bytesOf(memory);
  return {
    bucket,
    firstOp: opId,
    kind,
    lastOp: opId,
    checksum: 0,
    count: 0,
    size: 0,
    memory,
    targets: undefined,
  };
}

/** Returns the draft of a run with at least one operation. */
export function runDraftOf(bucket: number, ops: readonly Op[]): RunDraft {
  const draft = beginDraft(bucket, ops[0] as Op);
  for (const op of ops) addOp(draft, op);
  return draft;
}

export function addOp(draft: RunDraft, { opId, kind, checksum, target, json }: Op): void {
  const { memory, count } = draft;
  const at = count * headSize;
  memory.heads = withRoom(memory.heads, at, headSize);
  memory.heads.writeUInt32LE(opId - draft.firstOp, at);
  memory.heads.writeUInt32LE(checksum, at + 4);
  memory.heads.writeUInt32LE(((json.length << kindBits) | kind) >>> 0, at + 8);
  memory.text = withRoom(memory.text, draft.size, 1 + mostBytesOf(json));
  if (count > 0) {
    memory.text[draft.size] = comma;
    draft.size += 1;
  }
  draft.size += memory.text.write(json, draft.size);
  if (target !== null) {
    draft.targets ??= new Map();
    draft.targets.set(count, target);
  }
  draft.lastOp = opId;
  draft.checksum = (draft.checksum + checksum) % 2 ** 32;
  draft.count += 1;
}

/**
 * Returns the database row. The bytes of `heads` are valid until the memory is reused, which is enough because a statement copies
 * its parameters.
 */
export function rowOf(draft: RunDraft, store: StoreText): TextedRow {
  const { firstOp, lastOp, kind, checksum, count, targets, memory, size } = draft;
  const text = store(memory.text.subarray(0, size));
  const highest = targets === undefined ? null : Math.max(...targets.values());
  if (count === 1) return [firstOp, lastOp, kind, checksum, count, highest, null, null, ...text];
  const heads = memory.heads.subarray(0, count * headSize);
  const all = targets === undefined ? null : bytesOfTargets(targets, count);
  return [firstOp, lastOp, kind, checksum, count, highest, heads, all, ...text];
}

function bytesOfTargets(targets: ReadonlyMap<number, OpId>, count: number): Uint8Array {
  const bytes = Buffer.alloc(count * targetSize);
  for (const [index, target] of targets) bytes.writeDoubleLE(target, index * targetSize);
  return bytes;
}

/** Releases the memory of a draft that was written or dropped. */
export function endDraft({ memory }: RunDraft): void {
  const bytes = bytesOf(memory);
  if (bytes > largestKept || kept + bytes > mostKept) return;
  kept += bytes;
  unused.push(memory);
}

/** Returns an upper bound of the size in bytes, because counting the bytes of a short text takes as long as writing it. */
function mostBytesOf(text: string): number {
  return text.length > shortText ? Buffer.byteLength(text) : text.length * mostBytesOfUnit;
}

function bytesOf({ heads, text }: Memory): number {
  return heads.length + text.length;
}
