/**
 * The database file and its two connections. One writes, in consecutive transactions. The other one reads committed data, even
 * while a transaction of the first one is open.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { FolderInUse, lockFolder } from '../../ground/folderLock.ts';
import { StorageFailure } from '../storageFailure.ts';
import { corruptFailure, failureOf, flushFailureOf, isCorrupt, openingFailureOf } from './failures.ts';
import { databaseName, isSuspected, logOf, openReadOnly, openWriter, suspect } from './file.ts';
import { DurableLog, type LogFile } from './logFile.ts';
import { openPieces, type Pieces } from './pieces.ts';
import { openTransactions, type Transactions } from './transactions.ts';

export interface Database extends ReadingDatabase {
  /** Statements that write, or that read inside of {@link transaction}. */
  readonly writing: Statements;
  /** Runs a transaction after all earlier ones. If the work fails, the transaction is rolled back. */
  readonly transaction: Transactions['run'];
  readonly series: Transactions['series'];
  readonly finish: Transactions['finish'];
  /** Treats the file as corrupt, because a check outside of SQLite has failed. */
  readonly distrust: (failure: StorageFailure) => void;
  /** Truncates SQLite's log after much was written, unless another process is reading. */
  readonly shortenLog: () => Promise<void>;
  /** Whether written data may be compressed. */
  readonly hasZstd: boolean;
  /** Runs work that can wait, such as clearing and compaction. */
  readonly spareTime: Pieces;
  /** Runs work that takes long and cannot wait. Other work gets its turn in between. */
  readonly ownTime: Pieces;
}

export interface ReadingDatabase {
  readonly reading: Statements;
  /** Reads committed data. All of the work sees the same state. */
  read<T>(work: () => T): Promise<T>;
  /** Adds a listener, which is called when data was rolled back or deleted, because data in memory may no longer be valid. */
  onDoubt(forget: () => void): void;
  doubt(): void;
  close(): Promise<void>;
}

export interface Statements {
  /** Prepares a statement that returns rows as objects. */
  prepare(sql: string): StatementSync;
  /** Prepares a statement that returns rows as arrays. */
  prepareRows(sql: string): StatementSync;
}

export interface OpeningOptions {
  readonly hasZstd: boolean;
  /**
   * Called once, if the file turns out to be corrupt after it was opened, or if committed data cannot become durable. In both cases,
   * only opening the storage again can help.
   */
  readonly onUnusable: (failure: StorageFailure) => void;
  /**
   * Opens the log that makes committed data durable. Without it, COMMIT does so, and blocks the event loop. No other process may
   * read the file at the same time, because it would see data that a power failure can still undo.
   */
  readonly openLog?: ((path: string) => LogFile) | undefined;
}

export function openDatabase(folder: string, options: OpeningOptions): Database {
  try {
    mkdirSync(folder, { recursive: true });
    const unlock = lockStorage(folder);
    try {
      return openLocked(folder, unlock, options);
    } catch (error) {
      unlock();
      throw error;
    }
  } catch (error) {
    throw openingFailureOf(error, folder, join(folder, databaseName));
  }
}

/** The time to wait for a process that is just ending, in milliseconds. */
const patience = 500;

/** Locks the data folder, which only one process may use. Returns the function that releases the lock. */
export function lockStorage(folder: string): () => void {
  try {
    return lockFolder(folder, patience);
  } catch (error) {
    throw error instanceof FolderInUse
      ? new StorageFailure('in-use', error.message, { cause: error })
      : error;
  }
}

/** Lets other work run. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}

/** Reads like {@link Database.read}, after other waiting work. */
export async function readInTurn<T>(database: Pick<ReadingDatabase, 'read'>, work: () => T): Promise<T> {
  await nextTurn();
  return database.read(work);
}

/** The size in bytes above which it is worth truncating SQLite's log. Writing to an existing log is faster than growing it. */
const longLog = 2 ** 20;

