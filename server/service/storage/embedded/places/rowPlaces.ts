/**
 * The trees of places, see currentRows.ts. New places are added to a small tree, which fits into the cache. When it is full, some
 * places move to the large tree in the order of places, so that a page of the large tree takes many places at a time, regardless
 * of its size. Each place is in only one of the trees. The places of a copy wait until the copied rows become durable, so that a
 * page of the small tree also takes many places at a time.
 */
import type { Database } from '../database.ts';
import { placesOf, tableOfPlace } from '../rowKeys.ts';
import type { Backlog } from '../transactions.ts';
import { rememberPlaces, type SeenPlaces } from './seenPlaces.ts';
import { gatherPlaces, type WaitingPlaces } from './waitingPlaces.ts';

/** All methods run inside of transactions, which must not end before {@link Backlog.write}. */
export interface RowPlaces extends Backlog {
  /** Returns false if the place is taken. */
  insert(place: number, row: number): boolean;
  give(place: number, row: number): void;
  remove(place: number): void;
  /** If the place is waiting, writes all waiting places, so that the trees contain it. */
  settle(place: number): void;
  /** Whether the place is certainly free. False also means "unknown". */
  isKnownFree(place: number): boolean;
  /**
   * Called when the copy of a table begins. If the table has no rows yet, all new places are remembered, so that they need not be
   * looked up.
   */
  beginCopy(table: number): void;
  endCopy(table: number): void;
  /** Called after places were inserted. Moves as many places to the large tree if the small tree is too large. */
  moveOn(): void;
  /** Writes some of the waiting places. Returns whether there may be more. */
  writeSome(): boolean;
}

/** The maximum number of places in the small tree, which then has about 10 MB. */
const mostNew = 700_000;
/** The number of waiting places that one statement writes, and the number that is written before other work gets its turn. */
const written = { together: 16, atOnce: 2_000 } as const;
/** Move 25 % more places than were inserted, so that the backlog shrinks after a restart with different limits. */
const moreMoved = 1.25;

export function openRowPlaces({ writing, onDoubt }: Database, most = mostNew): RowPlaces {
  const isSettled = writing.prepareRows('SELECT 1 FROM row_places WHERE place = ?');
  const isThere = writing.prepareRows('SELECT 1 FROM all_places WHERE place = ?');
  const give = writing.prepare('INSERT INTO new_places (place, row) VALUES (?, ?)');
  const giveMany = writing.prepare(
    `INSERT INTO new_places (place, row) VALUES ${Array(written.together).fill('(?, ?)').join()}`,
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
  const anyOf = writing.prepareRows('SELECT 1 FROM all_places WHERE place BETWEEN ? AND ? LIMIT 1');

  const copies = new Map<number, 'from the beginning' | 'resumed'>();
  /** Present while a table is being copied. */
  let seen: SeenPlaces | undefined;
  let waiting: WaitingPlaces | undefined;
  /** The size of the small tree. Undefined: it must be counted. */
  let size: number | undefined;
  /** The number of places that were inserted since places were last moved. */
  let inserted = 0;
  let movedUpTo = -1;
  onDoubt(() => {
    size = undefined;
  });
  const isKnownFree = (place: number) =>
    seen !== undefined && copies.get(tableOfPlace(place)) === 'from the beginning' && !seen.has(place);
  const insertNow = (place: number, row: number): boolean => {
    if (isSettled.get(place) !== undefined) return false;
    try {
      give.get(place, row);
    } catch (error) {
      if (isTaken(error)) return false;
      throw error;
    }
    inserted += 1;
    return true;
  };
  const insertLater = (place: number, row: number, places: WaitingPlaces): boolean => {
    if (!isKnownFree(place) && (places.has(place) || isThere.get(place) !== undefined)) return false;
    if (places.add(place, row)) return true;
    write();
    return places.add(place, row);
  };
  const moveOn = (): void => {
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
  };
  const writeSome = (): boolean => {
    for (let more = waiting?.take(written.together) ?? []; more.length > 0; ) {
      if (more.length === 2 * written.together) giveMany.get(...more);
      else for (let at = 0; at < more.length; at += 2) give.get(more[at] as number, more[at + 1] as number);
      inserted += more.length / 2;
      if (inserted >= written.atOnce) {
        moveOn();
        return true;
      }
      more = waiting?.take(written.together) ?? [];
    }
    moveOn();
    return false;
  };
  const write = (): void => {
    while (writeSome());
  };

  return {
    isKnownFree,
    insert: (place, row) => {
      const isNew =
        waiting !== undefined && copies.has(tableOfPlace(place))
          ? insertLater(place, row, waiting)
          : insertNow(place, row);
      if (isNew) seen?.add(place);
      return isNew;
    },
    give: (place, row) => {
      give.get(place, row);
    },
    remove: (place) => {
      for (const each of removes) each.get(place);
    },
    settle: (place) => {
      if (waiting?.has(place)) write();
    },
    beginCopy: (table) => {
      if (copies.has(table)) return;
      copies.set(table, anyOf.get(...placesOf(table)) === undefined ? 'from the beginning' : 'resumed');
      seen ??= rememberPlaces();
      waiting ??= gatherPlaces();
    },
    endCopy: (table) => {
      if (!copies.delete(table)) return;
      write();
      if (copies.size > 0) return;
      seen = undefined;
      waiting = undefined;
    },
    moveOn,
    writeSome,
    write,
    drop: () => {
      inserted = 0;
      waiting?.clear();
    },
  };
}

/** The code is `SQLITE_CONSTRAINT_PRIMARYKEY`: https://www.sqlite.org/rescode.html */
function isTaken(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 1555;
}
