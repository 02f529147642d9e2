/**
 * The places of rows, see currentRows.ts.
 *
 * 1. A place is taken if it is in a tree or waits for one.
 * 2. Only places of tables that are being copied wait. They are written before their transaction becomes durable, so that a page
 *    of the small tree takes many places at a time.
 * 3. While a table is copied that was empty at first, each of its places is remembered.
 */
import type { Database } from '../database.ts';
import { tableOfPlace } from '../rowKeys.ts';
import type { Backlog } from '../transactions.ts';
import { givenTogether, openPlaceTrees, type PlaceTrees } from './placeTrees.ts';
import { rememberPlaces, type SeenPlaces } from './seenPlaces.ts';
import { gatherPlaces, type WaitingPlaces } from './waitingPlaces.ts';

/** All methods run inside of transactions, which must not end before {@link Backlog.write}. */
export interface RowPlaces extends Backlog, Pick<PlaceTrees, 'give' | 'remove' | 'moveOn'> {
  /** Returns false if the place is taken. */
  insert(place: number, row: number): boolean;
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
  /** Writes some of the waiting places. Returns whether there may be more. */
  writeSome(): boolean;
}

/** The number of waiting places that is written before other work gets its turn. */
const writtenAtOnce = 2_000;

/** @param mostNew the maximum number of places in the small tree */
export function openRowPlaces(database: Database, mostNew?: number): RowPlaces {
  const trees = openPlaceTrees(database, mostNew);
  const copies = new Map<number, 'from the beginning' | 'resumed'>();
  /** Present while a table is being copied. */
  let seen: SeenPlaces | undefined;
  let waiting: WaitingPlaces | undefined;

  const isKnownFree = (place: number) =>
    seen !== undefined && copies.get(tableOfPlace(place)) === 'from the beginning' && !seen.has(place);
  const insertLater = (place: number, row: number, places: WaitingPlaces): boolean => {
    if (!isKnownFree(place) && (places.has(place) || trees.have(place))) return false;
    if (places.add(place, row)) return true;
    write();
    return places.add(place, row);
  };
  const writeSome = (): boolean => {
    let count = 0;
    while (count < writtenAtOnce) {
      const more = waiting?.take(givenTogether) ?? [];
      if (more.length === 0) break;
      trees.giveAll(more);
      count += more.length / 2;
    }
    trees.moveOn();
    return count >= writtenAtOnce;
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
          : trees.insert(place, row);
      if (isNew) seen?.add(place);
      return isNew;
    },
    give: trees.give,
    remove: trees.remove,
    moveOn: trees.moveOn,
    settle: (place) => {
      if (waiting?.has(place)) write();
    },
    beginCopy: (table) => {
      if (copies.has(table)) return;
      copies.set(table, trees.isEmpty(table) ? 'from the beginning' : 'resumed');
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
    writeSome,
    write,
    drop: () => {
      trees.drop();
      waiting?.clear();
    },
  };
}
