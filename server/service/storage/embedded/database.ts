/**
 * The file and its two connections: one that writes, one transaction after the other, and one that reads what is
 * committed, also while a transaction of the other is open.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { FolderInUse, lockFolder } from '../../ground/folderLock.ts';
import { StorageFailure } from '../storageFailure.ts';
import { failureOf } from './failures.ts';
import { openPieces, type Pieces } from './pieces.ts';
import { rowPlaceOf } from './rowKeys.ts';
import { migrations } from './schema.ts';
import { openTransactions, type Transactions } from './transactions.ts';

export interface Database extends ReadingDatabase {
  /** Statements that write, and those that read inside of {@link transaction}. */
  readonly writing: Statements;
  /** Waits for those before it. Rolled back when the work fails. */
  readonly transaction: Transactions['run'];
  readonly series: Transactions['series'];
  readonly finish: Transactions['finish'];
  /** After much was written: the space of SQLite's log is given back, unless another process is reading. */
  readonly shortenLog: () => Promise<void>;
  /** Whether what is written may be compressed. */
  readonly hasZstd: boolean;
  /** For what can wait: clearing and compaction. */
  readonly spareTime: Pieces;
  /** For what takes long and cannot wait: others get their turn in between. */
  readonly ownTime: Pieces;
}

export interface ReadingDatabase {
  readonly reading: Statements;
  /** Reads what is committed: all of the work sees the same state. */
  read<T>(work: () => T): Promise<T>;
  /** Called when something was rolled back or deleted, so that what is remembered of the data may not hold any more. */
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

export function openDatabase(folder: string, hasZstd: boolean): Database {
  try {
    mkdirSync(folder, { recursive: true });
    const unlock = lockStorage(folder);
    try {
      return openLocked(folder, unlock, hasZstd);
    } catch (error) {
      unlock();
      throw error;
    }
  } catch (error) {
    throw failureOf(error, folder);
  }
}

/** Milliseconds to wait for a process that is just ending. */
const patience = 500;

/** The data folder belongs to one process. Returns what releases it. */
function lockStorage(folder: string): () => void {
  try {
    return lockFolder(folder, patience);
  } catch (error) {
    throw error instanceof FolderInUse
      ? new StorageFailure('in-use', error.message, { cause: error })
      : error;
  }
}

/** Others get their turn. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}

/** As {@link Database.read}, after the others. */
export async function readInTurn<T>(database: Pick<ReadingDatabase, 'read'>, work: () => T): Promise<T> {
  await nextTurn();
  return database.read(work);
}

/** Bytes. Trees of large pages have fewer levels, and are written a third faster than those of 4 KiB. */
const pageSize = 16_384;
/**
 * Bytes of SQLite's log that are written back at once. More is not written faster, and nothing else happens meanwhile.
 * In a folder of an earlier version, whose pages are smaller, it is less.
 */
const logSize = 16 * 2 ** 20;
/** Bytes of it that are worth the time to give them back: a log that is there is written faster than one that grows. */
const longLog = 2 ** 20;
/** In KiB. Pages that are not among them come from the operating system's cache, which costs reading little. */
const cache = { writer: 16_384, reader: 4_096 } as const;

function openLocked(folder: string, unlock: () => void, hasZstd: boolean): Database {
  const file = join(folder, 'data.sqlite');
  const writer = openConnection(file, (connection) => {
    // Before the first table; later they have no effect.
    connection.exec(`PRAGMA page_size = ${pageSize}; PRAGMA auto_vacuum = INCREMENTAL`);
    connection.exec(
      `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -${cache.writer}`,
    );
    connection.exec(`PRAGMA wal_autocheckpoint = ${logSize / pageSize}; PRAGMA temp_store = MEMORY`);
    migrate(connection, folder);
    if (!hasZstd) refuseCompressed(connection, folder);
  });
  const reader = openReadOnly(file);

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
    toFailure: (error) => failureOf(error, folder),
  });

  const read = async <T>(work: () => T): Promise<T> => {
    refuseWhenClosed();
    try {
      return work();
    } catch (error) {
      throw failureOf(error, folder);
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
    shortenLog: async () => {
      const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
      if (isClosed || log === undefined || log.size < longLog) return;
      await transactions.finish();
      // What was written is safe, whether the storage is closed now or not.
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

/** As SQLite does it by itself, which also goes on if this fails: some later transaction does it then. */
function writeLogBack(writer: DatabaseSync, mode: 'PASSIVE' | 'TRUNCATE'): void {
  try {
    writer.exec(`PRAGMA wal_checkpoint(${mode})`);
  } catch {}
}

function openReadOnly(file: string): DatabaseSync {
  const reader = new DatabaseSync(file, { readOnly: true });
  reader.exec(`PRAGMA cache_size = -${cache.reader}; PRAGMA temp_store = MEMORY`);
  return reader;
}

/** Milliseconds. Readers hardly ever wait: only while a process that was killed is cleared up after. */
const busyPatience = 5_000;

/** The data of a folder that belongs to another process, which has it open. */
export function openForReading(folder: string): ReadingDatabase {
  const reader = openReadOnly(join(folder, 'data.sqlite'));
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
          // Some failures have ended it already.
          if (reader.isTransaction) reader.exec('COMMIT');
        }
      } catch (error) {
        throw failureOf(error, folder);
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

/** What cannot be used is closed: on Windows, no file that is open can be moved away. */
function openConnection(file: string, prepare: (connection: DatabaseSync) => void): DatabaseSync {
  const connection = new DatabaseSync(file);
  try {
    prepare(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
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

function migrate(writer: DatabaseSync, folder: string): void {
  const { user_version } = writer.prepare('PRAGMA user_version').get() as { user_version: number };
  if (user_version > migrations.length) {
    const sentence = `The data in ${folder} was written by a newer version. Update, or choose another folder.`;
    throw new StorageFailure('newer', sentence);
  }
  writer.function('row_place', rowPlaceOf as (table: unknown, key: unknown) => number);
  for (const [index, migration] of migrations.entries()) {
    if (index < user_version) continue;
    writer.exec(`BEGIN IMMEDIATE; ${migration}; PRAGMA user_version = ${index + 1}; COMMIT`);
  }
}

/** Of a process with zstd; another one cannot read them. */
function refuseCompressed(writer: DatabaseSync, folder: string): void {
  if (writer.prepare('SELECT 1 FROM runs WHERE zstd IS NOT NULL LIMIT 1').get() === undefined) return;
  const sentence = `The data in ${folder} is compressed with zstd, which this version of Node does not have. Run the service with Node 22.16 or later, or choose another folder.`;
  throw new StorageFailure('newer', sentence);
}
