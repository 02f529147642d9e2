import {
  clearableOf,
  clearFor,
  compactionBatch,
  findCovering,
  findUnneeded,
  type HeadedOp,
  type KeptOp,
  type LookupEntry,
} from '../compaction.ts';
import { headOfText, kinds, textOfMove } from '../operation.ts';
import type { CompactionOptions, OpId } from '../storage.ts';
import { type Database, nextTurn } from './database.ts';

/** Operations of a deployment up to a checkpoint. Every step is a transaction, after which all is in order. */
export interface Compaction {
  buckets(names: readonly string[] | undefined): readonly number[];
  /** Returns how many became MOVE. */
  move(bucket: number): Promise<number>;
  /** Returns how many CLEARs stand for. */
  clear(bucket: number): Promise<number>;
  /** Returns how many entries were deleted. */
  lookups(): Promise<number>;
}

export function openCompaction(
  database: Database,
  deployment: number,
  checkpoint: OpId,
  { signal }: Pick<CompactionOptions, 'signal'>,
): Compaction {
  const { reading, writing } = database;
  const selectBuckets = reading.prepare('SELECT id, name FROM buckets WHERE deployment = ? ORDER BY id');
  const columns = 'op_id AS opId, kind, checksum, target';
  const selectNewest = reading.prepare(
    `SELECT ${columns}, ${headOfText} AS head FROM ops WHERE bucket = ? AND op_id <= ? ORDER BY op_id DESC LIMIT ${compactionBatch}`,
  );
  const selectOldest = reading.prepare(
    `SELECT ${columns} FROM ops WHERE bucket = ? AND op_id <= ? ORDER BY op_id LIMIT ${compactionBatch}`,
  );
  const replace = writing.prepare(
    'UPDATE ops SET kind = ?, checksum = ?, target = ?, json = ? WHERE op_id = ?',
  );
  const removeBefore = writing.prepare('DELETE FROM ops WHERE bucket = ? AND op_id < ?');
  const selectLookups = reading.prepare(
    `SELECT op_id AS opId, lookup, source_table AS "table", hex(source_key) AS sourceKey, result FROM lookups
     WHERE deployment = ? AND (lookup, source_table, source_key, op_id) > (?, ?, unhex(?), ?) AND op_id <= ?
     ORDER BY lookup, source_table, source_key, op_id LIMIT ${compactionBatch}`,
  );
  const removeLookup = writing.prepare(
    `DELETE FROM lookups WHERE deployment = ? AND lookup = ? AND source_table = ? AND source_key = unhex(?) AND op_id = ?`,
  );

  const moveSome = async (ops: readonly HeadedOp[], covering: (op: HeadedOp) => OpId | undefined) => {
    const moves = ops.flatMap((op) => {
      const target = covering(op);
      return target === undefined ? [] : [{ ...op, target }];
    });
    if (moves.length === 0) return 0;
    await database.transaction(() => {
      for (const { opId, checksum, target } of moves)
        replace.run(kinds.MOVE, checksum, target, textOfMove(opId, checksum), opId);
    });
    return moves.length;
  };

  return {
    buckets: (names) => {
      const wanted = names && new Set(names);
      const rows = selectBuckets.all(deployment) as unknown as { id: number; name: string }[];
      return rows.filter(({ name }) => wanted?.has(name) ?? true).map(({ id }) => id);
    },
    move: async (bucket) => {
      const covering = findCovering();
      let moved = 0;
      for (let last = checkpoint; !signal.aborted; ) {
        const from = last;
        const ops = await database.read(() => selectNewest.all(bucket, from) as unknown as HeadedOp[]);
        moved += await moveSome(ops, covering);
        if (ops.length < compactionBatch) break;
        last = (ops.at(-1)?.opId ?? 0) - 1;
        await nextTurn();
      }
      return moved;
    },
    clear: async (bucket) => {
      let cleared = 0;
      while (!signal.aborted) {
        const oldest = await database.read(() => selectOldest.all(bucket, checkpoint) as unknown as KeptOp[]);
        const run = clearableOf(oldest);
        if (run.length < 2) break;
        const { opId, kind, checksum, target, json } = clearFor(run);
        await database.transaction(() => {
          removeBefore.run(bucket, opId);
          replace.run(kind, checksum, target, json, opId);
        });
        cleared += run.length;
        await nextTurn();
      }
      return cleared;
    },
    lookups: async () => {
      const unneeded = findUnneeded();
      let after: LookupEntry = { opId: 0, lookup: '', table: 0, sourceKey: '', result: '' };
      let removed = 0;
      const remove = async (entries: readonly (LookupEntry | undefined)[]) => {
        const present = entries.filter((entry) => entry !== undefined);
        removed += present.length;
        await database.transaction(() => {
          for (const { lookup, table, sourceKey, opId } of present)
            removeLookup.run(deployment, lookup, table, sourceKey, opId);
        });
      };
      while (!signal.aborted) {
        const { lookup, table, sourceKey, opId } = after;
        const entries = await database.read(
          () =>
            selectLookups.all(
              deployment,
              lookup,
              table,
              sourceKey,
              opId,
              checkpoint,
            ) as unknown as LookupEntry[],
        );
        await remove(entries.map(unneeded.next));
        const last = entries.at(-1);
        if (last === undefined) break;
        after = last;
        await nextTurn();
      }
      if (!signal.aborted) await remove([unneeded.end()]);
      return removed;
    },
  };
}
