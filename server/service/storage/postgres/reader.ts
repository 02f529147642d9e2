/** Reads operations, checksums and lookups of one deployment from the PostgreSQL storage. */
import type { SqlValue } from '../../../engine/plan/values/value.ts';
import type { Lsn } from '../../ground/lsn.ts';
import { chunkOf, chunksToSend, isFull, newRoom, type OpRow, type Room } from '../chunks.ts';
import { kinds } from '../operation.ts';
import type { BucketPosition, BucketReader, OpChunk, OpId } from '../storage.ts';
import { createSumCache, type KnownSum, type PartialSum } from '../sums.ts';
import { readValueSets } from '../valueSets.ts';
import { answerTogether } from './answerTogether.ts';
import { openBucketIds } from './buckets.ts';
import type { Database } from './database.ts';
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

/** The maximum number of buckets in a question that is combined with others. */
const fewSums = 100;

interface SumQuestion {
  readonly checkpoint: OpId;
  /** The wanted buckets, and their checksums as far as they are known. */
  readonly wanted: ReadonlyMap<string, KnownSum | undefined>;
}

type PartialSums = ReadonlyMap<string, PartialSum>;

export function openReader({ run }: Database, deployment: number): ForgetfulReader {
  const ids = openBucketIds(deployment);
  const sums = createSumCache();

  const partialSums = async (questions: readonly SumQuestion[]): Promise<readonly PartialSums[]> => {
    const found = await ids.find(
      run,
      questions.flatMap(({ wanted }) => [...wanted.keys()]),
    );
    const places: { readonly question: number; readonly name: string; readonly id: number }[] = [];
    for (const [question, { wanted }] of questions.entries())
      for (const name of wanted.keys()) {
        const id = found.get(name);
        if (id !== undefined) places.push({ question, name, id });
      }
    const rows = await run<{ i: number; checksum: number; count: number; cleared: boolean }>(
      `SELECT i, sum.*
       FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS wanted (bucket, after, until, i)
       CROSS JOIN LATERAL (
         SELECT mod(coalesce(sum(checksum), 0), 4294967296)::bigint AS checksum, count(*) AS count,
           coalesce(bool_or(kind = ${kinds.CLEAR}), false) AS cleared
         FROM ${schema}.ops WHERE bucket = wanted.bucket AND op_id > wanted.after AND op_id <= wanted.until) AS sum`,
      [
        places.map(({ id }) => id),
        places.map(({ question, name }) => questions[question]?.wanted.get(name)?.opId ?? 0),
        places.map(({ question }) => questions[question]?.checkpoint ?? 0),
      ],
    );
    const sums = questions.map(() => new Map<string, PartialSum>());
    for (const { i, ...sum } of rows) {
      const place = places[i - 1];
      if (place !== undefined) sums[place.question]?.set(place.name, sum);
    }
    return sums;
  };
  // After a transaction that has changed many buckets, clients ask for their buckets at the same time, so their questions are
  // combined.
  const sumsTogether = answerTogether(partialSums, { running: 4, items: 64 });
  const sumsOf = async (question: SumQuestion): Promise<PartialSums> => {
    if (question.wanted.size <= fewSums) return sumsTogether(question);
    const [sums] = await partialSums([question]);
    return sums ?? new Map();
  };

  const readWindow = async (
    checkpoint: OpId,
    positions: readonly IdPosition[],
    room: Room,
  ): Promise<OpChunk[]> => {
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
  };

  return {
    forget: () => {
      ids.forget();
      sums.forget();
    },
    checkpoint: async () => {
      const [row] = await run<{ op: OpId | null; lsn: Lsn | null }>(
        `SELECT last_checkpoint AS op, last_checkpoint_lsn AS lsn FROM ${schema}.deployments WHERE id = $1`,
        [deployment],
      );
      return row === undefined || row.op === null || row.lsn === null
        ? undefined
        : { opId: row.op, lsn: row.lsn };
    },
    checksums: async (checkpoint, buckets) => {
      const wanted = new Map<string, KnownSum | undefined>();
      const known = new Map(buckets.map((bucket) => [bucket, sums.known(bucket, checkpoint)] as const));
      for (const [bucket, sum] of known) if (sum?.opId !== checkpoint) wanted.set(bucket, sum);
      const partial = wanted.size === 0 ? undefined : await sumsOf({ checkpoint, wanted });
      return buckets.map((bucket) => {
        const sum = known.get(bucket);
        if (sum?.opId === checkpoint) return { bucket, checksum: sum.checksum, count: sum.count };
        return sums.add(bucket, checkpoint, sum, partial?.get(bucket) ?? noOps);
      });
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
        chunks.push(...(await readWindow(checkpoint, positions.slice(start, start + window), room)));
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

interface IdPosition extends BucketPosition {
  readonly id: number;
}

const noOps: PartialSum = { checksum: 0, count: 0, cleared: false };