function openLocked(folder: string, unlock: () => void, options: OpeningOptions): Database {
  const { hasZstd, onUnusable, openLog } = options;
  if (isSuspected(folder)) throw corruptFailure(folder);
  const file = join(folder, databaseName);
  const writer = openWriter(folder, hasZstd);
  const reader = openReadOnly(file);
  let isSuspect = false;
  const distrust = (failure: StorageFailure): void => {
    if (isSuspect) return;
    isSuspect = true;
    suspect(folder);
    onUnusable(failure);
  };
  const toFailure = (error: unknown): unknown => {
    const failure = failureOf(error, folder);
    if (isCorrupt(failure)) distrust(failure);
    return failure;
  };

  const forgetters: (() => void)[] = [];
  let isClosed = false;
  const doubt = () => {
    for (const forget of forgetters) forget();
  };
  const refuseWhenClosed = () => {
    if (isClosed) throw new StorageFailure('closed', `The storage in ${folder} is closed.`);
  };
  const demand = () => {
    log?.demand();
    refuseWhenClosed();
  };
  const log =
    openLog &&
    new DurableLog(openLog(logOf(file)), (error) => {
      const failure = flushFailureOf(error, folder);
      onUnusable(failure);
      return failure;
    });
  if (log !== undefined) writer.exec('PRAGMA synchronous = NORMAL');
  const transactions = openTransactions(writer, {
    demand,
    flush: log && (() => log.flush()),
    onRollback: doubt,
    toFailure,
  });

  const read = async <T>(work: () => T): Promise<T> => {
    // Data that a power failure can still undo is not shown to anybody.
    const flushing = transactions.flushing();
    if (flushing !== undefined) await flushing;
    demand();
    try {
      return work();
    } catch (error) {
      throw toFailure(error);
    }
  };
  let lastUse = Number.NEGATIVE_INFINITY;
  const use = () => {
    lastUse = performance.now();
  };
  const pieces = {
    now: () => performance.now(),
    pause: (ms: number) => setTimeout(ms),
    yieldTurn: nextTurn,
    read,
    transaction: transactions.run,
    writeBack: () => transactions.between(() => writeLogBack(writer, 'PASSIVE')),
  };

  return {
    writing: statementsOf(writer, refuseWhenClosed),
    reading: statementsOf(reader, refuseWhenClosed),
    transaction: (work) => {
      use();
      return transactions.run(work);
    },
    hasZstd,
    series: (backlog) => {
      const series = transactions.series(backlog);
      return {
        run: (work, after) => {
          use();
          return series.run(work, after);
        },
      };
    },
    finish: transactions.finish,
    distrust,
    shortenLog: async () => {
      const log = statSync(logOf(file), { throwIfNoEntry: false });
      if (isClosed || log === undefined || log.size < longLog) return;
      await transactions.finish();
      // Written data is safe, even if the storage cannot be closed now.
      await transactions.between(() => writeLogBack(writer, 'TRUNCATE')).catch(() => undefined);
    },
    read: (work) => {
      use();
      return read(work);
    },
    spareTime: openPieces({ ...pieces, lastUse: () => lastUse }),
    ownTime: openPieces({ ...pieces, lastUse: () => Number.NEGATIVE_INFINITY }),
    onDoubt: (forget) => forgetters.push(forget),
    doubt,
    close: async () => {
      if (isClosed) return;
      await transactions.finish();
      isClosed = true;
      log?.close();
      reader.close();
      writer.close();
      unlock();
    },
  };
}

/**
 * Writes the log back, as SQLite also does automatically. SQLite ignores a failure of this, because a later transaction does it
 * again.
 */
function writeLogBack(writer: DatabaseSync, mode: 'PASSIVE' | 'TRUNCATE'): void {
  try {
    writer.exec(`PRAGMA wal_checkpoint(${mode})`);
  } catch {}
}

/** The longest wait for a lock, in milliseconds. Readers wait only while SQLite cleans up after a killed process. */
const busyPatience = 5_000;

/** Opens the data of a folder that belongs to another, running process. */
export function openForReading(
  folder: string,
  onCorrupt: (failure: StorageFailure) => void,
): ReadingDatabase {
  const reader = openReadOnly(join(folder, databaseName));
  reader.exec(`PRAGMA busy_timeout = ${busyPatience}`);
  const forgetters: (() => void)[] = [];
  let isClosed = false;
  const refuseWhenClosed = () => {
    if (isClosed) throw new StorageFailure('closed', `The storage in ${folder} is closed.`);
  };
  return {
    reading: statementsOf(reader, refuseWhenClosed),
    read: async (work) => {
      refuseWhenClosed();
      try {
        // A transaction is needed, because the other process may commit between two statements.
        reader.exec('BEGIN');
        try {
          return work();
        } finally {
          // Some failures have already ended the transaction.
          if (reader.isTransaction) reader.exec('COMMIT');
        }
      } catch (error) {
        const failure = failureOf(error, folder);
        if (isCorrupt(failure)) onCorrupt(failure);
        throw failure;
      }
    },
    onDoubt: (forget) => forgetters.push(forget),
    doubt: () => {
      for (const forget of forgetters) forget();
    },
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      reader.close();
    },
  };
}

function statementsOf(connection: DatabaseSync, refuseWhenClosed: () => void): Statements {
  const prepare = (sql: string) => {
    refuseWhenClosed();
    return connection.prepare(sql);
  };
  return {
    prepare,
    prepareRows: (sql) => {
      const statement = prepare(sql);
      statement.setReturnArrays(true);
      return statement;
    },
  };
}
