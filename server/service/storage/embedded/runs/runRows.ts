/** Reads a run from a row of the database; `drafts.ts` writes it. */
import { stringOf } from '../../chunks.ts';
import type { KeptOp } from '../../compaction.ts';
import type { OpId, OpText } from '../../storage.ts';
import { damagedRow, type StorageFailure } from '../../storageFailure.ts';
import { checkOfRun, isSound } from './checks.ts';
import type { CheckedRow, RunRow, TextedRow } from './columns.ts';
import { decompress } from './texts.ts';

export interface Op extends KeptOp {
  readonly json: string;
}

/**
 * The size of an operation in `heads`, in bytes: its id minus that of the first one, its checksum, and the length of its text in
 * UTF-16 units combined with its kind. Each has 32 bits, little-endian. A run of one operation has no `heads`, because its
 * columns contain the same data.
 */
export const headSize = 12;
export const kindBits = 2;
/** The size of an operation in `targets`, in bytes: 64 bits, 0 for none. `targets` exists if any operation has a target. */
export const targetSize = 8;

/** Returns the operations without their texts. */
export function keptOf(row: RunRow | TextedRow): readonly KeptOp[] {
  const [firstOp, , kind, checksum, , target, heads, targets] = row;
  if (heads === null) return [{ opId: firstOp, kind, checksum, target }];
  const view = viewOf(heads);
  const targetAt = targets === null ? undefined : viewOf(targets);
  return Array.from({ length: heads.length / headSize }, (_, index) => ({
    opId: firstOp + view.getUint32(index * headSize, true),
    kind: view.getUint32(index * headSize + 8, true) & (2 ** kindBits - 1),
    checksum: view.getUint32(index * headSize + 4, true),
    target: targetAt?.getFloat64(index * targetSize, true) || null,
  }));
}

export function opsOf(row: TextedRow): readonly Op[] {
  const [heads, text] = [row[6], stringOf(textOfRun(row))];
  const view = heads === null ? undefined : viewOf(heads);
  let start = 0;
  return keptOf(row).map(({ opId, kind, checksum, target }, index) => {
    const length = view === undefined ? text.length : view.getUint32(index * headSize + 8, true) >>> kindBits;
    const json = text.slice(start, start + length);
    start += length + 1;
    return { opId, kind, checksum, target, json };
  });
}

/** Returns the text of all operations, with a comma between them. */
export function textOfRun([firstOp, , , , , , , , json, zstd, size]: TextedRow): OpText {
  if (zstd === null) return json;
  const text = decompress(zstd, size ?? 0);
  if (text === undefined) throw damagedRun(firstOp);
  return text;
}

/** Returns the row if it is as it was written. Throws otherwise. */
export function soundRun(bucket: number, row: CheckedRow): TextedRow {
  const texted = row as unknown as TextedRow;
  if (isSound(row[11], checkOfRun(bucket, texted))) return texted;
  throw damagedRun(row[0]);
}

function damagedRun(firstOp: OpId): StorageFailure {
  return damagedRow(`operation ${firstOp} and those that were written with it`);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
