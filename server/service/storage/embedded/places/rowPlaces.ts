/**
 * The trees of places, see currentRows.ts. New places go into a small tree of their own, which the cache holds. Where it is
 * full, some go on into the large tree, in the order of places: so a page of that takes many at a time, however large it is.
 * A place is in one of both.
 */
import type { Database } from '../database.ts';
import { placesOf, tableOfPlace } from '../rowKeys.ts';
import { rememberPlaces, type SeenPlaces } from './seenPlaces.ts';

/** All inside of transactions. */
export interface RowPlaces {
  /** Of a row that was just inserted. Returns false if the place is taken. */
  insert(place: number): boolean;
  give(place: number, row: number): void;
  remove(place: number): void;
  /** True only if nothing is at the place. */
  isKnownFree(place: number): boolean;
  /** Rows of the table are copied. If none is there yet, all that come are remembered, and need not be looked for. */
  beginCopy(table: number): void;
  endCopy(table: number): void;
  /** After some were inserted: as many go on if there are too many. */
  moveOn(inserted: number): void;
}

/** Places in the small tree: some 10 MB. */
const mostNew = 700_000;
/** More are moved than are inserted, so that there are fewer again after a restart with other limits. */
const moreMoved = 1.25;

export function openRowPlaces({ writing, onDoubt }: Database, most = mostNew): RowPlaces {
  const isSettled = writing.prepareRows('SELECT 1 FROM row_places WHERE place = ?');
  const insert = writing.prepare('INSERT INTO new_places (place, row) VALUES (?, last_insert_rowid())');
  const give = writing.prepare('INSERT INTO new_places (place, row) VALUES (?, ?)');
  const removes = ['new_places', 'row_places'].map((tree) =>
    writing.prepare(`DELETE FROM ${tree} WHERE place = ?`),
  );
  const count = writing.prepareRows('SELECT count(*) FROM new_places');
  const endOfSome = writing.prepareRows(
    'SELECT max(place), count(*) FROM (SELECT place FROM new_places WHERE place > ? ORDER BY place LIMIT ?)',
  );
  const copySome = writing.prepare(
    'INSERT INTO row_places (place, row) SELECT place, row FROM new_places WHERE place > ? AND place <= ? ORDER BY place',
  );
  const removeSome = writing.prepare('DELETE FROM new_places WHERE place > ? AND place <= ?');
  const anyOf = writing.prepareRows('SELECT 1 FROM all_places WHERE place BETWEEN ? AND ? LIMIT 1');

  const copies = new Map<number, 'from the beginning' | 'resumed'>();
  let seen: SeenPlaces | undefined;
  /** Undefined: has to be counted. */
  let size: number | undefined;
  let movedUpTo = -1;
  onDoubt(() => {
    size = undefined;
  });
  const isKnownFree = (place: number) =>
    seen !== undefined && copies.get(tableOfPlace(place)) === 'from the beginning' && !seen.has(place);

  return {
    isKnownFree,
    insert: (place) => {
      if (!isKnownFree(place) && isSettled.get(place) !== undefined) return false;
      try {
        insert.get(place);
      } catch (error) {
        if (isTaken(error)) return false;
        throw error;
      }
      seen?.add(place);
      return true;
    },
    give: (place, row) => {
      give.get(place, row);
    },
    remove: (place) => {
      for (const each of removes) each.get(place);
    },
    beginCopy: (table) => {
      if (copies.has(table)) return;
      copies.set(table, anyOf.get(...placesOf(table)) === undefined ? 'from the beginning' : 'resumed');
      seen ??= rememberPlaces();
    },
    endCopy: (table) => {
      copies.delete(table);
      if (copies.size === 0) seen = undefined;
    },
    moveOn: (inserted) => {
      size = size === undefined ? (count.get() as unknown as [number])[0] : size + inserted;
      if (size <= most) return;
      const wanted = Math.ceil(inserted * moreMoved);
      const [end, moved] = endOfSome.get(movedUpTo, wanted) as unknown as [number | null, number];
      if (end !== null) {
        copySome.get(movedUpTo, end);
        removeSome.get(movedUpTo, end);
      }
      const isEnd = moved < wanted;
      movedUpTo = isEnd || end === null ? -1 : end;
      size = isEnd ? undefined : size - moved;
    },
  };
}

/** `SQLITE_CONSTRAINT_PRIMARYKEY`: https://www.sqlite.org/rescode.html */
function isTaken(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 1555;
}
