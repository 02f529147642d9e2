/**
 * The file and its two connections. One writes, one transaction after the other; the other one reads committed data, also while
 * a transaction of the first one is open.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { FolderInUse, lockFolder } from '../../ground/folderLock.ts';
import { StorageFailure } from '../storageFailure.ts';
import { corruptFailure, failureOf, isCorrupt, openingFailureOf } from './failures.ts';
import { databaseName, isSuspected, openReadOnly, openWriter, suspect } from './file.ts';
import { openPieces, type Pieces } from './pieces.ts';
import { openTransactions, type Transactions } from './transactions.ts';

export interface Database extends ReadingDatabase {
  /** Statements that write, and those that read inside of {@link transaction}. */
  readonly writing: Statements;
  /** Waits for those before it. Rolled back when the work fails. */
  readonly transaction: Transactions['run'];
  readonly series: Transactions['series'];
  readonly finish: Transactions['finish'];
  /** Treats the file as corrupt, because something else than SQLite has found that out. */
  readonly distrust: (failure: StorageFailure) => void;
  /** After much was written: the space of SQLite's log is given back, unless another process is reading. */
  readonly shortenLog: () => Promise<void>;
  /** Whether written data may be compressed. */
  readonly hasZstd: boolean;
  /** For what can wait: clearing and compaction. */
  readonly spareTime: Pieces;
  /** For what takes long and cannot wait: others get their turn in between. */
  readonly ownTime: Pieces;
}

export interface ReadingDatabase {
  readonly reading: Statements;
  /** Reads committed data. All of the work sees the same state. */
  read<T>(work: () => T): Promise<T>;
  /** Called when something was rolled back or deleted, because data in memory may not be valid any more. */
  onDoubt(forget: () => void): void;
  doubt(): void;
  close(): Promise<void>;
}

export interface Statements {
  /** Rows as objects. */
  prepare(sql: string): StatementSync;
  /** Rows as arrays. */
  prepareRows(sql: string): StatementSync;
}

export interface OpeningOptions {
  readonly hasZstd: boolean;
  /** Called once, when the file turns out to be corrupt after it was opened. */
  readonly onCorrupt: (failure: StorageFailure) => void;
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

/** Milliseconds to wait for a process that is just ending. */
const patience = 500;

/** The data folder belongs to one process. Returns what releases it. */
export function lockStorage(folder: string): () => void {
  try {
    return lockFolder(folder, patience);
  } catch (error) {
    throw error instanceof FolderInUse
      ? new StorageFailure('in-use', error.message, { cause: error })
      : error;
  }
}

/** Gives others their turn. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}

/** Reads like {@link Database.read}, after the others. */
export async function readInTurn<T>(database: Pick<ReadingDatabase, 'read'>, work: () => T): Promise<T> {
  await nextTurn();
  return database.read(work);
}

/** Bytes of it that are worth the time to give them back: a log that is there is written faster than one that grows. */
const longLog = 2 ** 20;

function openLocked(folder: string, unlock: () => void, { hasZstd, onCorrupt }: OpeningOptions): Database {
  if (isSuspected(folder)) throw corruptFailure(folder);
  const file = join(folder, databaseName);
  const writer = openWriter(folder, hasZstd);
  const reader = openReadOnly(file);
  let isSuspect = false;
  const distrust = (failure: StorageFailure): void => {
    if (isSuspect) return;
    isSuspect = true;
    suspect(folder);
    onCorrupt(failure);
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
  const transactions = openTransactions(writer, {
    demand: refuseWhenClosed,
    onRollback: doubt,
    toFailure,
  });

  const read = async <T>(work: () => T): Promise<T> => {
    refuseWhenClosed();
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
      const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
      if (isClosed || log === undefined || log.size < longLog) return;
      await transactions.finish();
      // Written data is safe, whether the storage can be closed now or not.
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
      reader.close();
      writer.close();
      unlock();
    },
  };
}

/**
 * Writes the log back, as SQLite also does on its own. SQLite continues if this fails, because a later transaction does it
 * then.
 */
function writeLogBack(writer: DatabaseSync, mode: 'PASSIVE' | 'TRUNCATE'): void {
  try {
    writer.exec(`PRAGMA wal_checkpoint(${mode})`);
  } catch {}
}

/** Milliseconds. Readers hardly ever wait: only while a process that was killed is cleared up after. */
const busyPatience = 5_000;

/** The data of a folder that belongs to another process, which has it open. */
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
        // The other process may commit between two statements.
        reader.exec('BEGIN');
        try {
          return work();
        } finally {
          // Some failures have already ended it.
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
