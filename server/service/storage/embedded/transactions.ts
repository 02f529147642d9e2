/** Runs the transactions of the only connection that writes, so that they do not overlap. */
import type { DatabaseSync } from 'node:sqlite';
import { openTurns } from '../../../shared/turns.ts';

export interface Transactions {
  /** Runs a transaction. If the work fails, the transaction is rolled back. */
  run<T>(work: TransactionWork<T>): Promise<T>;
  /** @param backlog the data that pieces of work leave to be written later */
  series(backlog?: Backlog): Series;
  /** Runs the work in a turn, unless a transaction is open then. */
  between(work: () => void): Promise<void>;
  /** Resolves after all earlier work. Then, no transaction is open. */
  finish(): Promise<void>;
  /** Returns a promise while committed data is not durable yet. It fails if the data cannot become durable. */
  flushing(): Promise<void> | undefined;
}

/**
 * Pieces of work of one owner. Several of them may become durable together, because waiting for the disk is most of the cost of a
 * small transaction. Work of others in between first commits the open transaction. Once undurable data is lost, every later piece
 * fails, because it would build on lost data.
 */
interface Series {
  run<T>(work: TransactionWork<T>, after: After): Promise<T>;
}

export type TransactionWork<T> = () => T | Promise<T>;

/** The state of the transaction after a piece of work; `as before`: the piece has only read. */
export type After = 'durable' | 'open' | 'as before';

/** Data that is written when a transaction becomes durable, at the latest, as a part of it. */
export interface Backlog {
  write(): void;
  /** Drops the data, because the transaction was rolled back. */
  drop(): void;
}

interface Hooks {
  /** Throws if nothing may be written any more. */
  readonly demand: () => void;
  /** Makes committed data durable, if COMMIT does not. */
  readonly flush?: (() => Promise<void>) | undefined;
  /** Called after a transaction was rolled back, or turned out not to be durable. */
  readonly onRollback: () => void;
  /** Returns the failure to throw instead of an error. */
  readonly toFailure: (error: unknown) => unknown;
}

interface Owner {
  readonly backlog?: Backlog | undefined;
  lost?: { readonly failure: unknown };
}

export function openTransactions(connection: DatabaseSync, hooks: Hooks): Transactions {
  const turns = openTurns();
  /** The owner whose transaction is open, and waits for more work. */
  let waiting: Owner | undefined;
  let flushing: Promise<void> | undefined;

  const rollBack = ({ backlog }: Owner) => {
    backlog?.drop();
    // Some failures, such as a full disk, have already rolled it back.
    if (connection.isTransaction) connection.exec('ROLLBACK');
    hooks.onRollback();
  };
  const commit = async ({ backlog }: Owner) => {
    backlog?.write();
    connection.exec('COMMIT');
    flushing = hooks.flush?.();
    await flushing?.finally(() => {
      flushing = undefined;
    });
  };
  /** Commits the open transaction. A failure is reported to its owner at the next call, and to nobody else. */
  const endWaiting = async () => {
    const owner = waiting;
    if (owner === undefined) return;
    waiting = undefined;
    try {
      await commit(owner);
    } catch (error) {
      owner.lost = { failure: hooks.toFailure(error) };
      rollBack(owner);
    }
  };
  const perform = async <T>(work: TransactionWork<T>, owner: Owner, after: After): Promise<T> => {
    hooks.demand();
    if (waiting !== owner) await endWaiting();
    if (owner.lost !== undefined) throw owner.lost.failure;
    const goesOn = waiting === owner;
    waiting = undefined;
    try {
      if (!goesOn) connection.exec('BEGIN IMMEDIATE');
      const result = await work();
      if (after === 'open' || (after === 'as before' && goesOn)) waiting = owner;
      // Nothing was written, so there is nothing to flush.
      else if (after === 'as before') connection.exec('COMMIT');
      else await commit(owner);
      return result;
    } catch (error) {
      const failure = hooks.toFailure(error);
      if (goesOn) owner.lost = { failure };
      rollBack(owner);
      throw failure;
    }
  };

  return {
    run: (work) => turns.run(() => perform(work, {}, 'durable')),
    series: (backlog) => {
      const owner: Owner = { backlog };
      return { run: (work, after) => turns.run(() => perform(work, owner, after)) };
    },
    between: (work) =>
      turns.run(() => {
        hooks.demand();
        if (waiting === undefined) work();
      }),
    finish: () => turns.run(endWaiting),
    flushing: () => flushing,
  };
}
