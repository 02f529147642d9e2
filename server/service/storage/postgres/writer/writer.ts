/**
 * Writes for one deployment into PostgreSQL: rows through {@link HeldWrites}, transactions through {@link BatchWriter},
 * checkpoints through {@link publish}. A writer first completes a reset that was interrupted. At the end, `release` writes the
 * held rows and then releases the right to write, even if writing fails.
 */
import type { BatchLimits } from '../../../config/settings.ts';
import type { LogPosition } from '../../../ground/logPosition.ts';
import { recordChanges } from '../../notices.ts';
import type { ReplicationWriter } from '../../storage.ts';
import { clearDeployment } from '../clear.ts';
import { currentRows, someRows } from '../currentRows.ts';
import type { Database, Run } from '../database.ts';
import type { Lease } from '../lease.ts';
import { changeState, loadState } from '../replicationState.ts';
import { allTables, deleteTable, putRowProblems, putTable } from '../sourceTables.ts';
import { BatchWriter } from './batchWriter.ts';
import { HeldWrites } from './heldWrites.ts';
import { withStored } from './newRows.ts';
import { type PublishParts, publish } from './publish.ts';

interface Parts extends Pick<PublishParts, 'deployments' | 'messages'> {
  readonly database: Database;
  readonly lease: Lease;
  readonly limits: BatchLimits;
  readonly onReset: () => void;
}

export async function openWriter(parts: Parts, deployment: number): Promise<ReplicationWriter> {
  const { database, lease, limits } = parts;
  const changes = recordChanges();
  const batches = new BatchWriter({ database, lease, limits, changes, deployment });
  const held = new HeldWrites(limits, batches);

  /** Runs work in a separate transaction, after everything that is held back. */
  const alone = async <T>(work: (run: Run) => Promise<T>) => {
    await held.settle();
    return batches.alone(work);
  };
  const change = async (what: 'beginLog' | 'hold' | 'finishSnapshot', position: LogPosition) => {
    await alone((run) => changeState(run, deployment, what, position));
  };
  const finishReset = async () => {
    // Each batch demands the right to write, because a process that has taken over may already have stored its own rows.
    const run: Run = (sql, args) => batches.alone((inside) => inside(sql, args));
    await clearDeployment({ run }, deployment, 'keep buckets');
    await batches.alone((run) => changeState(run, deployment, 'endReset'));
  };
  const current = async (table: number, keys: readonly string[]) => {
    held.demand();
    const known = keys.map((key) => held.current(table, key));
    const others = keys.filter((_, index) => known[index] === undefined);
    const rows = await currentRows(database.run, table, others, limits.maxCurrentDataBatchSize);
    const stored = new Map(others.map((key, index) => [key, rows[index]]));
    return keys.map((key, index) => {
      const row = known[index];
      return row === undefined ? stored.get(key) : row === 'none' ? undefined : row;
    });
  };

  const found = await batches.alone((run) => loadState(run, deployment));
  if (found.isResetting) await finishReset();
  batches.begin(found.lastOp);

  return {
    isInterrupted: found.isInterrupted,
    hasTakenOver: lease.isTakenOver,
    lost: lease.lost,
    demand: async () => {
      held.demand();
      await batches.alone(async () => undefined);
    },
    tables: async () => {
      await held.settle();
      return allTables(database.run, deployment);
    },
    putTable: (table) => alone((run) => putTable(run, deployment, table)),
    putRowProblems: (table, problems) => alone((run) => putRowProblems(run, deployment, table, problems)),
    deleteTable: (table) => alone((run) => deleteTable(run, deployment, table)),
    currentRows: current,
    someRows: async (table, limit) => {
      await held.settle();
      return someRows(database.run, table, limit);
    },
    write: async (batch) => {
      held.demand();
      await held.add({ ...batch, rows: await withStored(batch.rows, current) });
      return batches.lastOp;
    },
    commit: async (position, options) => {
      if (options.takeOver !== undefined) await held.settle();
      const publishing = { ...parts, changes, deployment };
      const { result, notice } = await held.settleWith((run, lastOp) =>
        publish(run, { position, options, lastOp }, publishing),
      );
      if (notice !== undefined) {
        changes.begin();
        parts.messages.tell(notice);
      }
      return result;
    },
    holdCheckpoints: (until) => change('hold', until),
    beginLog: (position) => change('beginLog', position),
    belongTo: async ({ system, branch = null }) => {
      await alone((run) => changeState(run, deployment, 'belongTo', system, branch));
    },
    finishSnapshot: (position) => change('finishSnapshot', position),
    reset: async () => {
      await held.discard();
      await batches.alone((run) => changeState(run, deployment, 'beginReset'));
      await finishReset();
      changes.begin();
      parts.onReset();
    },
    release: async () => {
      try {
        if (!held.isLost) await held.settle();
      } finally {
        await lease.release();
      }
    },
  };
}
