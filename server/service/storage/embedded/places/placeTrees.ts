/**
 * The trees of places. New places are added to a small tree, which fits into the cache. When it is full, some places move to the
 * large tree in the order of places, so that a page of the large tree takes many places at a time, regardless of its size.
 *
 * 1. Each place is in only one of the trees.
 * 2. The size of the small tree, if it is known, does not include places that were inserted since places were last moved.
 * 3. Places move in their order, up to the last one and then again from the first. If the small tree is too large, more places
 *    move than were inserted, as far as there are any before the last one.
 */
import type { Database } from '../database.ts';
import { placesOf } from '../rowKeys.ts';

/** All methods run inside of transactions. */
export interface PlaceTrees {
  have(place: number): boolean;
  isEmpty(table: number): boolean;
  /** Returns false if the place is taken. */
  insert(place: number, row: number): boolean;
  give(place: number, row: number): void;
  /** Inserts free places. @param places a flat list of up to {@link givenTogether}: each place is followed by its row */
  giveAll(places: readonly number[]): void;
  remove(place: number): void;
  /** Called after places were inserted. Moves as many places to the large tree if the small tree is too large. */
  moveOn(): void;
  /** Called when the transaction was rolled back. */
  drop(): void;
}

/** The maximum number of places in the small tree, which then has about 10 MB. */
const mostNew = 700_000;
/** The number of places that one statement inserts. */
export const givenTogether = 16;
/** Move 25 % more places than were inserted, so that the backlog shrinks after a restart with different limits. */
const moreMoved = 1.25;

export function openPlaceTrees({ writing, onDoubt }: Database, most = mostNew): PlaceTrees {
  const isSettled = writing.prepareRows('SELECT 1 FROM row_places WHERE place = ?');
  const isThere = writing.prepareRows('SELECT 1 FROM all_places WHERE place = ?');
  const anyOf = writing.prepareRows('SELECT 1 FROM all_places WHERE place BETWEEN ? AND ? LIMIT 1');
  const give = writing.prepare('INSERT INTO new_places (place, row) VALUES (?, ?)');
  const giveMany = writing.prepare(
    `INSERT INTO new_places (place, row) VALUES ${Array(givenTogether).fill('(?, ?)').join()}`,
  );
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

  /** The size of the small tree. Undefined: it must be counted. */
  let size: number | undefined;
  let inserted = 0;
  let movedUpTo = -1;
  onDoubt(() => {
    size = undefined;
  });

  return {
    have: (place) => isThere.get(place) !== undefined,
    isEmpty: (table) => anyOf.get(...placesOf(table)) === undefined,
    insert: (place, row) => {
      if (isSettled.get(place) !== undefined) return false;
      try {
        give.get(place, row);
      } catch (error) {
        if (isTaken(error)) return false;
        throw error;
      }
      inserted += 1;
      return true;
    },
    give: (place, row) => {
      give.get(place, row);
    },
    giveAll: (places) => {
      if (places.length === 2 * givenTogether) giveMany.get(...places);
      else
        for (let at = 0; at < places.length; at += 2)
          give.get(places[at] as number, places[at + 1] as number);
      inserted += places.length / 2;
    },
    remove: (place) => {
      for (const each of removes) each.get(place);
    },
    moveOn: () => {
      if (inserted === 0) return;
      size = size === undefined ? (count.get() as unknown as [number])[0] : size + inserted;
      const wanted = Math.ceil(inserted * moreMoved);
      inserted = 0;
      if (size <= most) return;
      const [end, moved] = endOfSome.get(movedUpTo, wanted) as unknown as [number | null, number];
      if (end !== null) {
        copySome.get(movedUpTo, end);
        removeSome.get(movedUpTo, end);
      }
      const isEnd = moved < wanted;
      movedUpTo = isEnd || end === null ? -1 : end;
      size = isEnd ? undefined : size - moved;
    },
    drop: () => {
      inserted = 0;
    },
  };
}

/** The code is `SQLITE_CONSTRAINT_PRIMARYKEY`: https://www.sqlite.org/rescode.html */
function isTaken(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 1555;
}
