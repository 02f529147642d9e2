import type { BatchLimits } from '../../../config/settings.ts';
import type { Lsn } from '../../../ground/lsn.ts';
import { mayPublish } from '../../consistency.ts';
import { outcomeOf } from '../../deploymentRows.ts';
import { recordChanges } from '../../notices.ts';
import type {
  CommitOptions,
  CommitResult,
  Notice,
  OpId,
  ReplicationWriter,
  WriteBatch,
} from '../../storage.ts';
import { lostRight } from '../../storageFailure.ts';
import { openBucketIds } from '../buckets.ts';
import { clearDeployment } from '../clear.ts';
import { currentRows, someRows } from '../currentRows.ts';
import type { Database, Run } from '../database.ts';
import type { Deployments } from '../deployments/deployments.ts';
import type { Lease } from '../lease.ts';
import type { Messages } from '../messages.ts';
import { changeState, loadState, moveLastOp } from '../replicationState.ts';
import { schema } from '../schema.ts';
import { allTables, deleteTable, putRowProblems, putTable } from '../sourceTables.ts';
import { idsFor, writeBatch } from './batch.ts';
import { type HeldBack, holdBack } from './heldBack.ts';
import { partsOf } from './limits.ts';
import { withStored } from './newRows.ts';

interface Parts {
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
  let held = holdBack(limits);
  /** What is being written while more is held back. */
  let flight: { readonly rows: HeldBack; readonly landing: Promise<void> } | undefined;
  /** Something is held back, or on its way, and the caller relies on it. */
  let isOpen = false;
  let lost: { readonly failure: unknown } | undefined;
  let lastOp: OpId = 0;
  const demandAll = () => {
    if (lost !== undefined) throw lost.failure;
  };
  /** Nobody else writes for this deployment at the same time. */
  const alone = async <T>(work: (run: Run) => Promise<T>) => {
    demandAll();
    return database.transaction(async (run) => {
      await lease.demand(run);
      return work(run);
    });
  };

  const publish = async (run: Run, lsn: Lsn, options: CommitOptions): Promise<Publication> => {
    const { activate, takeOver, at, last, acknowledges = lsn } = options;
    // Others lock the record after that, too.
    if (takeOver !== undefined) await deployments.wait(run);
    const current = await loadState(run, deployment);
    if (current.lastOp !== ownLastOp) throw lostRight(deployment);
    const passed = [acknowledges, last?.lsn ?? null, last?.mark ?? null, at] as const;
    if (!mayPublish(current, lsn)) {
      await changeState(run, deployment, 'keepAlive', ...passed);
      return { result: { published: false } };
    }
    const checkpoint = { opId: await changeState(run, deployment, 'publish', ...passed, lsn), lsn };
    const isActive = current.state === 'active';
    const decideOn = isActive ? takeOver : activate;
    const decided = decideOn && (await deployments.decide(run, decideOn));
    if (decided?.isChanged) await messages.publishDeployments(run);
    const result: CommitResult = {
      published: true,
      checkpoint,
      ...(decided && outcomeOf(decided, isActive)),
    };
    if (result.putOff) return { result };
    const activated = decided?.activated?.id === deployment ? decided.activated : undefined;
    const notice = {
      deployment,
      checkpoint,
      ...(activated && { activated: { revision: activated.revision } }),
    };
    return { result, notice };
  };

  const finishReset = async () => {
    // Each batch: whoever takes over meanwhile has rows of its own.
    const run: Run = (sql, args) => alone((inside) => inside(sql, args));
    await clearDeployment({ run }, deployment, 'keep buckets');
    await alone((run) => changeState(run, deployment, 'endReset'));
  };
  const found = await alone((run) => loadState(run, deployment));
  if (found.isResetting) await finishReset();
  /** As this writer has left it. It is another one where the server was put back to what it was before. */
  let ownLastOp = found.lastOp;

  const change = (what: 'beginLog' | 'hold' | 'finishSnapshot', lsn: Lsn) =>
    afterHeld(async () => {
      await alone((run) => changeState(run, deployment, what, lsn));
    });

  const current = async (table: number, keys: readonly string[]) => {
    demandAll();
    const known = keys.map((key) => held.current(table, key) ?? flight?.rows.current(table, key));
    const others = keys.filter((_, index) => known[index] === undefined);
    const rows = await currentRows(database.run, table, others, limits.maxCurrentDataBatchSize);
    const stored = new Map(others.map((key, index) => [key, rows[index]]));
    return keys.map((key, index) => {
      const row = known[index];
      return row === undefined ? stored.get(key) : row === 'none' ? undefined : row;
    });
  };

