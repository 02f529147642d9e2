/** Reads operations, checksums and lookups of one deployment from the PostgreSQL storage. */
import type { SqlValue } from '../../../engine/plan/values/value.ts';
import type { LogPosition } from '../../ground/logPosition.ts';
import { chunkOf, chunksToSend, isFull, newRoom, type OpRow, type Room } from '../chunks.ts';
import { kinds } from '../operation.ts';
import type { BucketPosition, BucketReader, OpChunk, OpId } from '../storage.ts';
import { readValueSets } from '../valueSets.ts';
import { openBucketSums } from './bucketSums.ts';
import { openBucketIds } from './buckets.ts';
import type { Database, Run } from './database.ts';
import { hashOf } from './hash.ts';
import { schema } from './schema.ts';

export interface ForgetfulReader extends BucketReader {
  /** Called when cached data may no longer be valid. */
  forget(): void;
}

/** The maximum size of an answer. It is large, because each statement takes some time, even for a small answer. */
const maxText = 2 ** 20;

/** The maximum number of buckets that one statement reads, because each of them may fill an answer. */
const maxWindow = 64;

/** An operation of the bucket at index `i`; or no operation, and the operation up to which the bucket is cleared. */
type WindowRow = { readonly i: number; readonly json: string } & (
  | { readonly op_id: OpId; readonly target: OpId | null }
  | { readonly op_id: null; readonly target: OpId }
);

export function openReader({ run }: Database, deployment: number): ForgetfulReader {
  const ids = openBucketIds(deployment);
  const sums = openBucketSums(run, ids);

  return {
    forget: () => {
      ids.forget();
      sums.forget();
    },
    checksums: sums.checksums,
    checkpoint: async () => {
      const [row] = await run<{ op: OpId | null; lsn: LogPosition | null }>(
        `SELECT last_checkpoint AS op, last_checkpoint_lsn AS lsn FROM ${schema}.deployments WHERE id = $1`,
        [deployment],
      );
      return row === undefined || row.op === null || row.lsn === null
        ? undefined
        : { opId: row.op, position: row.lsn };
    },
    read: async (checkpoint, from) => {
      const found = await ids.find(
        run,
        from.map(({ bucket }) => bucket),
      );
      const positions = from.flatMap((position) => {
        const id = found.get(position.bucket);
        return id === undefined ? [] : [{ ...position, id }];
      });
      const chunks: OpChunk[] = [];
      const room = newRoom(maxText);
      // The first bucket alone often fills the answer. If it does not, there are normally many small ones, so the window grows.
      for (let start = 0, window = 1; start < positions.length && !isFull(room); ) {
        chunks.push(
          ...(await readWindow(run, { checkpoint, positions: positions.slice(start, start + window), room })),
        );
        start += window;
        window = Math.min(window * 4, maxWindow);
      }
      return chunks;
    },
    lookups: async (checkpoint, keys, limit) => {
      const rows = await run<{ lookup: string; result: string }>(
        `WITH latest AS (
           SELECT i, row.* FROM unnest($2::uuid[]) WITH ORDINALITY AS wanted (hash, i)
           CROSS JOIN LATERAL (
             SELECT DISTINCT ON (source_table, source_key) source_table, source_key, lookup, sets, result
             FROM ${schema}.lookups WHERE deployment = $1 AND hash = wanted.hash AND op_id <= $3
             ORDER BY source_table, source_key, op_id DESC) AS row),
         counted AS (
           SELECT *, sum(sets) OVER (ORDER BY i, source_table, source_key) - sets AS before
           FROM latest WHERE sets > 0)
         SELECT lookup, result FROM counted WHERE before <= $4 ORDER BY i, source_table, source_key`,
        [deployment, [...new Set(keys)].map(hashOf), checkpoint, limit],
      );
      const values = new Map<string, (readonly SqlValue[])[]>();
      for (const { lookup, result } of rows) {
        const sets = values.get(lookup) ?? [];
        sets.push(...readValueSets(result));
        values.set(lookup, sets);
      }
      return values;
    },
  };
}

interface Window {
  readonly checkpoint: OpId;
  readonly positions: readonly (BucketPosition & { readonly id: number })[];
  readonly room: Room;
}

async function readWindow(run: Run, { checkpoint, positions, room }: Window): Promise<OpChunk[]> {
  const rows = await run<WindowRow>(
    `WITH wanted AS (
       SELECT * FROM unnest($1::bigint[], $2::bigint[]) WITH ORDINALITY AS wanted (bucket, after, i)),
     page AS (
       SELECT wanted.i, op.* FROM wanted
       CROSS JOIN LATERAL (
         SELECT op_id, target, size, json FROM ${schema}.ops
         WHERE bucket = wanted.bucket AND op_id > wanted.after AND op_id <= $3 ORDER BY op_id LIMIT $4) AS op
       ORDER BY i, op_id LIMIT $4),
     sized AS (SELECT *, sum(size) OVER (ORDER BY i, op_id) - size AS before FROM page),
     cleared AS (
       SELECT i, first.op_id FROM wanted
       CROSS JOIN LATERAL (
         SELECT op_id, kind FROM ${schema}.ops WHERE bucket = wanted.bucket ORDER BY op_id LIMIT 1) AS first
       WHERE first.kind = ${kinds.CLEAR} AND first.op_id > $3)
     SELECT i, op_id, target, json FROM sized WHERE before < $5
     UNION ALL SELECT i, NULL, op_id, '' FROM cleared ORDER BY i, op_id`,
    [positions.map(({ id }) => id), positions.map(({ after }) => after), checkpoint, room.ops, room.text],
  );
  const byPosition = new Map<number, OpRow[]>();
  const cleared = new Map<number, OpId>();
  for (const row of rows) {
    const found = byPosition.get(row.i) ?? [];
    if (row.op_id === null) cleared.set(row.i, row.target);
    else found.push([row.op_id, row.target, row.json]);
    byPosition.set(row.i, found);
  }
  return [...byPosition].flatMap(([i, ops]) => {
    const position = positions[i - 1];
    if (position === undefined) return [];
    return chunksToSend(chunkOf(position, ops, room), () => cleared.get(i));
  });
}
