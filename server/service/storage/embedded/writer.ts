/** Writes the rows, operations and checkpoints of one deployment into the embedded storage. */
import type { Lsn } from '../../ground/lsn.ts';
import { mayPublish } from '../consistency.ts';
import { outcomeOf } from '../deploymentRows.ts';
import { type Notices, recordChanges } from '../notices.ts';
import { kinds, textOfOp } from '../operation.ts';
import type {
  CommitOptions,
  CommitResult,
  CurrentRow,
  NewTable,
  Notice,
  OpId,
  ReplicationWriter,
  RowWrite,
  StoredTable,
} from '../storage.ts';
import { lostRight } from '../storageFailure.ts';
import { writeValueSets } from '../valueSets.ts';
import type { WrittenBuckets } from './buckets.ts';
import { emptyDeployment } from './clearing/clear.ts';
import { openCurrentRows } from './currentRows.ts';
import { type Database, nextTurn } from './database.ts';
import type { Deployments } from './deployments.ts';
import { openReplicationState } from './replicationState.ts';
import { bytesOfKey } from './rowKeys.ts';
import { checkOfLookup } from './runs/checks.ts';
import { gatherRuns, insertRuns } from './runs/runs.ts';
import { openTables } from './sourceTables.ts';
import type { After, TransactionWork } from './transactions.ts';

interface Parts {
  readonly database: Database;
  readonly deployments: Deployments;
  readonly notices: Notices;
  readonly buckets: WrittenBuckets;
  readonly right: RightToWrite;
}

/** The right to write for a deployment, which only one writer can have. */
export interface RightToWrite {
  isHeld(): boolean;
  release(): void;
}

interface Publication {
  readonly result: CommitResult;
  readonly activated?: Notice['activated'];
}

/** The number of rows after which other work gets its turn. They take about 10 ms. */
const rowsPerTurn = 500;

export async function openWriter(parts: Parts, deployment: number): Promise<ReplicationWriter> {
  const { database, deployments, notices, buckets, right } = parts;
  const { writing } = database;
  const state = openReplicationState(database, deployment);
  const tables = openTables(database, deployment);
  const rows = openCurrentRows(database, buckets);
  const changes = recordChanges();
  const lastOp = writing.prepareRows('SELECT last_op FROM instance');
  const setLastOp = writing.prepare('UPDATE instance SET last_op = ?');
  const runs = gatherRuns(insertRuns(database));
  const insertLookup = writing.prepare(
    `INSERT INTO lookups (deployment, lookup, source_table, source_key, op_id, result, "check")
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );

  const series = database.series({
    write: () => {
      rows.write();
      runs.write();
    },
    drop: () => {
      rows.drop();
      runs.drop();
    },
  });
  const alone = <T>(work: TransactionWork<T>, after: After = 'durable'): Promise<T> =>
    series.run(() => {
      if (!right.isHeld()) throw lostRight(deployment);
      return work();
    }, after);

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
    const { table, key, current, isStored, ifStored } = row;
    if (isStored) return row;
    if (current === null) rows.delete(table, bytesOfKey(key));
    else if (ifStored === undefined) rows.put(table, bytesOfKey(key), current);
    else if (!rows.insert(table, bytesOfKey(key), current)) {
      return writeCurrent(ifStored(rows.get(table, key) as CurrentRow));
    }
    return row;
  };

  const putTable = (table: NewTable | StoredTable): StoredTable => {
    const stored = tables.put(table);
    // The count begins while the table is empty, so it includes rows that change before they are copied.
    if (stored.copied) rows.endCopy(stored.id);
    else rows.beginCopy(stored.id);
    return stored;
  };

  const publish = (lsn: Lsn, options: CommitOptions): Publication => {
    const { activate, takeOver, at, last, acknowledges = lsn } = options;
    const current = state.load();
    if (!mayPublish(current, lsn)) {
      state.keepAlive(at, { acknowledges, last });
      return { result: { published: false } };
    }
    const checkpoint = { opId: state.publish(lsn, at, { acknowledges, last }), lsn };
    const isActive = current.state === 'active';
    const decideOn = isActive ? takeOver : activate;
    const decided = decideOn && deployments.decide(decideOn);
    return {
      result: { published: true, checkpoint, ...(decided && outcomeOf(decided, isActive)) },
      ...(decided?.activated?.id === deployment && { activated: { revision: decided.activated.revision } }),
    };
  };
  const finishReset = async () => {
    // Copying can only begin after this.
    await emptyDeployment(database, deployment, database.ownTime);
    await alone(() => state.endReset());
  };
  if (await alone(() => state.isResetting())) await finishReset();
  const isInterrupted = await alone(() => state.isInterrupted());

  return {
    isInterrupted,
    tables: () => alone(() => tables.all(), 'as before'),
    putTable: (table) => alone(() => putTable(table)),
    putRowProblems: (table, problems) => alone(() => tables.putProblems(table, problems)),
    deleteTable: (table) =>
      alone(() => {
        tables.delete(table);
        rows.endCopy(table);
      }),
    currentRows: (table, keys) => alone(() => keys.map((key) => rows.get(table, key)), 'as before'),
    someRows: (table, limit) => alone(() => rows.some(table, limit), 'as before'),
    write: async (batch) => {
      const changed: RowWrite[] = [];
      const last = await alone(
        async () => {
          const [from] = lastOp.get() as unknown as [OpId];
          let id = from;
          const { progress } = batch;
          rows.begin();
          if (progress !== undefined && !progress.copied) rows.beginCopy(progress.id);
          for (let start = 0; start < batch.rows.length; start += rowsPerTurn) {
            // This also happens before the first rows, so that a caller that writes many small batches leaves room for other
            // work.
            await nextTurn();
            // All rows are written before all operations. The tree of places is written at random positions, which would displace
            // other data from the processor's cache.
            const some = batch.rows.slice(start, start + rowsPerTurn).map(writeCurrent);
            for (const row of some) id = writeOps(row, id);
            rows.moveOn();
            changed.push(...some);
          }
          if (id !== from) {
            setLastOp.run(id);
            state.written(id);
          }
          if (batch.last !== undefined) state.reads(batch.last);
          // If more rows follow, all places are written together when the transaction becomes durable.
          if (!batch.goesOn) while (rows.writeSome()) await nextTurn();
          if (progress !== undefined) putTable(progress);
          return id;
        },
        batch.goesOn ? 'open' : 'durable',
      );
      changes.add(changed);
      return last;
    },
    commit: async (lsn, options) => {
      const { result, activated } = await alone(() => publish(lsn, options));
      const { checkpoint } = result;
      if (checkpoint === undefined || result.putOff) return result;
      const changed = changes.parts();
      changes.begin();
      notices.send({
        deployment,
        checkpoint,
        ...(changed && { changed }),
        ...(activated && { activated }),
      });
      // A copy has ended, so much was written.
      if (result.changed !== undefined) await database.shortenLog();
      return result;
    },
    holdCheckpoints: (until) => alone(() => state.hold(until)),
    beginLog: (lsn) => alone(() => state.beginLog(lsn)),
    belongTo: (origin) => alone(() => state.belongTo(origin)),
    finishSnapshot: (lsn) => alone(() => state.finishSnapshot(lsn)),
    reset: async () => {
      await alone(() => state.beginReset());
      await finishReset();
      changes.begin();
    },
    demand: () => alone(() => undefined),
    release: async () => {
      await database.finish();
      right.release();
    },
  };
}