  return {
    isInterrupted: found.isInterrupted,
    hasTakenOver: lease.isTakenOver,
    lost: lease.lost,
    demand: () => alone(nothing),
    tables: () => afterHeld(() => allTables(database.run, deployment)),
    putTable: (table) => afterHeld(() => alone((run) => putTable(run, deployment, table))),
    putRowProblems: (table, problems) =>
      afterHeld(() => alone((run) => putRowProblems(run, deployment, table, problems))),
    deleteTable: (table) => afterHeld(() => alone((run) => deleteTable(run, deployment, table))),
    currentRows: current,
    someRows: (table, limit) => afterHeld(() => someRows(database.run, table, limit)),
    write: async (batch) => {
      demandAll();
      held.add({ ...batch, rows: await withStored(batch.rows, current) });
      if (!batch.goesOn) await writeHeld(nothing);
      else {
        isOpen = true;
        if (held.isFull()) await takeOff();
      }
      return lastOp;
    },
    commit: async (lsn, options) => {
      const publishRun = async (run: Run) => {
        const published = await publish(run, lsn, options);
        if (published.notice === undefined) return published;
        const changed = changes.parts();
        const notice = { ...published.notice, ...(changed && { changed }) };
        await messages.publish(run, notice);
        return { result: published.result, notice };
      };
      if (isOpen && options.takeOver !== undefined) await writeHeld(nothing);
      const { result, notice } = await (isOpen ? writeHeld(publishRun) : alone(publishRun));
      if (notice !== undefined) {
        changes.begin();
        messages.tell(notice);
      }
      return result;
    },
    holdCheckpoints: (until) => change('hold', until),
    beginLog: (lsn) => change('beginLog', lsn),
    belongTo: ({ system, timeline = null }) =>
      afterHeld(async () => {
        await alone((run) => changeState(run, deployment, 'belongTo', system, timeline));
      }),
    finishSnapshot: (lsn) => change('finishSnapshot', lsn),
    reset: async () => {
      await land();
      held = holdBack(limits);
      isOpen = false;
      await alone((run) => changeState(run, deployment, 'beginReset'));
      await finishReset();
      changes.begin();
      parts.onReset();
    },
    release: async () => {
      try {
        if (isOpen && lost === undefined) await writeHeld(nothing);
      } finally {
        await lease.release();
      }
    },
  };

  async function afterHeld<T>(work: () => Promise<T>): Promise<T> {
    demandAll();
    if (isOpen) await writeHeld(nothing);
    return work();
  }

  /** The last part of it together with everything else to do. */
  async function writeHeld<T>(also: (run: Run) => Promise<T>): Promise<T> {
    try {
      await land();
      const batch = held.batch();
      held = holdBack(limits);
      return await writeParts(batch, also);
    } catch (failure) {
      if (isOpen) lost ??= { failure };
      throw failure;
    } finally {
      isOpen = false;
    }
  }

  /** One batch at a time: what is read and evaluated meanwhile is as much again, at most. */
  async function takeOff(): Promise<void> {
    await land();
    const rows = held;
    held = holdBack(limits);
    const landing = writeParts(rows.batch(), nothing).catch((failure: unknown) => {
      lost = { failure };
    });
    flight = { rows, landing };
  }

  async function land(): Promise<void> {
    await flight?.landing;
    flight = undefined;
    demandAll();
  }

  async function writeParts<T>(batch: WriteBatch, also: (run: Run) => Promise<T>): Promise<T> {
    const all = partsOf(batch, limits);
    for (const part of all.slice(0, -1)) await writePart(part, nothing);
    return writePart(all.at(-1) as WriteBatch, also);
  }

  async function writePart<T>(part: WriteBatch, also: (run: Run) => Promise<T>): Promise<T> {
    const count = idsFor(part.rows);
    // Outside of the transaction, so that writers do not wait for each other. Ids that are not used are lost.
    const last = await takeIds(database.run, count);
    const work = async (run: Run) => {
      await writeBatch(run, deployment, bucketIds, part.rows, last - count);
      if (count > 0) {
        if (!(await moveLastOp(run, deployment, ownLastOp, last))) throw lostRight(deployment);
        ownLastOp = last;
      }
      if (part.last !== undefined)
        await changeState(run, deployment, 'reads', part.last.lsn, part.last.mark ?? null);
      if (part.progress !== undefined) await putTable(run, deployment, part.progress);
      changes.add(part.rows);
      return also(run);
    };
    const result = await alone((run) => work(run).catch(forgetBuckets)).catch(forgetBuckets);
    lastOp = last;
    return result;
  }

  function forgetBuckets(error: unknown): never {
    bucketIds.forget();
    throw error;
  }
}

const nothing = async () => undefined;

interface Publication {
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
