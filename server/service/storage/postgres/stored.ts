import type { BatchLimits } from '../../config/settings.ts';
import type { LookupSize, StoredBucket, StoredContents, StoredLookup } from '../storage.ts';
import { currentRows, rowsAfter } from './currentRows.ts';
import type { Database } from './database.ts';
import { hashOf } from './hash.ts';
import { schema } from './schema.ts';
import { allTables } from './sourceTables.ts';

/** The number of rows in one answer. */
const atOnce = 1_000;

const columns = 'lookup, source_table AS "table", source_key::text AS key, op_id AS "opId", result';

export function openStored(
  { run }: Database,
  deployment: number,
  { maxCurrentDataBatchSize }: BatchLimits,
): StoredContents {
  return {
    tables: () => allTables(run, deployment),
    bucketsAfter: (bucket) =>
      run<StoredBucket & Record<string, unknown>>(
        `SELECT id, name FROM ${schema}.buckets WHERE deployment = $1 AND id > $2 ORDER BY id LIMIT ${atOnce}`,
        [deployment, bucket],
      ),
    rowsAfter: (table, key) => rowsAfter(run, table, key, atOnce),
    currentRows: (table, keys) => currentRows(run, table, keys, maxCurrentDataBatchSize),
    lookupsAfter: (checkpoint, after) =>
      run<StoredLookup & Record<string, unknown>>(
        `SELECT ${columns} FROM ${schema}.lookups WHERE deployment = $1 AND op_id <= $2
           ${after === undefined ? '' : 'AND (hash, source_table, source_key, op_id) > ($3::uuid, $4, $5::uuid, $6)'}
         ORDER BY hash, source_table, source_key, op_id LIMIT ${atOnce}`,
        after === undefined
          ? [deployment, checkpoint]
          : [deployment, checkpoint, hashOf(after.lookup), after.table, after.key, after.opId],
      ),
    lookupSizesAfter: (checkpoint, lookup) =>
      run<LookupSize & Record<string, unknown>>(
        `SELECT min(lookup) AS lookup, sum(sets)::float8 AS values,
           (CASE WHEN max(sets) > 1 THEN sum(sets) ELSE count(DISTINCT result) END)::float8 AS distinct FROM (
           SELECT DISTINCT ON (hash, source_table, source_key) hash, lookup, sets, result FROM ${schema}.lookups
           WHERE deployment = $1 AND op_id <= $2 AND hash IN (
             SELECT DISTINCT hash FROM ${schema}.lookups WHERE deployment = $1
               ${lookup === undefined ? '' : 'AND hash > $3::uuid'} ORDER BY hash LIMIT ${atOnce})
           ORDER BY hash, source_table, source_key, op_id DESC) AS latest
         WHERE sets > 0 GROUP BY hash ORDER BY hash`,
        lookup === undefined ? [deployment, checkpoint] : [deployment, checkpoint, hashOf(lookup)],
      ),
    lookupsOf: (checkpoint, wanted) =>
      run<StoredLookup & Record<string, unknown>>(
        `SELECT entry.* FROM unnest($3::uuid[], $4::bigint[], $5::uuid[]) AS wanted (hash, source_table, source_key)
         CROSS JOIN LATERAL (
           SELECT ${columns} FROM ${schema}.lookups
           WHERE deployment = $1 AND hash = wanted.hash AND source_table = wanted.source_table
             AND source_key = wanted.source_key AND op_id <= $2 ORDER BY op_id DESC LIMIT 1) AS entry`,
        [
          ...[deployment, checkpoint, wanted.map(({ lookup }) => hashOf(lookup))],
          ...[wanted.map(({ table }) => table), wanted.map(({ key }) => key)],
        ],
      ),
  };
}
