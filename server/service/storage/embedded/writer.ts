/** Writes the rows, operations and checkpoints of one deployment into the embedded storage. */
import type { LogPosition } from '../../ground/logPosition.ts';
import { mayPublish } from '../consistency.ts';
import { outcomeOf } from '../deploymentRows.ts';
import { type Notices, recordChanges } from '../notices.ts';
import type {
  CommitOptions,
  CommitResult,
  NewTable,
  Notice,
  ReplicationWriter,
  StoredTable,
} from '../storage.ts';
import { lostRight } from '../storageFailure.ts';
import type { WrittenBuckets } from './buckets.ts';
import { emptyDeployment } from './clearing/clear.ts';
import { type Database, nextTurn } from './database.ts';
import type { Deployments } from './deployments.ts';
import { openReplicationState } from './replicationState.ts';
import { openRowWrites } from './rowWrites.ts';
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

export async function openWriter(parts: Parts, deployment: number): Promise<ReplicationWriter> {
  const { database, deployments, notices, buckets, right } = parts;
  const state = openReplicationState(database, deployment);
  const tables = openTables(database, deployment);
  const rowWrites = openRowWrites(database, buckets, deployment);
  const { current } = rowWrites;
  const changes = recordChanges();
  const series = database.series(rowWrites);
  const alone = <T>(work: TransactionWork<T>, after: After = 'durable'): Promise<T> =>
    series.run(() => {
      if (!right.isHeld()) throw lostRight(deployment);
      return work();
    }, after);

  const putTable = (table: NewTable | StoredTable): StoredTable => {
    const stored = tables.put(table);
    // The count begins while the table is empty, so it includes rows that change before they are copied.
    if (stored.copied) current.endCopy(stored.id);
    else current.beginCopy(stored.id);
    return stored;
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
        current.endCopy(table);
      }),
    currentRows: (table, keys) => alone(() => keys.map((key) => current.get(table, key)), 'as before'),
    someRows: (table, limit) => alone(() => current.some(table, limit), 'as before'),
    write: async (batch) => {
      const { progress } = batch;
      const { last, changed } = await alone(
        async () => {
          if (progress !== undefined && !progress.copied) current.beginCopy(progress.id);
          const written = await rowWrites.add(batch.rows);
          if (written.isLater) state.written(written.last);
          if (batch.last !== undefined) state.reads(batch.last);
          // If more rows follow, all places are written together when the transaction becomes durable.
          if (!batch.goesOn) while (current.writeSome()) await nextTurn();
          if (progress !== undefined) putTable(progress);
          return written;
        },
        batch.goesOn ? 'open' : 'durable',
      );
      changes.add(changed);
      return last;
    },
    commit: async (position, options) => {
      const { result, activated } = await alone(() =>
        publish({ state, deployments, deployment }, position, options),
      );
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
    beginLog: (position) => alone(() => state.beginLog(position)),
    belongTo: (origin) => alone(() => state.belongTo(origin)),
    finishSnapshot: (position) => alone(() => state.finishSnapshot(position)),
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

interface PublishParts extends Pick<Parts, 'deployments'> {
  readonly state: ReturnType<typeof openReplicationState>;
  readonly deployment: number;
}

interface Publication {
  readonly result: CommitResult;
  readonly activated?: Notice['activated'];
}

function publish(
  { state, deployments, deployment }: PublishParts,
  position: LogPosition,
  options: CommitOptions,
): Publication {
  const { activate, takeOver, at, last, acknowledges = position } = options;
  const current = state.load();
  if (!mayPublish(current, position)) {
    state.keepAlive(at, { acknowledges, last });
    return { result: { published: false } };
  }
  const checkpoint = { opId: state.publish(position, at, { acknowledges, last }), position };
  const isActive = current.state === 'active';
  const decideOn = isActive ? takeOver : activate;
  const decided = decideOn && deployments.decide(decideOn);
  return {
    result: { published: true, checkpoint, ...(decided && outcomeOf(decided, isActive)) },
    ...(decided?.activated?.id === deployment && { activated: { revision: decided.activated.revision } }),
  };
}
