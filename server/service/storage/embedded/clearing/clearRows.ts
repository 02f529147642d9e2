/**
 * Deletes the current rows of a table. Rows are stored in the order in which they arrived, but their places are in the order of
 * random keys, so deleting rows in the order of the places would write the same pages again and again. Therefore rows are deleted
 * in their own order first. Other rows may then get the same ids before the places are deleted, so deletions always check the
 * table as well.
 */
import type { Database } from '../database.ts';
import type { Pieces } from '../pieces.ts';
import { placesOf } from '../rowKeys.ts';

/** The maximum numbers for one step. */
const atOnce = { places: 2_000, ids: 400, rows: 50 } as const;
/**
 * The maximum average distance between the ids of two rows of a table. If it is larger, rows are deleted one by one in the order
 * of their places.
 */
const widest = 16;

export async function clearRows(
  database: Database,
  table: number,
  pieces: Pieces,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { writing } = database;
  const deleteRange = writing.prepare(
    'DELETE FROM current_rows WHERE id BETWEEN ? AND ? AND source_table = ?',
  );
  const deleteSomeOf = (from: string, key: string) => {
    const some = `FROM ${from} WHERE place BETWEEN ? AND ? ORDER BY ${key} LIMIT ${atOnce.rows}`;
    const rows = writing.prepare(
      `DELETE FROM current_rows WHERE id IN (SELECT row ${some}) AND source_table = ?`,
    );
    const places = writing.prepare(`DELETE FROM ${from} WHERE (${key}) IN (SELECT ${key} ${some})`);
    return (): boolean => {
      rows.run(...placesOf(table), table);
      return places.run(...placesOf(table)).changes === atOnce.rows;
    };
  };
  const steps = [
    deleteSomeOf('displaced_rows', 'place, source_key'),
    deleteSomeOf('row_places', 'place'),
    deleteSomeOf('new_places', 'place'),
  ];
  const extent = await measureExtent(database, table, pieces, signal);
  if (extent.last - extent.first < widest * extent.rows) {
    let next = extent.first;
    await pieces.repeat(() => {
      deleteRange.run(next, next + atOnce.ids - 1, table);
      next += atOnce.ids;
      return next <= extent.last;
    }, signal);
  }
  for (const deleteSome of steps) await pieces.repeat(deleteSome, signal);
}

/** The range of the ids of a table's rows. */
interface Extent {
  first: number;
  last: number;
  rows: number;
}

async function measureExtent(
  { reading }: Database,
  table: number,
  pieces: Pieces,
  signal: AbortSignal | undefined,
): Promise<Extent> {
  const select = reading.prepareRows(
    `SELECT count(*), min(row), max(row), max(place) FROM (
       SELECT place, row FROM all_places WHERE place BETWEEN ? AND ? ORDER BY place LIMIT ${atOnce.places})`,
  );
  const extent = { first: Number.POSITIVE_INFINITY, last: 0, rows: 0 };
  let [from, to] = placesOf(table);
  const readSome = () => {
    const [rows, first, last, place] = select.get(from, to) as unknown as [number, number, number, number];
    if (rows === 0) return false;
    extent.first = Math.min(extent.first, first);
    extent.last = Math.max(extent.last, last);
    extent.rows += rows;
    from = place + 1;
    return rows === atOnce.places;
  };
  for (let goesOn = true; goesOn && !signal?.aborted; ) {
    await pieces.read((isOver) => {
      do goesOn = readSome();
      while (goesOn && !isOver());
    });
  }
  return extent;
}
