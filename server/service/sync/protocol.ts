/**
 * The lines of a sync stream, as clients read them. Each has exactly one key, which is the kind of the line; with no key or two
 * keys, a client closes the connection. Lines with data are written by the encoders, from operations as stored.
 */
import type { Priority } from '../../engine/model/definition.ts';
import type { OpId } from '../storage/storage.ts';

export type Line =
  | { readonly checkpoint: CheckpointLine }
  | { readonly checkpoint_diff: CheckpointDiffLine }
  | { readonly partial_checkpoint_complete: { readonly last_op_id: string; readonly priority: Priority } }
  | { readonly checkpoint_complete: { readonly last_op_id: string } }
  /** The remaining lifetime in seconds. At 30 or less, the client fetches a new token; at 0, it must. */
  | { readonly token_expires_in: number };

interface CheckpointLine {
  readonly last_op_id: string;
  readonly write_checkpoint?: string;
  /** All buckets of the client. */
  readonly buckets: readonly BucketEntry[];
  readonly streams: readonly StreamEntry[];
}

interface CheckpointDiffLine {
  readonly last_op_id: string;
  /** The write checkpoint of this checkpoint. Absent: it has none, even if the previous checkpoint had one. */
  readonly write_checkpoint?: string;
  readonly removed_buckets: readonly string[];
  readonly updated_buckets: readonly BucketEntry[];
}

export interface BucketEntry {
  readonly bucket: string;
  /** A signed 32-bit integer. */
  readonly checksum: number;
  readonly count: number;
  readonly priority: Priority;
  readonly subscriptions: readonly BucketReason[];
}

/** An index into the `streams` of the checkpoint, or into the subscriptions of the request. */
export type BucketReason = { readonly default: number } | { readonly sub: number };

export interface StreamEntry {
  readonly name: string;
  readonly is_default: boolean;
  readonly errors: readonly StreamError[];
}

interface StreamError {
  readonly subscription: 'default' | number;
  readonly message: string;
}

/** The buckets of a client at a checkpoint that was announced or will be. */
export interface View {
  readonly opId: OpId;
  readonly writeCheckpoint: bigint | undefined;
  readonly buckets: ReadonlyMap<string, BucketEntry>;
  readonly streams: readonly StreamEntry[];
  /**
   * The view that this one renews: it has the same buckets for the same reasons, and only the checksums of the changed buckets
   * differ. Absent: unknown.
   */
  readonly renews?: { readonly view: View; readonly changed: readonly BucketEntry[] };
}

export function checkpointLine({ opId, writeCheckpoint, buckets, streams }: View): Line {
  return { checkpoint: { ...headOf(opId, writeCheckpoint), buckets: [...buckets.values()], streams } };
}

export function diffLine({ opId, writeCheckpoint }: View, { updated, removed }: Diff): Line {
  const head = headOf(opId, writeCheckpoint);
  return { checkpoint_diff: { ...head, removed_buckets: removed, updated_buckets: updated } };
}

/** Returns the same line for a client with its own write checkpoint. */
export function withWriteCheckpoint(line: Line, writeCheckpoint: bigint | undefined): Line {
  if ('checkpoint_diff' in line) return { checkpoint_diff: stamp(line.checkpoint_diff, writeCheckpoint) };
  return 'checkpoint' in line ? { checkpoint: stamp(line.checkpoint, writeCheckpoint) } : line;
}

function stamp<T extends { readonly last_op_id: string }>(line: T, writeCheckpoint: bigint | undefined): T {
  if (writeCheckpoint === undefined) return line;
  const { last_op_id, ...rest } = line;
  return { last_op_id, write_checkpoint: String(writeCheckpoint), ...rest } as unknown as T;
}

export interface Diff {
  readonly updated: readonly BucketEntry[];
  readonly removed: readonly string[];
}

function headOf(opId: OpId, writeCheckpoint: bigint | undefined) {
  return {
    last_op_id: String(opId),
    ...(writeCheckpoint !== undefined && { write_checkpoint: String(writeCheckpoint) }),
  };
}
