import type {
  CurrentRow,
  LookupSize,
  StoredBucket,
  StoredContents,
  StoredLookup,
  StoredTable,
} from '../storage.ts';
import { damagedRow } from '../storageFailure.ts';
import { tableOf } from '../tableRows.ts';
import { noValueSets } from '../valueSets.ts';
import { type RowColumns, rowColumns, rowReader } from './currentRows.ts';
import { type Database, readInTurn } from './database.ts';
import { bytesOfKey, keyOfBytes, placesOf, rowPlaceOf } from './rowKeys.ts';
import { checkOfLookup, isSound } from './runs/checks.ts';
import type { Check } from './runs/columns.ts';

/** The number of rows in one answer, which takes some milliseconds. */
const atOnce = 1_000;
/** The number of lookup keys in one answer, because a key may have very many entries. */
const keysAtOnce = 100;

export function openStored(
  database: Database,
  deployment: number,
  nameOf: (bucket: number) => string,
): StoredContents {
  const { reading } = database;
  const tables = reading.prepare('SELECT * FROM tables WHERE deployment = ? ORDER BY id');
  const buckets = reading.prepare(
    `SELECT id, name FROM buckets WHERE deployment = ? AND id > ? ORDER BY id LIMIT ${atOnce}`,
  );
  const currentRowOf = rowReader(nameOf);
  const placed = `SELECT ${rowColumns}, place FROM all_places JOIN current_rows ON id = row`;
  const displaced = `SELECT ${rowColumns}, place FROM displaced_rows JOIN current_rows ON id = row`;
  const placedFrom = reading.prepareRows(
    `${placed} WHERE place BETWEEN ? AND ? ORDER BY place LIMIT ${atOnce}`,
  );
  const displacedIn = reading.prepareRows(`${displaced} WHERE place BETWEEN ? AND ?`);
  const placedAt = reading.prepareRows(`${placed} WHERE place = ?`);
  const displacedAt = reading.prepareRows(`${displaced} WHERE place = ? AND displaced_rows.source_key = ?`);
  const entry = 'lookup, source_table, source_key, op_id, result, "check"';
  const lookups = reading.prepareRows(
    `SELECT ${entry} FROM lookups
     WHERE deployment = ? AND (lookup, source_table, source_key, op_id) > (?, ?, ?, ?) AND op_id <= ?
     ORDER BY lookup, source_table, source_key, op_id LIMIT ${atOnce}`,
  );
  // A subquery would make SQLite read beyond the end of the page.
  const lookupSizes = reading.prepareRows(
    `SELECT lookup, sum(json_array_length(result)), max(json_array_length(result)), count(DISTINCT result)
     FROM lookups AS entry
     WHERE deployment = ? AND lookup > ? AND op_id <= ? AND result <> '${noValueSets}' AND NOT EXISTS (
       SELECT 1 FROM lookups AS later WHERE later.deployment = entry.deployment AND later.lookup = entry.lookup
         AND later.source_table = entry.source_table AND later.source_key = entry.source_key
         AND later.op_id > entry.op_id AND later.op_id <= ?)
     GROUP BY lookup ORDER BY lookup LIMIT ${keysAtOnce}`,
  );
  const latestOf = reading.prepareRows(
    `SELECT ${entry} FROM lookups
     WHERE deployment = ? AND lookup = ? AND source_table = ? AND source_key = ? AND op_id <= ?
     ORDER BY op_id DESC LIMIT 1`,
  );

  const rowsAfter = (table: number, key: string | undefined): readonly CurrentRow[] => {
    const [first, last] = placesOf(table);
    // Keys with the same place follow each other in their order.
    const from = key === undefined ? first : rowPlaceOf(table, bytesOfKey(key));
    const some = placedFrom.all(from, last) as unknown as readonly PlacedRow[];
    const isEnd = some.length < atOnce;
    const to = isEnd ? last : (some.at(-1) as PlacedRow)[6];
    return [...some, ...(displacedIn.all(from, to) as unknown as readonly PlacedRow[])]
      .map(currentRowOf)
      .filter((row) => key === undefined || row.key > key)
      .sort((one, other) => (one.key < other.key ? -1 : 1));
  };
  const currentRow = (table: number, key: string): CurrentRow | undefined => {
    const bytes = bytesOfKey(key);
    const place = rowPlaceOf(table, bytes);
    const there = placedAt.get(place) as unknown as PlacedRow | undefined;
    const row = there && currentRowOf(there);
    if (row === undefined || row.key === key) return row;
    const other = displacedAt.get(place, bytesOfKey(key));
    return other === undefined ? undefined : currentRowOf(other);
  };
  const lookupsAfter = (checkpoint: number, after: StoredLookup | undefined): readonly StoredLookup[] => {
    const { lookup, table, opId } = after ?? { lookup: '', table: 0, opId: 0 };
    const key = after === undefined ? noKey : bytesOfKey(after.key);
    const rows = lookups.all(deployment, lookup, table, key, opId, checkpoint);
    return rows.map(lookupOf);
  };

  const lookupSizesAfter = (checkpoint: number, lookup: string | undefined): readonly LookupSize[] => {
    const rows = lookupSizes.all(deployment, lookup ?? '', checkpoint, checkpoint);
    return (rows as unknown as readonly LookupSums[]).map(([key, values, most, results]) => ({
      lookup: key,
      values,
      distinct: most > 1 ? values : results,
    }));
  };

  return {
    tables: () => readInTurn(database, () => tables.all(deployment).map(tableOf) as StoredTable[]),
    bucketsAfter: (bucket) =>
      readInTurn(database, () => buckets.all(deployment, bucket) as unknown as StoredBucket[]),
    rowsAfter: (table, key) => readInTurn(database, () => rowsAfter(table, key)),
    currentRows: (table, keys) => readInTurn(database, () => keys.map((key) => currentRow(table, key))),
    lookupsAfter: (checkpoint, after) => readInTurn(database, () => lookupsAfter(checkpoint, after)),
    lookupSizesAfter: (checkpoint, lookup) =>
      readInTurn(database, () => lookupSizesAfter(checkpoint, lookup)),
    lookupsOf: (checkpoint, wanted) =>
      readInTurn(database, () =>
        wanted.flatMap(({ lookup, table, key }) => {
          const found = latestOf.get(deployment, lookup, table, bytesOfKey(key), checkpoint);
          return found === undefined ? [] : [lookupOf(found)];
        }),
      ),
  };
}

const noKey = new Uint8Array(0);

type PlacedRow = readonly [...RowColumns, place: number];

/** `most`: the maximum number of values of one row. `results`: the number of distinct results. */
type LookupSums = readonly [lookup: string, values: number, most: number, results: number];

type LookupColumns = readonly [
  lookup: string,
  table: number,
  key: Uint8Array,
  opId: number,
  result: string,
  check: Check,
];

function lookupOf(row: unknown): StoredLookup {
  const [lookup, table, key, opId, result, check] = row as LookupColumns;
  if (!isSound(check, checkOfLookup(lookup, table, key, opId, result)))
    throw damagedRow(`the lookup ${lookup}`);
  return { lookup, table, key: keyOfBytes(key), opId, result };
}
