/** The columns of a run in the database. */
import type { OpId } from '../../storage.ts';

/** Null: the row was written by a version without checksums. */
export type Check = number | null;

/** The columns before the texts, because the texts of a run are not always read. */
export type RunRow = readonly [
  firstOp: OpId,
  lastOp: OpId,
  /** The kind of the first operation. */
  kind: number,
  /** The checksum of all operations, modulo 2³². */
  checksum: number,
  count: number,
  /** The highest target. */
  target: OpId | null,
  heads: Uint8Array | null,
  targets: Uint8Array | null,
];

/** The columns with the texts, separated by commas: see texts.ts. */
export type TextedRow = readonly [...RunRow, json: string, zstd: Uint8Array | null, size: number | null];

/** All columns, as they are read. */
export type CheckedRow = readonly [...TextedRow, check: Check];

export const columns =
  'first_op, last_op, kind, checksum, count, target, heads, targets, json, zstd, size, "check"';
