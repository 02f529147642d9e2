/** Reads the checksums of buckets, and reads only the operations that the cached ones do not contain. */
import { kinds } from '../operation.ts';
import type { BucketReader, OpId } from '../storage.ts';
import { createSumCache, type KnownSum, type PartialSum } from '../sums.ts';
import { answerTogether } from './answerTogether.ts';
import type { BucketIds } from './buckets.ts';
import type { Run } from './database.ts';
import { schema } from './schema.ts';

/** The maximum number of buckets in a question that is combined with others. */
const fewSums = 100;

interface SumQuestion {
  readonly checkpoint: OpId;
  /** The wanted buckets, and their checksums as far as they are known. */
  readonly wanted: ReadonlyMap<string, KnownSum | undefined>;
}

type PartialSums = ReadonlyMap<string, PartialSum>;

interface BucketSums extends Pick<BucketReader, 'checksums'> {
  /** Forgets the cached checksums. */
  forget(): void;
}

export function openBucketSums(run: Run, ids: BucketIds): BucketSums {
  const sums = createSumCache();
  // After a transaction that has changed many buckets, clients ask for their buckets at the same time, so their questions are
  // combined.
  const sumsTogether = answerTogether(
    (questions: readonly SumQuestion[]) => partialSums(run, ids, questions),
    { running: 4, items: 64 },
  );
  const sumsOf = async (question: SumQuestion): Promise<PartialSums> => {
    if (question.wanted.size <= fewSums) return sumsTogether(question);
    const [sums] = await partialSums(run, ids, [question]);
    return sums ?? new Map();
  };

  return {
    forget: sums.forget,
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
  };
}

async function partialSums(
  run: Run,
  ids: BucketIds,
  questions: readonly SumQuestion[],
): Promise<readonly PartialSums[]> {
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
}

const noOps: PartialSum = { checksum: 0, count: 0, cleared: false };
