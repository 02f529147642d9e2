/**
 * The current rows of source tables. A row is found by its place, a number made of its table and the first bytes of its key. Keys
 * are random, so writes are scattered over the entire tree of places; a tree of keys would be twice as large. If several rows
 * have the same place, the later ones are stored separately until the place is free. For the trees of places, see rowPlaces.ts.
 */

import { readLists } from '../rowLists.ts';
import type { CurrentRow } from '../storage.ts';
import { damagedRow } from '../storageFailure.ts';
import type { WrittenBuckets } from './buckets.ts';
import type { Database } from './database.ts';
import { packLists, unpackLists } from './lists/packedLists.ts';
import { openRowPlaces, type RowPlaces } from './places/rowPlaces.ts';
import { bytesOfKey, keyOfBytes, placesOf, rowPlaceOf } from './rowKeys.ts';
import { checkOfRow, isSound } from './runs/checks.ts';
import type { Check } from './runs/columns.ts';

/** All methods run inside of transactions. */
export interface CurrentRows
  extends Pick<RowPlaces, 'beginCopy' | 'endCopy' | 'moveOn' | 'writeSome' | 'write' | 'drop'> {
  /** Called at the beginning, because other writers may have written in the meantime. */
  begin(): void;
  get(table: number, key: string): CurrentRow | undefined;
  /** Returns up to `limit` rows; an empty result means that the table has no rows left. */
  some(table: number, limit: number): readonly CurrentRow[];
  put(table: number, key: Uint8Array, row: Omit<CurrentRow, 'key'>): void;
  /** Returns whether the row was new; otherwise, nothing has changed. */
  insert(table: number, key: Uint8Array, row: Omit<CurrentRow, 'key'>): boolean;
  delete(table: number, key: Uint8Array): void;
}

/** The place of a row. */
interface RowPlace {
  readonly id: number;
  readonly isDisplaced: boolean;
}

const placed = 'all_places JOIN current_rows ON id = row';

/** @param mostNew the maximum number of places in the small tree */
export function openCurrentRows(database: Database, buckets: WrittenBuckets, mostNew?: number): CurrentRows {
  const { writing } = database;
  const places = openRowPlaces(database, mostNew);
  const selectPlaced = writing.prepareRows(`SELECT id, source_key FROM ${placed} WHERE place = ?`);
  const selectDisplaced = writing.prepareRows(
    'SELECT row FROM displaced_rows WHERE place = ? AND source_key = ?',
  );
  const select = writing.prepareRows(`SELECT ${rowColumns} FROM current_rows WHERE id = ?`);
  const selectAt = writing.prepareRows(`SELECT ${rowColumns} FROM ${placed} WHERE place = ?`);
  const insertRow = writing.prepare(
    `INSERT INTO current_rows (id, source_table, source_key, lists, packed, row_values, "check")
     VALUES (?, ?, ?, '', ?, ?, ?)`,
  );
  const selectLast = writing.prepareRows('SELECT coalesce(max(id), 0) FROM current_rows');
  const displace = writing.prepare('INSERT INTO displaced_rows (place, source_key, row) VALUES (?, ?, ?)');
  // Most changes leave a row where it is, so no page has to be written for it.
  const update = writing.prepare(
    `UPDATE current_rows SET lists = '', packed = ?, row_values = ?, "check" = ?
     WHERE id = ? AND (packed IS NOT ? OR row_values IS NOT ? OR "check" IS NOT ?)`,
  );
  const removeRow = writing.prepare('DELETE FROM current_rows WHERE id = ?');
  const removeDisplaced = writing.prepare('DELETE FROM displaced_rows WHERE place = ? AND row = ?');
  const nextDisplaced = writing.prepareRows('SELECT row FROM displaced_rows WHERE place = ? LIMIT 1');
  const currentRowOf = rowReader(buckets.nameOf);
  const findDisplaced = (place: number, key: Uint8Array): number | undefined => {
    const [id] = (selectDisplaced.get(place, key) ?? []) as unknown as readonly [number?];
    return id;
  };
  /** The id of the last row. Undefined: it must be read. */
  let last: number | undefined;
  const some = openSomeRows(writing, places);
  const find = (place: number, key: Uint8Array): RowPlace | undefined => {
    places.settle(place);
    const there = selectPlaced.get(place) as unknown as readonly [number, Uint8Array] | undefined;
    if (there === undefined) return undefined;
    if (Buffer.compare(there[1], key) === 0) return { id: there[0], isDisplaced: false };
    const id = findDisplaced(place, key);
    return id === undefined ? undefined : { id, isDisplaced: true };
  };
  const insert: CurrentRows['insert'] = (table, key, row) => {
    last ??= (selectLast.get() as unknown as [number])[0];
    const id = last + 1;
    const place = rowPlaceOf(table, key);
    const isPlaced = places.insert(place, id);
    if (!isPlaced && find(place, key) !== undefined) return false;
    const lists = packLists(row, buckets.give);
    const values = row.values ?? null;
    insertRow.get(id, table, key, lists, values, checkOfRow(table, key, lists, values));
    if (!isPlaced) displace.get(place, key, id);
    last = id;
    return true;
  };

  return {
    beginCopy: places.beginCopy,
    endCopy: places.endCopy,
    moveOn: places.moveOn,
    writeSome: places.writeSome,
    write: places.write,
    drop: places.drop,
    begin: () => {
      last = undefined;
    },
    get: (table, key) => {
      const bytes = bytesOfKey(key);
      const place = rowPlaceOf(table, bytes);
      if (places.isKnownFree(place)) return undefined;
      places.settle(place);
      const there = selectAt.get(place) as unknown as RowColumns | undefined;
      if (there === undefined) return undefined;
      const row = currentRowOf(there);
      if (Buffer.compare(there[0], bytes) === 0) return row;
      const id = findDisplaced(place, bytes);
      return id === undefined ? undefined : currentRowOf(select.get(id));
    },
    some: (table, limit) => some(table, limit).map(currentRowOf),
    put: (table, key, row) => {
      const place = rowPlaceOf(table, key);
      const found = places.isKnownFree(place) ? undefined : find(place, key);
      if (found === undefined) {
        insert(table, key, row);
        return;
      }
      const lists = packLists(row, buckets.give);
      const values = row.values ?? null;
      const written = [lists, values, checkOfRow(table, key, lists, values)] as const;
      update.get(...written, found.id, ...written);
    },
    insert,
    delete: (table, key) => {
      const place = rowPlaceOf(table, key);
      const found = find(place, key);
      if (found === undefined) return;
      removeRow.get(found.id);
      if (found.isDisplaced) {
        removeDisplaced.get(place, found.id);
        return;
      }
      places.remove(place);
      const [next] = (nextDisplaced.get(place) ?? []) as unknown as readonly [number?];
      if (next === undefined) return;
      places.give(place, next);
      removeDisplaced.get(place, next);
    },
  };
}

