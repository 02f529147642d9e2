import type { Compactable } from '../compactDeployment.ts';
import { compactionBatch, type LookupEntry } from '../compaction.ts';
import type { OpId } from '../storage.ts';
import { damagedRow } from '../storageFailure.ts';
import { type Database, readInTurn } from './database.ts';
import { type Check, checkOfLookup, isSound } from './runs/checks.ts';
import { compactRuns } from './runs/compactRuns.ts';

export function openCompactable(database: Database, deployment: number, checkpoint: OpId): Compactable {
  const { reading, writing } = database;
  const selectBuckets = reading.prepare('SELECT id, name FROM buckets WHERE deployment = ? ORDER BY id');
  const lookups = reading.prepare(
    `SELECT op_id AS opId, lookup, source_table AS "table", hex(source_key) AS sourceKey, result,
       "check" FROM lookups
     WHERE deployment = ? AND (lookup, source_table, source_key, op_id) > (?, ?, unhex(?), ?) AND op_id <= ?
     ORDER BY lookup, source_table, source_key, op_id LIMIT ${compactionBatch}`,
  );
  const removeLookup = writing.prepare(
    `DELETE FROM lookups
     WHERE deployment = ? AND lookup = ? AND source_table = ? AND source_key = unhex(?) AND op_id = ?`,
  );
  const read = <T>(work: () => T) => readInTurn(database, work);

  return {
    buckets: async (names) => {
      const wanted = names && new Set(names);
      const rows = await read(() => selectBuckets.all(deployment) as unknown as readonly BucketRow[]);
      return rows.filter(({ name }) => wanted?.has(name) ?? true).map(({ id }) => id);
    },
    ...compactRuns(database, checkpoint),
    lookupsAfter: ({ lookup, table, sourceKey, opId } = first) =>
      read(() =>
        lookups.all(deployment, lookup, table, sourceKey, opId, checkpoint).map((row) => {
          const { check, ...entry } = row as unknown as CheckedEntry;
          if (!isSound(check, checkOfEntry(entry))) throw damagedRow(`the lookup ${entry.lookup}`);
          return entry;
        }),
      ),
    removeLookups: (entries) =>
      database.transaction(() => {
        for (const { lookup, table, sourceKey, opId } of entries)
          removeLookup.run(deployment, lookup, table, sourceKey, opId);
      }),
  };
}

interface CheckedEntry extends LookupEntry {
  readonly check: Check;
}

function checkOfEntry({ lookup, table, sourceKey, opId, result }: LookupEntry): number {
  return checkOfLookup(lookup, table, Buffer.from(sourceKey, 'hex'), opId, result);
}

/** Before all others. */
const first: LookupEntry = { opId: 0, lookup: '', table: 0, sourceKey: '', result: '' };

interface BucketRow {
  readonly id: number;
  readonly name: string;
}
