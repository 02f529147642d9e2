/** Counts the stored rows of small tables, in the embedded storage. */
import type { Storage } from '../storage.ts';
import type { Database } from './database.ts';
import { placesOf } from './rowKeys.ts';

type CountRows = (...asked: Parameters<Storage['countRows']>) => Awaited<ReturnType<Storage['countRows']>>;

/** Reads the trees of places, which are small, and not the rows. */
export function openRowCounts({ reading }: Database): CountRows {
  const tables = reading.prepareRows('SELECT id, schema_name, name FROM tables WHERE deployment = ?');
  const counting = reading.prepareRows(
    `SELECT (SELECT count(*) FROM (SELECT 1 FROM all_places WHERE place BETWEEN ? AND ? LIMIT ?))
       + (SELECT count(*) FROM (SELECT 1 FROM displaced_rows WHERE place BETWEEN ? AND ? LIMIT ?))`,
  );
  const countOf = (table: number, most: number): number => {
    const places = placesOf(table);
    const [rows = 0] = counting.get(...places, most + 1, ...places, most + 1) as unknown as readonly number[];
    return rows;
  };
  return (deployment, most) => {
    const found = tables.all(deployment) as unknown as readonly (readonly [number, string, string])[];
    return found
      .map(([id, schema, name]) => ({ schema, name, rows: countOf(id, most) }))
      .filter(({ rows }) => rows <= most);
  };
}
