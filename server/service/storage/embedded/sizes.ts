import type { StorageSizes } from '../storage.ts';
import type { Database } from './database.ts';

/** The number of rows whose average size is used for all rows. */
const sample = 1_000;
/** The size of a row and its index entries in bytes, without its texts. */
const rowBytes = 50;

/** Returns the number of rows times the average size of the rows at both ends. */
export function openSizes({ reading }: Database): () => StorageSizes {
  const statement = (table: string, bytes: string, key: string) => {
    const ends = ['', ' DESC'].map(
      (order) =>
        `SELECT * FROM (SELECT ${bytes} AS bytes FROM ${table} ORDER BY ${key}${order} LIMIT ${sample})`,
    );
    return reading.prepareRows(
      `SELECT (SELECT count(*) FROM ${table}) * (${rowBytes} + avg(bytes)) FROM (${ends.join(' UNION ALL ')})`,
    );
  };
  const current = statement(
    'current_rows',
    'length(lists) + coalesce(length(packed), 0) + coalesce(length(row_values), 0)',
    'id',
  );
  const operations = statement(
    'runs',
    'octet_length(json) + coalesce(octet_length(zstd), 0) + coalesce(octet_length(heads), 0)',
    'first_op',
  );
  const lookups = statement(
    'lookups',
    'length(lookup) + length(result)',
    'deployment, lookup, source_table, source_key, op_id',
  );
  const bytesBy = (counting: typeof current) =>
    Math.round((counting.get() as unknown as [number | null])[0] ?? 0);
  return () => ({ current: bytesBy(current), operations: bytesBy(operations), lookups: bytesBy(lookups) });
}
