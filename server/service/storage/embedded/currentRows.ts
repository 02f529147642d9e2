import { readLists, writeLists } from '../rowLists.ts';
import type { CurrentRow } from '../storage.ts';
import type { Database } from './database.ts';

/** What is known of the rows of source tables; all inside of transactions. */
export interface CurrentRows {
  get(table: number, key: string): CurrentRow | undefined;
  some(table: number, limit: number): readonly CurrentRow[];
  put(table: number, key: Uint8Array, row: Omit<CurrentRow, 'key'>): void;
  delete(table: number, key: Uint8Array): void;
}

export function openCurrentRows({ writing }: Database): CurrentRows {
  const columns = 'source_key, lists, row_values FROM current_rows WHERE source_table = ?';
  const select = writing.prepareRows(`SELECT ${columns} AND source_key = ?`);
  const selectSome = writing.prepareRows(`SELECT ${columns} LIMIT ?`);
  const upsert = writing.prepare(
    `INSERT INTO current_rows (source_table, source_key, lists, row_values) VALUES (?, ?, ?, ?)
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
      upsert.run(table, key, writeLists(row), row.values ?? null);
    },
    delete: (table, key) => {
      remove.run(table, key);
    },
  };
}

/** 16 bytes of a UUID: a third of its text. */
export function bytesOfKey(uuid: string): Uint8Array {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

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
