import type { BatchLimits } from '../../config/settings.ts';
import type { Lsn } from '../../lsn.ts';
import { mayPublish } from '../consistency.ts';
import { recordChanges } from '../notices.ts';
import type { CommitOptions, CommitResult, Notice, OpId, ReplicationWriter, WriteBatch } from '../storage.ts';
import { idsFor, writeBatch } from './batch.ts';
import { openBucketIds } from './bucketIds.ts';
import { clearDeployment } from './clear.ts';
import { currentRows, someRows } from './currentRows.ts';
import type { Database, Run } from './database.ts';
import type { Deployments } from './deployments.ts';
import type { Lease } from './lease.ts';
import { partsOf } from './limits.ts';
import type { Messages } from './messages.ts';
import { changeState, loadState } from './replicationState.ts';
import { schema } from './schema.ts';
import { allTables, deleteTable, putTable } from './tables.ts';

export interface Parts {
  readonly database: Database;
  readonly deployments: Deployments;
  readonly messages: Messages;
  readonly lease: Lease;
  readonly limits: BatchLimits;
  readonly onReset: () => void;
}

export async function openWriter(parts: Parts, deployment: number): Promise<ReplicationWriter> {
  const { database, deployments, messages, lease, limits } = parts;
  const bucketIds = openBucketIds(deployment);
  const changes = recordChanges();
  /** Nobody else writes for this deployment at the same time. */
  const alone = <T>(work: (run: Run) => Promise<T>) =>
    database.transaction(async (run) => {
      await lease.demand(run);
      return work(run);
    });

  const publish = async (run: Run, lsn: Lsn, { activate, at }: CommitOptions): Promise<Published> => {
    const current = await loadState(run, deployment);
    if (!mayPublish(current, lsn)) {
      await changeState(run, deployment, 'keepAlive', at);
      return { result: { published: false } };
    }
    const checkpoint = { opId: await changeState(run, deployment, 'publish', lsn, at), lsn };
    const decided = current.isActive ? undefined : await deployments.decide(run, activate);
    if (decided?.isChanged) await messages.publishDeployments(run);
    const changed = decided?.isChanged ? { changed: decided.records } : {};
    const isActivated = decided?.activated?.id === deployment;
    const notice = { deployment, checkpoint, ...(isActivated && { activated: true }) };
    return { result: { published: true, checkpoint, ...changed }, notice };
  };

  const finishReset = async () => {
    await clearDeployment(database, deployment, 'keep buckets');
    await alone((run) => changeState(run, deployment, 'endReset'));
  };
  const found = await alone((run) => loadState(run, deployment));
  if (found.isResetting) await finishReset();

  return {
    isInterrupted: found.isInterrupted,
    tables: () => allTables(database.run, deployment),
    putTable: (table) => alone((run) => putTable(run, deployment, table)),
    deleteTable: (table) => alone((run) => deleteTable(run, deployment, table)),
    currentRows: (table, keys) => currentRows(database.run, table, keys, limits.maxCurrentDataBatchSize),
    someRows: (table, limit) => someRows(database.run, table, limit),
    write: async (batch) => {
      let last = 0;
      for (const part of partsOf(batch, limits)) last = await writePart(part);
      return last;
    },
    commit: async (lsn, options) => {
      const changed = changes.parts();
      const { result, notice } = await alone(async (run) => {
        const published = await publish(run, lsn, options);
        if (published.notice === undefined) return published;
        const notice = { ...published.notice, ...(changed && { changed }) };
        await messages.publish(run, notice);
        return { result: published.result, notice };
      });
      if (notice !== undefined) {
        changes.begin();
        messages.tell(notice);
      }
      return result;
    },
    holdCheckpoints: async (until) => {
      await alone((run) => changeState(run, deployment, 'hold', until));
    },
    finishSnapshot: async (lsn) => {
      await alone((run) => changeState(run, deployment, 'finishSnapshot', lsn));
    },
    reset: async () => {
      await alone((run) => changeState(run, deployment, 'beginReset'));
      await finishReset();
      changes.begin();
      parts.onReset();
    },
    release: () => lease.release(),
  };

  async function writePart(part: WriteBatch): Promise<OpId> {
    const count = idsFor(part.rows);
    // Outside of the transaction, so that writers do not wait for each other. Ids that are not used are lost.
    const last = await takeIds(database.run, count);
    const work = async (run: Run) => {
      await writeBatch(run, deployment, bucketIds, part.rows, last - count);
      if (count > 0) await changeState(run, deployment, 'written', last);
      if (part.progress !== undefined) await putTable(run, deployment, part.progress);
    };
    await alone((run) => work(run).catch(forgetBuckets)).catch(forgetBuckets);
    changes.add(part);
    return last;
  }

  function forgetBuckets(error: unknown): never {
    bucketIds.forget();
    throw error;
  }
}

interface Published {
  readonly result: CommitResult;
  readonly notice?: Notice;
}

async function takeIds(run: Run, count: number): Promise<OpId> {
  const [{ last_op = 0 } = {}] = await run<{ last_op: OpId }>(
    count === 0
      ? `SELECT last_op FROM ${schema}.instance`
      : `UPDATE ${schema}.instance SET last_op = last_op + ${count} RETURNING last_op`,
  );
  return last_op;
}
