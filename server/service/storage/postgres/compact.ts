import type { Compactable } from '../compactDeployment.ts';
import type { HeadedOp, KeptOp, LookupEntry } from '../compaction.ts';
import { stoppedStates } from '../deployment.ts';
import { headOfJson, kinds } from '../operation.ts';
import type { OpId } from '../storage.ts';
import type { Database } from './database.ts';
import { hashOf } from './hash.ts';
import { schema } from './schema.ts';

/** The number of operations in a step, which takes some milliseconds on the server and in this process. */
const batch = 500;

const columns = 'op_id AS "opId", kind, checksum, target';
const ops = `${schema}.ops`;
const lookups = `${schema}.lookups`;

/** Steps look up each row individually, so that the server never chooses a plan that reads all rows to find some of them. */
export function openCompactable(database: Database, deployment: number, checkpoint: OpId): Compactable {
  const { run } = database;
  return {
    isStopped: async () => {
      const sql = `SELECT id FROM ${schema}.deployments WHERE id = $1 AND state = ANY ($2)`;
      return (await run(sql, [deployment, stoppedStates])).length > 0;
    },
    buckets: async (names) => {
      const sql = `SELECT id FROM ${schema}.buckets WHERE deployment = $1`;
      const found =
        names === undefined
          ? run<{ id: number }>(`${sql} ORDER BY id`, [deployment])
          : run<{ id: number }>(`${sql} AND hash = ANY ($2::uuid[])`, [deployment, names.map(hashOf)]);
      return (await found).map(({ id }) => id);
    },
    newest: async (bucket, upTo) => {
      const newest = await run<HeadedOp>(
        `SELECT ${columns}, ${headOfJson} AS head FROM ${ops} WHERE bucket = $1 AND op_id <= $2
         ORDER BY op_id DESC LIMIT ${batch}`,
        [bucket, upTo],
      );
      return { ops: newest, hasMore: newest.length === batch };
    },
    oldest: (bucket) =>
      run<KeptOp>(
        `SELECT ${columns} FROM ${ops} WHERE bucket = $1 AND op_id <= $2 ORDER BY op_id LIMIT ${batch}`,
        [bucket, checkpoint],
      ),
    move: async (bucket, moves) => {
      await run(
        `UPDATE ${ops} SET kind = ${kinds.MOVE}, target = move.target, json = move.json, size = length(move.json)
         FROM (
           SELECT place, wanted.target, wanted.json
           FROM unnest($2::bigint[], $3::bigint[], $4::text[]) AS wanted (op_id, target, json)
           CROSS JOIN LATERAL (
             SELECT ctid AS place FROM ${ops}
             WHERE bucket = $1 AND op_id = wanted.op_id AND kind IN (${kinds.PUT}, ${kinds.REMOVE}) LIMIT 1) AS op) AS move
         WHERE ops.ctid = move.place`,
        [
          bucket,
          moves.map(({ opId }) => opId),
          moves.map(({ target }) => target),
          moves.map(({ json }) => json),
        ],
      );
    },
    clear: (bucket, { opId, kind, checksum, target, json, replaced }, count) =>
      database.transaction(async (inside) => {
        const locked = await inside<{ kind: number }>(
          `SELECT op_id, kind FROM ${ops} WHERE bucket = $1 AND op_id <= $2 ORDER BY op_id FOR UPDATE`,
          [bucket, opId],
        );
        // Another process is compacting the same bucket.
        if (locked.length !== count || locked.at(-1)?.kind !== replaced) return false;
        await inside(`DELETE FROM ${ops} WHERE bucket = $1 AND op_id < $2`, [bucket, opId]);
        await inside(
          `UPDATE ${ops} SET kind = $3, checksum = $4, target = $5, json = $6, size = length($6)
           WHERE bucket = $1 AND op_id = $2`,
          [bucket, opId, kind, checksum, target, json],
        );
        return true;
      }),
    lookupsAfter: (after) =>
      run<LookupEntry>(
        `SELECT op_id AS "opId", lookup, source_table AS "table", source_key::text AS "sourceKey", result
         FROM ${lookups} WHERE deployment = $1 AND op_id <= $2
           ${after === undefined ? '' : 'AND (hash, source_table, source_key, op_id) > ($3::uuid, $4, $5::uuid, $6)'}
         ORDER BY hash, source_table, source_key, op_id LIMIT ${batch}`,
        after === undefined
          ? [deployment, checkpoint]
          : [deployment, checkpoint, hashOf(after.lookup), after.table, after.sourceKey, after.opId],
      ),
    removeLookups: async (entries) => {
      await run(
        `DELETE FROM ${lookups} WHERE ctid = ANY (ARRAY(
           SELECT place FROM unnest($2::uuid[], $3::bigint[], $4::uuid[], $5::bigint[]) AS gone (hash, source_table, source_key, op_id)
           CROSS JOIN LATERAL (
             SELECT ctid AS place FROM ${lookups}
             WHERE deployment = $1 AND hash = gone.hash AND source_table = gone.source_table
               AND source_key = gone.source_key AND op_id = gone.op_id LIMIT 1) AS entry))`,
        [
          ...[deployment, entries.map(({ lookup }) => hashOf(lookup)), entries.map(({ table }) => table)],
          ...[entries.map(({ sourceKey }) => sourceKey), entries.map(({ opId }) => opId)],
        ],
      );
    },
  };
}
