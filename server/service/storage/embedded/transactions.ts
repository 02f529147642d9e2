/** Runs the transactions of the only connection that writes, in turns. */
import type { DatabaseSync } from 'node:sqlite';
import { openTurns } from '../../../shared/turns.ts';

export interface Transactions {
  /** Rolled back when the work fails. */
  run<T>(work: TransactionWork<T>): Promise<T>;
  /** @param backlog what its pieces of work leave for later */
  series(backlog?: Backlog): Series;
  /** Runs in a turn, and only if no transaction is open then. */
  between(work: () => void): Promise<void>;
  /** After all those before it: nothing is open any more. */
  finish(): Promise<void>;
}

/**
 * Pieces of work of one owner, of which several may become durable at once, because waiting for the disk is most of the cost of
 * a small one. Work of others in between ends the open transaction first. Once something that was not durable yet is lost,
 * every later piece fails, because it would build on lost data.
 */
interface Series {
  run<T>(work: TransactionWork<T>, after: After): Promise<T>;
}

export type TransactionWork<T> = () => T | Promise<T>;

/** The state in which a piece of work leaves the transaction; `as before`: it has only read. */
export type After = 'durable' | 'open' | 'as before';

/** Data that is written at the latest when a transaction becomes durable, as a part of it. */
export interface Backlog {
  write(): void;
  /** The transaction was rolled back. */
  drop(): void;
}

interface Hooks {
  /** Throws when nothing may be written any more. */
  readonly demand: () => void;
  /** Something was rolled back. */
  readonly onRollback: () => void;
  /** The failure to throw instead of an error. */
  readonly toFailure: (error: unknown) => unknown;
}

interface Owner {
  readonly backlog?: Backlog | undefined;
  lost?: { readonly failure: unknown };
}

export function openTransactions(connection: DatabaseSync, hooks: Hooks): Transactions {
  const turns = openTurns();
  /** Whose transaction waits for more. */
  let waiting: Owner | undefined;

  const rollBack = ({ backlog }: Owner) => {
    backlog?.drop();
    // Some failures, like a full disk, have already rolled it back.
    if (connection.isTransaction) connection.exec('ROLLBACK');
    hooks.onRollback();
  };
  const end = ({ backlog }: Owner) => {
    backlog?.write();
    connection.exec('COMMIT');
  };
  /** Its owner hears of a failure with the next call, nobody else does. */
  const endWaiting = () => {
    const owner = waiting;
    if (owner === undefined) return;
    waiting = undefined;
    try {
      end(owner);
    } catch (error) {
      owner.lost = { failure: hooks.toFailure(error) };
      rollBack(owner);
    }
  };
  const perform = async <T>(work: TransactionWork<T>, owner: Owner, after: After): Promise<T> => {
    hooks.demand();
    if (waiting !== owner) endWaiting();
    if (owner.lost !== undefined) throw owner.lost.failure;
    const goesOn = waiting === owner;
    waiting = undefined;
    try {
      if (!goesOn) connection.exec('BEGIN IMMEDIATE');
      const result = await work();
      if (after === 'open' || (after === 'as before' && goesOn)) waiting = owner;
      else end(owner);
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
  };
}
