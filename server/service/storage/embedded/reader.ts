import type { SqlValue } from '../../../engine/plan/values/value.ts';
import type { LogPosition } from '../../ground/logPosition.ts';
import { chunkOf, chunksToSend, isFull, newRoom, type OpRow, type Room } from '../chunks.ts';
import { kinds } from '../operation.ts';
import type { BucketPosition, BucketReader, BucketSum, OpChunk, OpId } from '../storage.ts';
import { damagedRow } from '../storageFailure.ts';
import { createSumCache, type KnownSum, type PartialSum } from '../sums.ts';
import { readValueSets } from '../valueSets.ts';
import { findBucketIds } from './buckets.ts';
import { nextTurn, type ReadingDatabase, readInTurn } from './database.ts';
import { checkOfLookup, isSound } from './runs/checks.ts';
import { type Check, type CheckedRow, columns } from './runs/columns.ts';
import { opsOf, soundRun, textOfRun } from './runs/runRows.ts';

/**
 * The maximum number of bytes in an answer. It is small, because hundreds of clients may each have an answer in memory, and the
 * next answer is quickly available.
 */
const maxText = 2 ** 17;

/** The number of buckets after which other work gets its turn. */
const bucketsPerTurn = 500;

export function openReader(database: ReadingDatabase, deployment: number): BucketReader {
  const { reading } = database;
  const ids = findBucketIds(database, reading, deployment);
  const sums = createSumCache();
  database.onDoubt(() => sums.forget());
  const selectCheckpoint = reading.prepareRows(
    'SELECT last_checkpoint, last_checkpoint_lsn FROM deployments WHERE id = ?',
  );
  const selectSum = reading.prepareRows(
    `SELECT sum(checksum) & 4294967295, sum(count), max(kind = ${kinds.CLEAR}) FROM runs
     WHERE bucket = ? AND last_op > ? AND last_op <= ?`,
  );
  const selectRuns = reading.prepareRows(
    `SELECT ${columns} FROM runs WHERE bucket = ? AND last_op > ? AND last_op <= ? ORDER BY last_op`,
  );
  const selectFirst = reading.prepareRows(
    'SELECT first_op, kind FROM runs WHERE bucket = ? ORDER BY last_op LIMIT 1',
  );
  // SQLite takes the other columns from the row that has the maximum, because the query uses max().
  const selectValues = reading.prepareRows(
    `SELECT result, max(op_id), source_table, source_key, "check" FROM lookups WHERE deployment = ? AND lookup = ? AND op_id <= ?
     GROUP BY source_table, source_key`,
  );

  const sumOf = (bucket: string, checkpoint: OpId): BucketSum => {
    const known = sums.known(bucket, checkpoint);
    if (known?.opId === checkpoint) return { bucket, checksum: known.checksum, count: known.count };
    return sums.add(bucket, checkpoint, known, partialSum(bucket, known, checkpoint));
  };
  const partialSum = (bucket: string, known: KnownSum | undefined, checkpoint: OpId): PartialSum => {
    const id = ids.find(bucket);
    if (id === undefined) return { checksum: 0, count: 0, cleared: false };
    const row = selectSum.get(id, known?.opId ?? 0, checkpoint);
    const [checksum, count, cleared] = row as unknown as readonly (number | null)[];
    return { checksum: checksum ?? 0, count: count ?? 0, cleared: cleared === 1 };
  };

  const clearedAfter = (bucket: number, checkpoint: OpId): OpId | undefined => {
    const [first, kind] = (selectFirst.get(bucket) ?? []) as unknown as [OpId?, number?];
    return kind === kinds.CLEAR && first !== undefined && first > checkpoint ? first : undefined;
  };

  const readSome = (checkpoint: OpId, from: readonly BucketPosition[]): OpChunk[] => {
    const chunks: OpChunk[] = [];
    const room = newRoom(maxText);
    for (const position of from) {
      const id = ids.find(position.bucket);
      if (id === undefined) continue;
      const runs = selectRuns.iterate(id, position.after, checkpoint) as unknown as Iterable<CheckedRow>;
      const rows = opsAfter(position.after, id, runs, room);
      chunks.push(...chunksToSend(chunkOf(position, rows, room), () => clearedAfter(id, checkpoint)));
      if (isFull(room)) break;
    }
    return chunks;
  };

  const valuesOf = (lookup: string, checkpoint: OpId, limit: number) => {
    const values: (readonly SqlValue[])[] = [];
    const rows = selectValues.iterate(deployment, lookup, checkpoint) as unknown as Iterable<LookupColumns>;
    for (const [result, opId, table, key, check] of rows) {
      if (!isSound(check, checkOfLookup(lookup, table, key, opId, result)))
        throw damagedRow(`the lookup ${lookup}`);
      values.push(...readValueSets(result));
      if (values.length > limit) break;
    }
    return values;
  };

  return {
    checkpoint: () =>
      database.read(() => {
        const row = selectCheckpoint.get(deployment) as unknown as
          | [OpId | null, LogPosition | null]
          | undefined;
        const [opId, position] = row ?? [null, null];
        return opId === null || position === null ? undefined : { opId, position };
      }),
    checksums: async (checkpoint, buckets) => {
      const found: BucketSum[] = [];
      for (let start = 0; start < buckets.length; start += bucketsPerTurn) {
        if (start > 0) await nextTurn();
        const some = buckets.slice(start, start + bucketsPerTurn);
        found.push(...(await database.read(() => some.map((bucket) => sumOf(bucket, checkpoint)))));
      }
      return found;
    },
    // Reading takes turns, so that a client that reads much does not keep others waiting.
    read: (checkpoint, from) => readInTurn(database, () => readSome(checkpoint, from)),
    lookups: (checkpoint, keys, limit) =>
      database.read(() => {
        const found = new Map<string, readonly (readonly SqlValue[])[]>();
        let left = limit;
        for (const key of keys) {
          if (left < 0) break;
          const values = valuesOf(key, checkpoint, left);
          left -= values.length;
          if (values.length > 0) found.set(key, values);
        }
        return found;
      }),
  };
}

type LookupColumns = readonly [result: string, opId: OpId, table: number, key: Uint8Array, check: Check];

/** Returns entire runs if their operations fit. An answer then becomes a little larger, but no run is read twice. */
function* opsAfter(after: OpId, bucket: number, runs: Iterable<CheckedRow>, room: Room): Iterable<OpRow> {
  for (const each of runs) {
    const run = soundRun(bucket, each);
    const [firstOp, lastOp, , , count, target] = run;
    if (firstOp > after && count <= room.ops) yield [lastOp, target, textOfRun(run), count];
    else for (const { opId, target, json } of opsOf(run)) if (opId > after) yield [opId, target, json];
  }
}
