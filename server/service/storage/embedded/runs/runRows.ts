/** How a run is written as a row of the database. */
import type { KeptOp } from '../../compaction.ts';
import { damagedRow } from '../../storageFailure.ts';
import { checkOfRun, isSound } from './checks.ts';
import type { CheckedRow, RunRow, TextedRow } from './columns.ts';

export interface Op extends KeptOp {
  readonly json: string;
}

/**
 * Bytes of an operation in `heads`: its id less that of the first one, its checksum, and its text's length in UTF-16
 * units together with its kind; 32 bits each, little-endian. A run of one has none: its columns say the same.
 */
const head = 12;
const kindBits = 2;
/** Bytes of an operation in `targets`, which is there if one of them has a target: 64 bits, 0 for none. */
const targetSize = 8;

/** The bytes of heads hold until the next call: a statement copies what it is given. */
export function rowOf(ops: readonly Op[]): TextedRow {
  const { opId, kind, checksum, target, json } = ops[0] as Op;
  if (ops.length === 1) return [opId, opId, kind, checksum, 1, target, null, null, json];
  const last = ops.at(-1) as Op;
  const highest = ops.reduce((most, op) => Math.max(most, op.target ?? 0), 0);
  const targets = highest === 0 ? null : targetsOf(ops);
  const text = ops.map((op) => op.json).join(',');
  return [opId, last.opId, kind, sumOf(ops), ops.length, highest || null, headsOf(ops), targets, text];
}

function sumOf(ops: readonly KeptOp[]): number {
  return ops.reduce((sum, { checksum }) => sum + checksum, 0) % 2 ** 32;
}

let scratch = new DataView(new ArrayBuffer(1_024 * head));

function headsOf(ops: readonly Op[]): Uint8Array {
  const size = ops.length * head;
  if (scratch.byteLength < size) scratch = new DataView(new ArrayBuffer(2 * size));
  const first = (ops[0] as Op).opId;
  let at = 0;
  for (const { opId, kind, checksum, json } of ops) {
    scratch.setUint32(at, opId - first, true);
    scratch.setUint32(at + 4, checksum, true);
    scratch.setUint32(at + 8, (json.length << kindBits) | kind, true);
    at += head;
  }
  return new Uint8Array(scratch.buffer, 0, size);
}

function targetsOf(ops: readonly Op[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(ops.length * targetSize));
  for (const [index, { target }] of ops.entries()) view.setFloat64(index * targetSize, target ?? 0, true);
  return new Uint8Array(view.buffer);
}

/** Without their texts. */
export function keptOf(row: RunRow | TextedRow): readonly KeptOp[] {
  const [firstOp, , kind, checksum, , target, heads, targets] = row;
  if (heads === null) return [{ opId: firstOp, kind, checksum, target }];
  const view = viewOf(heads);
  const targetAt = targets === null ? undefined : viewOf(targets);
  return Array.from({ length: heads.length / head }, (_, index) => ({
    opId: firstOp + view.getUint32(index * head, true),
    kind: view.getUint32(index * head + 8, true) & (2 ** kindBits - 1),
    checksum: view.getUint32(index * head + 4, true),
    target: targetAt?.getFloat64(index * targetSize, true) || null,
  }));
}

export function opsOf(row: TextedRow): readonly Op[] {
  const [heads, text] = [row[6], row[8]];
  const view = heads === null ? undefined : viewOf(heads);
  let start = 0;
  return keptOf(row).map(({ opId, kind, checksum, target }, index) => {
    const length = view === undefined ? text.length : view.getUint32(index * head + 8, true) >>> kindBits;
    const json = text.slice(start, start + length);
    start += length + 1;
    return { opId, kind, checksum, target, json };
  });
}

/** What was written; otherwise it fails. */
export function soundRun(bucket: number, row: CheckedRow): TextedRow {
  const texted = row as unknown as TextedRow;
  if (isSound(row[9], checkOfRun(bucket, texted))) return texted;
  throw damagedRow(`operation ${row[0]} and those that were written with it`);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
