import type { Compactable } from '../compact.ts';
import { compactionBatch, type HeadedOp, type KeptOp, type LookupEntry } from '../compaction.ts';
import { headOfText, kinds } from '../operation.ts';
import type { OpId } from '../storage.ts';
import { type Database, nextTurn } from './database.ts';

export function openCompactable(database: Database, deployment: number, checkpoint: OpId): Compactable {
  const { reading, writing } = database;
  const selectBuckets = reading.prepare('SELECT id, name FROM buckets WHERE deployment = ? ORDER BY id');
  const columns = 'op_id AS opId, kind, checksum, target';
  const newest = reading.prepare(
    `SELECT ${columns}, ${headOfText('instr')} AS head FROM ops WHERE bucket = ? AND op_id <= ?
     ORDER BY op_id DESC LIMIT ${compactionBatch}`,
  );
  const oldest = reading.prepare(
    `SELECT ${columns} FROM ops WHERE bucket = ? AND op_id <= ? ORDER BY op_id LIMIT ${compactionBatch}`,
  );
  const replace = writing.prepare(
    'UPDATE ops SET kind = ?, checksum = ?, target = ?, json = ? WHERE op_id = ? AND kind = ?',
  );
  const removeBefore = writing.prepare('DELETE FROM ops WHERE bucket = ? AND op_id < ?');
  const lookups = reading.prepare(
    `SELECT op_id AS opId, lookup, source_table AS "table", hex(source_key) AS sourceKey, result FROM lookups
     WHERE deployment = ? AND (lookup, source_table, source_key, op_id) > (?, ?, unhex(?), ?) AND op_id <= ?
     ORDER BY lookup, source_table, source_key, op_id LIMIT ${compactionBatch}`,
  );
  const removeLookup = writing.prepare(
    `DELETE FROM lookups
     WHERE deployment = ? AND lookup = ? AND source_table = ? AND source_key = unhex(?) AND op_id = ?`,
  );
  const read = async <T>(work: () => unknown[]) => {
    await nextTurn();
    return database.read(() => work() as T[]);
  };

  return {
    buckets: async (names) => {
      const wanted = names && new Set(names);
      const rows = await read<{ id: number; name: string }>(() => selectBuckets.all(deployment));
      return rows.filter(({ name }) => wanted?.has(name) ?? true).map(({ id }) => id);
    },
    newest: (bucket, upTo) => read<HeadedOp>(() => newest.all(bucket, upTo)),
    oldest: (bucket) => read<KeptOp>(() => oldest.all(bucket, checkpoint)),
    move: (_, moves) =>
      database.transaction(() => {
        for (const { opId, kind, checksum, target, json } of moves)
          replace.run(kinds.MOVE, checksum, target, json, opId, kind);
      }),
    clear: (bucket, { opId, kind, checksum, target, json, replaced }) =>
      database.transaction(() => {
        removeBefore.run(bucket, opId);
        return replace.run(kind, checksum, target, json, opId, replaced).changes === 1;
      }),
    lookupsAfter: ({ lookup, table, sourceKey, opId } = first) =>
      read<LookupEntry>(() => lookups.all(deployment, lookup, table, sourceKey, opId, checkpoint)),
    removeLookups: (entries) =>
      database.transaction(() => {
        for (const { lookup, table, sourceKey, opId } of entries)
          removeLookup.run(deployment, lookup, table, sourceKey, opId);
      }),
  };
}

/** Before all others. */
const first: LookupEntry = { opId: 0, lookup: '', table: 0, sourceKey: '', result: '' };
