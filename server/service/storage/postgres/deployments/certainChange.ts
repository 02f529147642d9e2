/**
 * Makes a change that survives the loss of its connection, because it is made again unless it is stored. If the answer to the
 * commit was lost, only the server knows whether the change is stored. The server reports that for every transaction that has
 * ended.
 */
import { type Backoff, backoffAfter } from '../../../ground/backoff.ts';
import type { Clock } from '../../../ground/world.ts';
import { StorageFailure } from '../../storageFailure.ts';
import type { Database, Run } from '../database.ts';

interface CertainWays {
  readonly database: Pick<Database, 'transaction'>;
  readonly clock: Clock;
  /** Must be called inside of a transaction. Waits until no other open transaction changes the same data. */
  readonly wait: (run: Run) => Promise<void>;
}

/** The time in milliseconds during which another attempt may begin, because the client that asked for the change is waiting. */
const patience = 15_000;
const afterEnd: Backoff = { first: 50, longest: 1_000 };

/** @param work must also call `wait`, because it may run more than once */
export async function changeCertainly<T>(
  { database, clock, wait }: CertainWays,
  work: (run: Run) => Promise<T>,
): Promise<T> {
  const end = clock.steady() + patience;
  /** The change that was completed before its commit: either it is stored, or it has no effect. */
  let complete: { readonly transaction: number; readonly result: T } | undefined;
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await database.transaction(async (run) => {
        if (complete !== undefined) {
          await wait(run);
          if (await isStored(run, complete.transaction)) return complete.result;
        }
        complete = undefined;
        const result = await work(run);
        const [{ transaction = 0 } = {}] = await run<{ transaction: number }>(
          'SELECT txid_current() AS transaction',
        );
        complete = { transaction, result };
        return result;
      });
    } catch (error) {
      const kind = error instanceof StorageFailure ? error.kind : 'other';
      const isOver = clock.steady() >= end || kind === 'closed';
      if (isOver && complete !== undefined) throw unsure(error);
      if (isOver || (kind !== 'unreachable' && complete === undefined)) throw error;
      await clock.sleep(backoffAfter(attempts, afterEnd));
    }
  }
}

/**
 * Whether the transaction is stored. A server that has taken over may not know the transaction, and refuses to report on one that
 * it has not begun.
 */
async function isStored(run: Run, transaction: number): Promise<boolean> {
  const [{ status = 'unknown' } = {}] = await run<{ status: string }>(
    'SELECT txid_status($1) AS status WHERE $1 < txid_snapshot_xmax(txid_current_snapshot())',
    [transaction],
  );
  return status === 'committed';
}

function unsure(cause: unknown): StorageFailure {
  const sentence =
    'The connection to the storage was lost while it stored a change, so it is unknown whether the change is stored.';
  return new StorageFailure('unsure', sentence, { cause });
}
