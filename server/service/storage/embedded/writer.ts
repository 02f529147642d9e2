import type { Lsn } from '../../lsn.ts';
import { mayPublish } from '../consistency.ts';
import { lostRight } from '../failure.ts';
import { type Notices, recordChanges } from '../notices.ts';
import { kinds, textOfOp } from '../operation.ts';
import type { CommitOptions, CommitResult, OpId, ReplicationWriter, RowWrite } from '../storage.ts';
import { writeValueSets } from '../valueSets.ts';
import { clearDeployment } from './clear.ts';
import { bytesOfKey, openCurrentRows } from './currentRows.ts';
import { type Database, nextTurn } from './database.ts';
import type { Deployments } from './deployments.ts';
import { openReplicationState } from './replicationState.ts';
import { openTables } from './tables.ts';

export interface Parts {
  readonly database: Database;
  readonly deployments: Deployments;
  readonly notices: Notices;
  /** Inside of a transaction: gives a number to a bucket that has none. */
  readonly bucketId: (bucket: string) => number;
  readonly right: RightToWrite;
}

/** One writer has it at a time. */
export interface RightToWrite {
  isHeld(): boolean;
  release(): void;
}

interface Published {
  readonly result: CommitResult;
  readonly isActivated: boolean;
}

/** Rows between which others get their turn: some 10 ms. */
const rowsPerTurn = 500;

export async function openWriter(parts: Parts, deployment: number): Promise<ReplicationWriter> {
  const { database, deployments, notices, bucketId, right } = parts;
  const { writing } = database;
  const state = openReplicationState(database, deployment);
  const tables = openTables(database, deployment);
  const rows = openCurrentRows(database);
  const changes = recordChanges();
  const lastOp = writing.prepareRows('SELECT last_op FROM instance');
  const setLastOp = writing.prepare('UPDATE instance SET last_op = ?');
  const insertOp = writing.prepare(
    'INSERT INTO ops (op_id, bucket, kind, checksum, json) VALUES (?, ?, ?, ?, ?)',
  );
  const insertLookup = writing.prepare(
    `INSERT INTO lookups (deployment, lookup, source_table, source_key, op_id, result) VALUES (?, ?, ?, ?, ?, ?)`,
  );

  const alone = <T>(work: () => T | Promise<T>): Promise<T> =>
    database.transaction(() => {
      if (!right.isHeld()) throw lostRight(deployment);
      return work();
    });

  const writeRow = (row: RowWrite, from: OpId): OpId => {
    let id = from;
    for (const op of row.ops) {
      id += 1;
      insertOp.run(id, bucketId(op.bucket), kinds[op.op], op.checksum, textOfOp(op, id));
    }
    const key = bytesOfKey(row.key);
    for (const { lookup, values } of row.lookups) {
      id += 1;
      insertLookup.run(deployment, lookup, row.table, key, id, writeValueSets(values));
    }
    if (row.current === null) rows.delete(row.table, key);
    else rows.put(row.table, key, row.current);
    return id;
  };

  const publish = (lsn: Lsn, { activate, at }: CommitOptions): Published => {
    const current = state.load();
    if (!mayPublish(current, lsn)) {
      state.keepAlive(at);
      return { result: { published: false }, isActivated: false };
    }
    const checkpoint = { opId: state.publish(lsn, at), lsn };
    const decided = current.isActive ? undefined : deployments.decide(activate);
    const changed = decided?.isChanged ? { changed: decided.records } : {};
    return {
      result: { published: true, checkpoint, ...changed },
      isActivated: decided?.activated?.id === deployment,
    };
  };
  const finishReset = async () => {
    await clearDeployment(database, deployment);
    await alone(() => state.endReset());
  };
  if (await alone(() => state.isResetting())) await finishReset();
  const isInterrupted = await alone(() => state.isInterrupted());

  return {
    isInterrupted,
    tables: () => alone(() => tables.all()),
    putTable: (table) => alone(() => tables.put(table)),
    deleteTable: (table) => alone(() => tables.delete(table)),
    currentRows: (table, keys) => alone(() => keys.map((key) => rows.get(table, key))),
    someRows: (table, limit) => alone(() => rows.some(table, limit)),
    write: async (batch) => {
      const last = await alone(async () => {
        const [from] = lastOp.get() as unknown as [OpId];
        let id = from;
        for (const [index, row] of batch.rows.entries()) {
          // The first time, too: who writes one small batch after the other leaves room for others as well.
          if (index % rowsPerTurn === 0) await nextTurn();
          id = writeRow(row, id);
        }
        if (id !== from) {
          setLastOp.run(id);
          state.written(id);
        }
        if (batch.progress !== undefined) tables.put(batch.progress);
        return id;
      });
      changes.add(batch);
      return last;
    },
    commit: async (lsn, options) => {
      const { result, isActivated } = await alone(() => publish(lsn, options));
      const { checkpoint } = result;
      if (checkpoint === undefined) return result;
      const changed = changes.parts();
      changes.begin();
      notices.send({
        deployment,
        checkpoint,
        ...(changed && { changed }),
        ...(isActivated && { activated: true }),
      });
      return result;
    },
    holdCheckpoints: (until) => alone(() => state.hold(until)),
    finishSnapshot: (lsn) => alone(() => state.finishSnapshot(lsn)),
    reset: async () => {
      await alone(() => state.beginReset());
      await finishReset();
      changes.begin();
    },
    release: async () => right.release(),
  };
}
