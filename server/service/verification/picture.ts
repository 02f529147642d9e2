/**
 * The stored data of each row, and the rows that the source has, in a separate temporary database. SQLite keeps it in a temporary
 * file if it is larger than a few megabytes, and removes the file when the database is closed.
 */
import { DatabaseSync } from 'node:sqlite';

export interface Picture {
  put(entry: RowEntry): void;
  remove(entry: Omit<RowEntry, 'sum'>): void;
  /** Removes all rows of a bucket. */
  clear(bucket: number): void;
  entriesOf(table: number, key: string): readonly PictureEntry[];
  /** Notes that the source has the row. */
  see(key: string): void;
  isSeen(key: string): boolean;
  /** Returns the stored rows of a table that were not seen in the source, in the order of their keys. */
  unseen(table: number, after: string, limit: number): readonly string[];
  /** Forgets the seen rows before the next table. */
  forgetSeen(): void;
  close(): void;
}

/** A row in a bucket, or a lookup from a row. */
export interface PictureEntry {
  /** The number of the bucket. For lookups, it is {@link lookupsBucket}. */
  readonly bucket: number;
  /** Type and id as JSON, or the lookup. */
  readonly place: string;
  /** The checksum of the content. */
  readonly sum: number;
}

interface RowEntry extends PictureEntry {
  readonly table: number;
  readonly key: string;
}

export const lookupsBucket = 0;

export function openPicture(): Picture {
  const database = new DatabaseSync('');
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -8192');
  database.exec(`
    CREATE TABLE stored (
      source_table INTEGER, source_key TEXT, bucket INTEGER, place TEXT, sum INTEGER,
      PRIMARY KEY (source_table, source_key, bucket, place)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE seen (source_key TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
    BEGIN`);
  const put = database.prepare('INSERT OR REPLACE INTO stored VALUES (?, ?, ?, ?, ?)');
  const remove = database.prepare(
    'DELETE FROM stored WHERE source_table = ? AND source_key = ? AND bucket = ? AND place = ?',
  );
  const clear = database.prepare('DELETE FROM stored WHERE bucket = ?');
  const entries = database.prepare(
    'SELECT bucket, place, sum FROM stored WHERE source_table = ? AND source_key = ?',
  );
  const see = database.prepare('INSERT OR IGNORE INTO seen VALUES (?)');
  const isSeen = database.prepare('SELECT 1 FROM seen WHERE source_key = ?');
  const unseen = database.prepare(
    `SELECT DISTINCT source_key AS key FROM stored WHERE source_table = ? AND source_key > ?
     AND NOT EXISTS (SELECT 1 FROM seen WHERE seen.source_key = stored.source_key)
     ORDER BY source_key LIMIT ?`,
  );
  return {
    put: ({ table, key, bucket, place, sum }) => void put.run(table, key, bucket, place, sum),
    remove: ({ table, key, bucket, place }) => void remove.run(table, key, bucket, place),
    clear: (bucket) => void clear.run(bucket),
    entriesOf: (table, key) => entries.all(table, key) as unknown as readonly PictureEntry[],
    see: (key) => void see.run(key),
    isSeen: (key) => isSeen.get(key) !== undefined,
    unseen: (table, after, limit) => unseen.all(table, after, limit).map(({ key }) => String(key)),
    forgetSeen: () => database.exec('DELETE FROM seen'),
    close: () => database.close(),
  };
}
