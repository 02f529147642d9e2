/**
 * The transactions of one writer.
 *
 * 1. Every transaction first demands the right to write, so that no other process writes for this deployment until it ends.
 * 2. Ids are taken before the transaction, so that writers of different deployments do not wait for each other. Unused ids are
 *    lost, and later rows have higher ids.
 * 3. A transaction moves the last id of the deployment only from the value that this writer has written. If it has another
 *    value, another process has written, or the server was put back to an earlier state: the right to write is lost.
 * 4. The writer's last id moves after its transaction, which may run several times and may fail.
 * 5. A bucket number that was created in a failed transaction is never used again.
 */
import type { BatchLimits } from '../../../config/settings.ts';
import type { recordChanges } from '../../notices.ts';
import type { OpId, WriteBatch } from '../../storage.ts';
import { lostRight } from '../../storageFailure.ts';
import { type BucketIds, openBucketIds } from '../buckets.ts';
import type { Database, Run } from '../database.ts';
import type { Lease } from '../lease.ts';
import { changeState, moveLastOp } from '../replicationState.ts';
import { schema } from '../schema.ts';
import { putTable } from '../sourceTables.ts';
import { idsFor, writeBatch } from './batch.ts';
import { partsOf } from './transactionLimits.ts';

/** Further work in the transaction of the last rows. */
export type Also<T> = (run: Run, lastOp: OpId) => Promise<T>;

interface BatchParts {
  readonly database: Database;
  readonly lease: Pick<Lease, 'demand'>;
  readonly limits: Pick<BatchLimits, 'maxRecordCount' | 'maxEstimatedSize'>;
  readonly changes: Pick<ReturnType<typeof recordChanges>, 'add'>;
  readonly deployment: number;
}

export class BatchWriter {
  readonly #parts: BatchParts;
  readonly #bucketIds: BucketIds;
  /** The last id of the deployment. */
  #ownLastOp: OpId = 0;
  /** The last id of all deployments when rows were last written. */
  #lastOp: OpId = 0;

  constructor(parts: BatchParts) {
    this.#parts = parts;
    this.#bucketIds = openBucketIds(parts.deployment);
  }

  get lastOp(): OpId {
    return this.#lastOp;
  }

  /** Continues after the stored rows. */
  begin(lastOp: OpId): void {
    this.#ownLastOp = lastOp;
  }

  async alone<T>(work: Also<T>): Promise<T> {
    const { database, lease } = this.#parts;
    return database.transaction(async (run) => {
      await lease.demand(run);
      return work(run, this.#ownLastOp);
    });
  }

  /** Writes a batch in as many transactions as necessary. The last one includes the further work. */
  async write<T>(batch: WriteBatch, also: Also<T>): Promise<T> {
    const all = partsOf(batch, this.#parts.limits);
    for (const part of all.slice(0, -1)) await this.#writePart(part, async () => undefined);
    return this.#writePart(all.at(-1) as WriteBatch, also);
  }

  async #writePart<T>(part: WriteBatch, also: Also<T>): Promise<T> {
    const { database, changes, deployment } = this.#parts;
    const count = idsFor(part.rows);
    const last = await takeIds(database.run, count);
    const next = count > 0 ? last : this.#ownLastOp;
    const place = { deployment, bucketIds: this.#bucketIds, after: last - count };
    const work = async (run: Run) => {
      await writeBatch(run, part.rows, place);
      if (count > 0 && !(await moveLastOp(run, deployment, this.#ownLastOp, last)))
        throw lostRight(deployment);
      if (part.last !== undefined)
        await changeState(run, deployment, 'reads', part.last.position, part.last.mark ?? null);
      if (part.progress !== undefined) await putTable(run, deployment, part.progress);
      changes.add(part.rows);
      return also(run, next);
    };
    const forgetBuckets = (error: unknown): never => {
      this.#bucketIds.forget();
      throw error;
    };
    // The numbers are forgotten before each repetition, and after the last one.
    const result = await this.alone((run) => work(run).catch(forgetBuckets)).catch(forgetBuckets);
    this.#ownLastOp = next;
    this.#lastOp = last;
    return result;
  }
}

async function takeIds(run: Run, count: number): Promise<OpId> {
  const [{ last_op = 0 } = {}] = await run<{ last_op: OpId }>(
    count === 0
      ? `SELECT last_op FROM ${schema}.instance`
      : `UPDATE ${schema}.instance SET last_op = last_op + ${count} RETURNING last_op`,
  );
  return last_op;
}
