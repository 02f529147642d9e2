import { readLists, writeLists } from '../rowLists.ts';
import type { CurrentRow } from '../storage.ts';
import type { Database } from './database.ts';

/** What is known of the rows of source tables; all inside of transactions. */
export interface CurrentRows {
  get(table: number, key: string): CurrentRow | undefined;
  some(table: number, limit: number): readonly CurrentRow[];
  put(table: number, key: Uint8Array, row: Omit<CurrentRow, 'key'>): void;
  /** Returns whether it was new; otherwise nothing has happened. */
  insert(table: number, key: Uint8Array, row: Omit<CurrentRow, 'key'>): boolean;
  delete(table: number, key: Uint8Array): void;
}

export function openCurrentRows({ writing }: Database): CurrentRows {
  const columns = 'source_key, lists, row_values FROM current_rows WHERE source_table = ?';
  const select = writing.prepareRows(`SELECT ${columns} AND source_key = ?`);
  const selectSome = writing.prepareRows(`SELECT ${columns} LIMIT ?`);
  const intoRows =
    'INSERT INTO current_rows (source_table, source_key, lists, row_values) VALUES (?, ?, ?, ?)';
  const insert = writing.prepare(intoRows);
  const upsert = writing.prepare(
    `${intoRows}
     ON CONFLICT (source_table, source_key) DO UPDATE SET lists = excluded.lists, row_values = excluded.row_values`,
  );
  const remove = writing.prepare('DELETE FROM current_rows WHERE source_table = ? AND source_key = ?');
  return {
    get: (table, key) => {
      const row = select.get(table, bytesOfKey(key));
      return row && currentRowOf(row);
    },
    some: (table, limit) => selectSome.all(table, limit).map(currentRowOf),
    put: (table, key, row) => {
      upsert.get(table, key, writeLists(row), row.values ?? null);
    },
    insert: (table, key, row) => {
      try {
        insert.get(table, key, writeLists(row), row.values ?? null);
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    },
    delete: (table, key) => {
      remove.get(table, key);
    },
  };
}

/** `SQLITE_CONSTRAINT_UNIQUE`: https://www.sqlite.org/rescode.html */
function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 2067;
}

/** 16 bytes of a UUID: a third of its text. They hold until the next call: a statement copies what it is given. */
export function bytesOfKey(uuid: string): Uint8Array {
  for (let index = 0, at = 0; index < keyBytes.length; index += 1, at += 2) {
    if (uuid.charCodeAt(at) === HYPHEN) at += 1;
    keyBytes[index] =
      ((digits[uuid.charCodeAt(at)] as number) << 4) | (digits[uuid.charCodeAt(at + 1)] as number);
  }
  return keyBytes;
}

const keyBytes = new Uint8Array(16);
const HYPHEN = 0x2d;

/** By the code of their character. */
const digits = new Uint8Array(128);
for (const digit of '0123456789abcdefABCDEF') digits[digit.charCodeAt(0)] = Number.parseInt(digit, 16);

export function keyOfBytes(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return parts.join('-');
}

function currentRowOf(row: unknown): CurrentRow {
  const [key, text, values] = row as readonly [Uint8Array, string, Uint8Array | null];
  return {
    key: keyOfBytes(key),
    values: values ?? undefined,
    ...readLists(text),
  };
}