/** Returns a reader of some rows of a table, which the caller removes. */
function openSomeRows(
  writing: Database['writing'],
  places: RowPlaces,
): (table: number, limit: number) => readonly RowColumns[] {
  const selectNext = writing.prepareRows(
    `SELECT ${rowColumns}, id FROM current_rows WHERE id > ? AND source_table = ? ORDER BY id LIMIT ?`,
  );
  const selectRest = writing.prepareRows(
    `SELECT ${rowColumns} FROM ${placed} WHERE place BETWEEN ? AND ? LIMIT ?`,
  );
  /** The ids up to which the rows of each table have been returned. */
  const passed = new Map<number, number>();
  return (table, limit) => {
    places.write();
    // Rows are stored in the order of their ids, so removing them in this order changes few pages.
    const next = selectNext.all(passed.get(table) ?? 0, table, limit) as unknown as readonly RowColumns[];
    const [id] = (next.at(-1) ?? []).slice(-1);
    if (typeof id === 'number') {
      passed.set(table, id);
      return next;
    }
    passed.delete(table);
    // If the removal of some rows was rolled back, they are found by their places.
    return selectRest.all(...placesOf(table), limit) as unknown as readonly RowColumns[];
  };
}

/** The columns of {@link RowColumns}. */
export const rowColumns =
  'current_rows.source_key, lists, packed, row_values, current_rows.source_table, current_rows."check"';

export type RowColumns = readonly [
  key: Uint8Array,
  /** The lists of a row that an earlier version has written; empty if they are packed. */
  lists: string,
  packed: Uint8Array | null,
  values: Uint8Array | null,
  table: number,
  check: Check,
];

/** Returns a reader of rows that begin with these columns. */
export function rowReader(nameOf: WrittenBuckets['nameOf']): (row: unknown) => CurrentRow {
  return (row) => {
    const [key, text, packed, values, table, check] = row as RowColumns;
    if (!isSound(check, checkOfRow(table, key, packed ?? text, values)))
      throw damagedRow(`row ${keyOfBytes(key)} of table ${table}`);
    return {
      key: keyOfBytes(key),
      values: values ?? undefined,
      ...(packed === null ? readLists(text) : unpackLists(packed, nameOf)),
    };
  };
}
