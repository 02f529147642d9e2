import { kinds, textOfOp } from '../../operation.ts';
import type { OpId, RowWrite } from '../../storage.ts';
import { writeValueSets } from '../../valueSets.ts';
import type { BucketIds } from '../buckets.ts';
import { writeRows } from '../currentRows.ts';
import type { Run } from '../database.ts';
import { hashOf } from '../hash.ts';
import { schema } from '../schema.ts';

/** The maximum number of rows in a statement. */
const rowsPerStatement = 2_500;

export function idsFor(rows: readonly RowWrite[]): number {
  return rows.reduce((count, { ops, lookups }) => count + ops.length + lookups.length, 0);
}

interface BatchPlace {
  readonly deployment: number;
  readonly bucketIds: BucketIds;
  /** The id before the ids of these rows. */
  readonly after: OpId;
}

/** Writes a batch as a part of a transaction. */
export async function writeBatch(
  run: Run,
  rows: readonly RowWrite[],
  { deployment, bucketIds, after }: BatchPlace,
): Promise<void> {
  let id = after;
  for (let start = 0; start < rows.length; start += rowsPerStatement) {
    const some = rows.slice(start, start + rowsPerStatement);
    const buckets = await bucketIds.give(
      run,
      some.flatMap(({ ops }) => ops.map(({ bucket }) => bucket)),
    );
    const { ops, lookups } = columnsOf(some, buckets, id);
    id += idsFor(some);
    if (ops.ids.length > 0) {
      await run(
        `INSERT INTO ${schema}.ops (op_id, bucket, kind, checksum, size, json)
         SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::smallint[], $4::bigint[], $5::integer[], $6::text[])`,
        [ops.ids, ops.buckets, ops.kinds, ops.checksums, ops.texts.map(({ length }) => length), ops.texts],
      );
    }
    if (lookups.ids.length > 0) {
      await run(
        `INSERT INTO ${schema}.lookups (deployment, op_id, hash, lookup, source_table, source_key, sets, result)
         SELECT $1, * FROM unnest($2::bigint[], $3::uuid[], $4::text[], $5::bigint[], $6::uuid[], $7::integer[], $8::text[])`,
        [
          ...[
            deployment,
            lookups.ids,
            lookups.texts.map(hashOf),
            lookups.texts,
            lookups.tables,
            lookups.keys,
          ],
          ...[lookups.sets, lookups.results],
        ],
      );
    }
    await writeRows(run, some);
  }
}

/** Returns the rows as parameters of a statement, with an array for each column. */
function columnsOf(rows: readonly RowWrite[], buckets: ReadonlyMap<string, number>, after: OpId) {
  const ops = {
    ids: [] as number[],
    buckets: [] as number[],
    kinds: [] as number[],
    checksums: [] as number[],
    texts: [] as string[],
  };
  const lookups = {
    ids: [] as number[],
    texts: [] as string[],
    tables: [] as number[],
    keys: [] as string[],
    sets: [] as number[],
    results: [] as string[],
  };
  let id = after;
  for (const row of rows) {
    for (const op of row.ops) {
      id += 1;
      ops.ids.push(id);
      ops.buckets.push(buckets.get(op.bucket) ?? 0);
      ops.kinds.push(kinds[op.op]);
      ops.checksums.push(op.checksum);
      ops.texts.push(textOfOp(op, id));
    }
    for (const { lookup, values } of row.lookups) {
      id += 1;
      lookups.ids.push(id);
      lookups.texts.push(lookup);
      lookups.tables.push(row.table);
      lookups.keys.push(row.key);
      lookups.sets.push(values.length);
      lookups.results.push(writeValueSets(values));
    }
  }
  return { ops, lookups };
}
