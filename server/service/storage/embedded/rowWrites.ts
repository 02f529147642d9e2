/**
 * Writes rows of source tables: the current rows, and their operations and lookups.
 *
 * 1. Operations and lookups have ascending ids without gaps, in the order of the rows.
 * 2. The last id is stored in the transaction that contains its row.
 * 3. Operations wait until a run is complete, or until their transaction becomes durable.
 */
import { kinds, textOfOp } from '../operation.ts';
import type { CurrentRow, OpId, RowWrite } from '../storage.ts';
import { writeValueSets } from '../valueSets.ts';
import type { WrittenBuckets } from './buckets.ts';
import { type CurrentRows, openCurrentRows } from './currentRows.ts';
import { type Database, nextTurn } from './database.ts';
import { bytesOfKey } from './rowKeys.ts';
import { checkOfLookup } from './runs/checks.ts';
import { gatherRuns, insertRuns } from './runs/runs.ts';
import type { Backlog } from './transactions.ts';

/** All methods run inside of transactions. */
interface RowWrites extends Backlog {
  readonly current: CurrentRows;
  add(rows: readonly RowWrite[]): Promise<WrittenRows>;
}

interface WrittenRows {
  /** The writes that were actually made. */
  readonly changed: readonly RowWrite[];
  /** The id of the last operation or lookup, and whether it belongs to these rows. */
  readonly last: OpId;
  readonly isLater: boolean;
}

/** The number of rows after which other work gets its turn. They take about 10 ms. */
const rowsPerTurn = 500;

export function openRowWrites(database: Database, buckets: WrittenBuckets, deployment: number): RowWrites {
  const { writing } = database;
  const current = openCurrentRows(database, buckets);
  const runs = gatherRuns(insertRuns(database));
  const lastOp = writing.prepareRows('SELECT last_op FROM instance');
  const setLastOp = writing.prepare('UPDATE instance SET last_op = ?');
  const insertLookup = writing.prepare(
    `INSERT INTO lookups (deployment, lookup, source_table, source_key, op_id, result, "check")
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );

  // `get` does the same as `run`, but does not create an object for the result.
  const writeOps = (row: RowWrite, from: OpId): OpId => {
    let id = from;
    for (const op of row.ops) {
      id += 1;
      const json = textOfOp(op, id);
      runs.add(buckets.give(op.bucket), {
        opId: id,
        kind: kinds[op.op],
        checksum: op.checksum,
        target: null,
        json,
      });
    }
    if (row.lookups.length === 0) return id;
    const key = bytesOfKey(row.key);
    for (const { lookup, values } of row.lookups) {
      id += 1;
      const result = writeValueSets(values);
      const check = checkOfLookup(lookup, row.table, key, id, result);
      insertLookup.get(deployment, lookup, row.table, key, id, result, check);
    }
    return id;
  };
  /** Writes the current row. Returns the write that was actually made. */
  const writeCurrent = (row: RowWrite): RowWrite => {
    const { table, key, current: next, isStored, ifStored } = row;
    if (isStored) return row;
    if (next === null) current.delete(table, bytesOfKey(key));
    else if (ifStored === undefined) current.put(table, bytesOfKey(key), next);
    else if (!current.insert(table, bytesOfKey(key), next)) {
      return writeCurrent(ifStored(current.get(table, key) as CurrentRow));
    }
    return row;
  };

  return {
    current,
    add: async (rows) => {
      const changed: RowWrite[] = [];
      const [from] = lastOp.get() as unknown as [OpId];
      let last = from;
      current.begin();
      for (let start = 0; start < rows.length; start += rowsPerTurn) {
        // This also happens before the first rows, so that a caller that writes many small batches leaves room for other work.
        await nextTurn();
        // All rows are written before all operations. The tree of places is written at random positions, which would displace
        // other data from the processor's cache.
        const some = rows.slice(start, start + rowsPerTurn).map(writeCurrent);
        for (const row of some) last = writeOps(row, last);
        current.moveOn();
        changed.push(...some);
      }
      const isLater = last !== from;
      if (isLater) setLastOp.run(last);
      return { changed, last, isLater };
    },
    write: () => {
      current.write();
      runs.write();
    },
    drop: () => {
      current.drop();
      runs.drop();
    },
  };
}
