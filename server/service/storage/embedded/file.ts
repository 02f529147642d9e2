/** The file of the storage: its name, its version, and the settings of connections to it. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StorageFailure } from '../storageFailure.ts';
import { corruptFailure, failureOf, isPlainError } from './failures.ts';
import { defineRecordChecks, keepRecordChecks, renewRecordChecks } from './recordChecks.ts';
import { defineRowPlace, migrations } from './schema.ts';
import { checkSoundness, type Soundness } from './soundness.ts';

export const databaseName = 'data.sqlite';

/** Returns the path of SQLite's log. The first transaction creates the file, and closing the database deletes it. */
export function logOf(database: string): string {
  return `${database}-wal`;
}

/**
 * The size of a page in bytes. Trees of large pages have fewer levels, and are written a third faster than those with pages of 4
 * KiB.
 */
const pageSize = 16_384;
/**
 * The size of SQLite's log in bytes at which it is written back. More would not be written faster, and would block everything
 * else meanwhile. In a folder of an earlier version, which has smaller pages, it is less.
 */
const logSize = 16 * 2 ** 20;
/** The sizes of the caches in KiB. Other pages come from the cache of the operating system, which is nearly as fast. */
const cache = { writer: 16_384, reader: 4_096 } as const;

/** Opens the connection that writes, and applies all migrations. Throws if the file is corrupt or cannot be used. */
export function openWriter(folder: string, hasZstd: boolean): DatabaseSync {
  const file = join(folder, databaseName);
  return openConnection(file, (connection) => {
    migrate(connection, versionOf(connection, file, folder));
    if (!hasZstd) refuseCompressed(connection, folder);
    emptyLog(connection, folder);
  });
}

export function openReadOnly(file: string): DatabaseSync {
  const reader = new DatabaseSync(file, { readOnly: true });
  reader.exec(`PRAGMA cache_size = -${cache.reader}; PRAGMA temp_store = MEMORY`);
  return reader;
}

/** Creates a complete file and closes it again. */
export function createFile(file: string, fill: (connection: DatabaseSync) => void): void {
  openConnection(file, (connection) => {
    prepareFile(connection);
    // Waiting for the disk once is enough, when the file is closed.
    connection.exec('PRAGMA synchronous = OFF');
    migrate(connection, 0);
    connection.exec('BEGIN');
    fill(connection);
    connection.exec('COMMIT; PRAGMA synchronous = FULL');
  }).close();
}

/**
 * Returns the path of a file that exists from the time when the database turned out to be corrupt until the database has been
 * replaced.
 */
export function suspicionIn(folder: string): string {
  return join(folder, `${databaseName}-suspect`);
}

export function isSuspected(folder: string): boolean {
  return existsSync(suspicionIn(folder));
}

/** Makes the next start replace the database, even if this process is killed before it can do so. */
export function suspect(folder: string): void {
  try {
    writeFileSync(suspicionIn(folder), '');
  } catch {
    // The disk may be full or broken. In that case, the next start must find the damage again.
  }
}

/** Opens a connection. If it cannot be used, it is closed again, because Windows cannot rename an open file. */
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

function prepareFile(connection: DatabaseSync): void {
  // The following settings have an effect only before the first table is created.
  connection.exec(`PRAGMA page_size = ${pageSize}; PRAGMA auto_vacuum = INCREMENTAL`);
  connection.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -${cache.writer}`,
  );
  connection.exec(`PRAGMA wal_autocheckpoint = ${logSize / pageSize}; PRAGMA temp_store = MEMORY`);
  // This check is cheap, and finds some flipped bits before they are used.
  connection.exec('PRAGMA cell_size_check = ON');
}

/** Returns the version of the file. Throws if the file cannot be used. */
function versionOf(connection: DatabaseSync, file: string, folder: string): number {
  const soundness = soundnessOf(connection, file);
  switch (soundness.kind) {
    case 'sound':
      return soundness.version;
    case 'newer': {
      const sentence = `The data in ${folder} was written by a newer version. Update, or choose another folder.`;
      throw new StorageFailure('newer', sentence);
    }
    case 'foreign':
      throw new StorageFailure('other', `${file} is a database of another program. Choose another folder.`);
    case 'corrupt':
      throw corruptFailure(folder, { cause: new Error(soundness.found) });
  }
}

function soundnessOf(connection: DatabaseSync, file: string): Soundness {
  try {
    prepareFile(connection);
    return checkSoundness(connection, file);
  } catch (error) {
    // The statements above work in every sound file. SQLite has no specific code for some kinds of damage, such as an unknown
    // format of the file.
    if (!isPlainError(error)) throw error;
    return { kind: 'corrupt', found: error.message };
  }
}

function migrate(writer: DatabaseSync, found: number): void {
  defineRowPlace(writer);
  defineRecordChecks(writer);
  for (const [index, migration] of migrations.entries()) {
    if (index < found) continue;
    const version = index + 1;
    writer.exec(
      `BEGIN IMMEDIATE; ${migration}; PRAGMA user_version = ${version}; PRAGMA application_id = ${version}`,
    );
    renewRecordChecks(writer);
    writer.exec('COMMIT');
  }
  keepRecordChecks(writer);
}

/**
 * Writes the log of an earlier process back, because its last flush may have failed. On a full disk, there may be no space for it,
 * and stored data can still be served.
 */
function emptyLog(writer: DatabaseSync, folder: string): void {
  try {
    writer.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    const failure = failureOf(error, folder);
    if (!(failure instanceof StorageFailure && failure.kind === 'full')) throw error;
  }
}

/** Refuses a file that was written by a process with zstd, because a process without zstd cannot read its rows. */
function refuseCompressed(writer: DatabaseSync, folder: string): void {
  if (writer.prepare('SELECT 1 FROM runs WHERE zstd IS NOT NULL LIMIT 1').get() === undefined) return;
  const sentence = `The data in ${folder} is compressed with zstd, which this version of Node does not have. Run the service with Node 22.16 or later, or choose another folder.`;
  throw new StorageFailure('newer', sentence);
}
