/** Compacts a deployment up to a checkpoint, bucket by bucket. After each step, the stored data is consistent. */
import {
  type Clear,
  clearableOf,
  clearFor,
  findUnneeded,
  type HeadedOp,
  type KeptOp,
  type LookupEntry,
} from './compaction.ts';
import { searchCovering } from './covering.ts';
import { textOfMove } from './operation.ts';
import type { CompactionOptions, CompactionReport, OpId } from './storage.ts';

/** The operations and lookup entries up to the checkpoint, at most {@link compactionBatch} at a time. */
export interface Compactable {
  /** Whether the deployment is stopped, so that all of its data will be deleted. Compaction then only delays the deletion. */
  isStopped(): Promise<boolean>;
  /** Returns the buckets with these names, or all buckets if there are no names. */
  buckets(names: readonly string[] | undefined): Promise<readonly number[]>;
  /** Returns the newest operations of a bucket up to an id, newest first. */
  newest(bucket: number, upTo: OpId): Promise<NewestOps>;
  /** Returns the oldest operations of a bucket: at least two, if there are as many. */
  oldest(bucket: number): Promise<readonly KeptOp[]>;
  /** Turns operations into MOVE. Skips operations that are no longer a PUT or REMOVE. */
  move(bucket: number, moves: readonly Move[]): Promise<void>;
  /**
   * Replaces the operation with the id of the CLEAR, and all operations before it, by the CLEAR. Returns false if they have
   * changed meanwhile.
   */
  clear(bucket: number, clear: Clear, count: number): Promise<boolean>;
  /** Returns the next entries, ordered by their lookup and row, then by id. */
  lookupsAfter(entry: LookupEntry | undefined): Promise<readonly LookupEntry[]>;
  removeLookups(entries: readonly LookupEntry[]): Promise<void>;
}

export interface NewestOps {
  readonly ops: readonly HeadedOp[];
  readonly hasMore: boolean;
}

export interface Move extends KeptOp {
  readonly target: OpId;
  readonly json: string;
}

/** The number of steps between two calls of `isStopped`, each of which costs about as much as a small step. */
const stepsBetweenQuestions = 8;

type Options = Pick<CompactionOptions, 'buckets' | 'lookups' | 'signal' | 'rest' | 'keyMemory'>;
type Counts = Omit<CompactionReport, 'requests'>;

export async function compactDeployment(
  store: Compactable,
  checkpoint: OpId,
  { buckets, lookups, signal, rest, keyMemory }: Options,
): Promise<Counts> {
  let steps = 0;
  let isStopped = false;
  const goesOn = async () => {
    if (signal.aborted || isStopped) return false;
    await rest?.();
    if (steps % stepsBetweenQuestions === 0) isStopped = await store.isStopped();
    steps += 1;
    return !signal.aborted && !isStopped;
  };
  let moved = 0;
  let cleared = 0;
  for (const bucket of await store.buckets(buckets)) {
    moved += await moveIn(store, bucket, checkpoint, goesOn, keyMemory);
    cleared += await clearIn(store, bucket, goesOn);
  }
  return { moved, cleared, lookups: lookups ? await dropLookups(store, goesOn) : 0 };
}

type GoesOn = () => Promise<boolean>;

async function moveIn(
  store: Compactable,
  bucket: number,
  checkpoint: OpId,
  goesOn: GoesOn,
  keyMemory: number | undefined,
): Promise<number> {
  const covering = searchCovering(keyMemory);
  let moved = 0;
  let upTo: OpId | undefined = checkpoint;
  while (upTo !== undefined && (await goesOn())) {
    const { ops, hasMore }: NewestOps = await store.newest(bucket, upTo);
    const moves = ops.flatMap((op): Move[] => {
      const target = covering.of(op);
      return target === undefined ? [] : [{ ...op, target, json: textOfMove(op.opId, op.checksum) }];
    });
    if (moves.length > 0) await store.move(bucket, moves);
    moved += moves.length;
    const last = ops.at(-1);
    upTo = last === undefined || !hasMore ? covering.nextRound() : last.opId - 1;
  }
  return moved;
}

async function clearIn(store: Compactable, bucket: number, goesOn: GoesOn): Promise<number> {
  let cleared = 0;
  while (await goesOn()) {
    const run = clearableOf(await store.oldest(bucket));
    // The next batch may begin with the CLEAR of the previous one.
    if (run.length < 2 || !(await store.clear(bucket, clearFor(run), run.length))) break;
    cleared += run.length;
  }
  return cleared;
}

async function dropLookups(store: Compactable, goesOn: GoesOn): Promise<number> {
  const unneeded = findUnneeded();
  let after: LookupEntry | undefined;
  let removed = 0;
  const remove = async (found: readonly (LookupEntry | undefined)[]) => {
    const entries = found.filter((entry) => entry !== undefined);
    if (entries.length > 0) await store.removeLookups(entries);
    removed += entries.length;
  };
  while (await goesOn()) {
    const entries = await store.lookupsAfter(after);
    if (entries.length === 0) {
      await remove([unneeded.end()]);
      break;
    }
    await remove(entries.map(unneeded.next));
    after = entries.at(-1);
  }
  return removed;
}
