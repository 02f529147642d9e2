import type { Compactable, Move, NewestOps } from '../../compactDeployment.ts';
import { type Clear, compactionBatch, type HeadedOp, type KeptOp } from '../../compaction.ts';
import { headOf, kinds } from '../../operation.ts';
import type { OpId } from '../../storage.ts';
import type { Database } from '../database.ts';
import { type CheckedRow, columns } from './columns.ts';
import { endDraft, runDraftOf } from './drafts.ts';
import { keptOf, type Op, opsOf, soundRun } from './runRows.ts';
import { insertRuns } from './runs.ts';

/**
 * Compacts the runs of a bucket. Runs keep their length, except the run in which a CLEAR ends: its remaining operations become a
 * separate run.
 */
export function compactRuns(
  database: Database,
  checkpoint: OpId,
): Pick<Compactable, 'newest' | 'oldest' | 'move' | 'clear'> {
  const { reading, writing, spareTime } = database;
  const newest = reading.prepareRows(
    `SELECT ${columns} FROM runs WHERE bucket = ? AND last_op <= ? ORDER BY last_op DESC`,
  );
  const selectEnd = reading.prepareRows(
    'SELECT first_op, last_op FROM runs WHERE bucket = ? AND last_op >= ? ORDER BY last_op LIMIT 1',
  );
  const oldest = reading.prepareRows(
    `SELECT ${columns} FROM runs WHERE bucket = ? AND last_op <= ? ORDER BY last_op`,
  );
  const selectAround = writing.prepareRows(
    `SELECT ${columns} FROM runs WHERE bucket = ? AND last_op >= ? ORDER BY last_op LIMIT 1`,
  );
  const remove = writing.prepare('DELETE FROM runs WHERE first_op = ?');
  const removeBefore = writing.prepare('DELETE FROM runs WHERE bucket = ? AND last_op < ?');
  const insert = insertRuns(database);

  const newestOps = (bucket: number, upTo: OpId, isOver: () => boolean): NewestOps => {
    const [first, last] = (selectEnd.get(bucket, upTo) ?? [upTo, upTo]) as unknown as [OpId, OpId];
    const found: HeadedOp[] = [];
    for (const run of newest.iterate(
      bucket,
      first <= upTo ? last : upTo,
    ) as unknown as Iterable<CheckedRow>) {
      for (const op of opsOf(soundRun(bucket, run)).toReversed()) {
        if (op.opId <= upTo) found.push(withHead(op));
        if (found.length === compactionBatch) return { ops: found, hasMore: true };
      }
      if (found.length > 0 && isOver()) return { ops: found, hasMore: true };
    }
    return { ops: found, hasMore: false };
  };
  const oldestOps = (bucket: number, isOver: () => boolean): readonly KeptOp[] => {
    const found: KeptOp[] = [];
    for (const run of oldest.iterate(bucket, checkpoint) as unknown as Iterable<CheckedRow>) {
      // The texts are verified here, because a damaged text must not get a new checksum.
      for (const op of keptOf(soundRun(bucket, run))) {
        found.push(op);
        if (found.length === compactionBatch) return found;
      }
      // The first run may be the CLEAR of earlier operations, so one run is not enough.
      if (found.length > 1 && isOver()) return found;
    }
    return found;
  };
  /** Returns the operations of the run that contains the operation. */
  const opsAround = (bucket: number, opId: OpId): readonly Op[] => {
    const run = selectAround.get(bucket, opId) as unknown as CheckedRow | undefined;
    return run === undefined || run[0] > opId ? [] : opsOf(soundRun(bucket, run));
  };
  const replace = (bucket: number, ops: readonly Op[], by: readonly (readonly Op[])[]): void => {
    remove.run(ops[0]?.opId ?? 0);
    for (const run of by) {
      if (run.length === 0) continue;
      const draft = runDraftOf(bucket, run);
      insert(draft);
      endDraft(draft);
    }
  };
  /** Returns steps, each of which moves the operations of one run. */
  const stepsOfMoves = (bucket: number, moves: readonly Move[]): (() => boolean) => {
    const left = new Map(moves.map((each) => [each.opId, each]));
    return () => {
      const [next] = left.keys();
      if (next === undefined) return false;
      const ops = opsAround(bucket, next);
      const moved = ops.map((op) => {
        const to = left.get(op.opId);
        left.delete(op.opId);
        return to?.kind === op.kind ? { ...to, kind: kinds.MOVE } : op;
      });
      left.delete(next);
      if (ops.length > 0) replace(bucket, ops, [moved]);
      return left.size > 0;
    };
  };
  const clear = (bucket: number, { replaced, ...by }: Clear): boolean => {
    const ops = opsAround(bucket, by.opId);
    const index = ops.findIndex(({ opId, kind }) => opId === by.opId && kind === replaced);
    if (index < 0) return false;
    removeBefore.run(bucket, by.opId);
    replace(bucket, ops, [[by], ops.slice(index + 1)]);
    return true;
  };

  return {
    newest: (bucket, upTo) => spareTime.read((isOver) => newestOps(bucket, upTo, isOver)),
    oldest: (bucket) => spareTime.read((isOver) => oldestOps(bucket, isOver)),
    move: (bucket, moves) => spareTime.repeat(stepsOfMoves(bucket, moves)),
    clear: (bucket, by) => spareTime.transaction(() => clear(bucket, by)),
  };
}

function withHead({ opId, kind, checksum, target, json }: Op): HeadedOp {
  // The text is copied, because a slice would keep the entire text in memory.
  return { opId, kind, checksum, target, head: Buffer.from(headOf(json)).toString() };
}
