/** The columns of a run in the database. */
import type { OpId } from '../../storage.ts';

/** Null: the row was written by a version that stored none. */
export type Check = number | null;

/** The columns before the texts: the text of a run may be read or not. */
export type RunRow = readonly [
  firstOp: OpId,
  lastOp: OpId,
  /** The kind of the first operation. */
  kind: number,
  /** The sum over all operations, modulo 2³². */
  checksum: number,
  count: number,
  /** The highest. */
  target: OpId | null,
  heads: Uint8Array | null,
  targets: Uint8Array | null,
];

/** The texts, with a comma between them: see texts.ts. */
export type TextedRow = readonly [...RunRow, json: string, zstd: Uint8Array | null, size: number | null];

/** A row as it is read. */
export type CheckedRow = readonly [...TextedRow, check: Check];

export const columns =
  'first_op, last_op, kind, checksum, count, target, heads, targets, json, zstd, size, "check"';
