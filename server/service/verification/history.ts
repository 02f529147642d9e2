/**
 * Reads the histories of all buckets as a client does, and keeps the resulting state. Each PUT must have the checksum of its
 * content, and each bucket must have the checksum that clients receive.
 */
import { crc32 } from 'node:zlib';
import { checksumOfPut } from '../replication/rows/rowChange.ts';
import { jsonOfChunk } from '../storage/chunks.ts';
import type { Checkpoint, OpChunk, OpId, Storage, StoredLookup } from '../storage/storage.ts';
import { noValueSets } from '../storage/valueSets.ts';
import { lookupsBucket, type Picture } from './picture.ts';

export interface BucketHistory {
  /** Reads up to the newest checkpoint, and reports each row that has an operation since the last call. */
  advance(onRow: OnRow): Promise<Checkpoint>;
  /** Returns the name of a bucket. */
  nameOf(number: number): string;
  /** The buckets whose histories are damaged. */
  readonly damaged: ReadonlySet<string>;
}

interface Bucket {
  readonly id: number;
  readonly name: string;
  after: OpId;
  /** The checksum, modulo 2³². */
  sum: number;
}

type OnRow = (table: number, key: string, opId: OpId) => void;

/** The number of buckets in one query. */
const bucketsAtOnce = 200;
/** The maximum number of attempts. Each begins after a compaction that has ended. */
const attempts = 5;

export function openBucketHistory(
  storage: Pick<Storage, 'reader' | 'stored'>,
  deployment: number,
  picture: Picture,
  rest: () => Promise<void>,
): BucketHistory {
  const reader = storage.reader(deployment);
  const stored = storage.stored(deployment);
  const buckets = new Map<string, Bucket>();
  const names = new Map<number, string>();
  const damaged = new Set<string>();
  let newestBucket = 0;
  let hasLookups = false;

  const addBuckets = async () => {
    for (;;) {
      const some = await stored.bucketsAfter(newestBucket);
      for (const { id, name } of some) {
        names.set(id, name);
        buckets.set(name, { id, name, after: 0, sum: 0 });
      }
      newestBucket = some.at(-1)?.id ?? newestBucket;
      if (some.length === 0) return;
    }
  };
  const take = (chunk: OpChunk, onRow: OnRow) => {
    const bucket = buckets.get(chunk.bucket) as Bucket;
    bucket.after = chunk.nextAfter;
    for (const op of JSON.parse(jsonOfChunk(chunk)) as Operation[]) {
      bucket.sum = (bucket.sum + op.checksum) >>> 0;
      if (op.op === 'CLEAR') {
        bucket.sum = op.checksum;
        picture.clear(bucket.id);
      }
      if (op.op !== 'PUT' && op.op !== 'REMOVE') continue;
      const slash = op.subkey.indexOf('/');
      const [table, key] = [Number(op.subkey.slice(0, slash)), op.subkey.slice(slash + 1)];
      const place = placeOf(op.object_type, op.object_id);
      const entry = { table, key, bucket: bucket.id, place };
      if (op.op === 'REMOVE') picture.remove(entry);
      else {
        const isSound = checksumOfPut(op.object_type, op.object_id, op.data) === op.checksum;
        if (!isSound) damaged.add(bucket.name);
        picture.put({ ...entry, sum: isSound ? op.checksum : unsound });
      }
      onRow(table, key, Number(op.op_id));
    }
  };
  /**
   * Returns whether a compaction has passed the checkpoint meanwhile, because the content of the checkpoint can no longer be read
   * then.
   */
  const readBuckets = async (some: readonly Bucket[], { opId }: Checkpoint, onRow: OnRow) => {
    let isOvertaken = false;
    for (;;) {
      const chunks = await reader.read(
        opId,
        some.map(({ name: bucket, after }) => ({ bucket, after })),
      );
      for (const chunk of chunks) if (chunk.count > 0) take(chunk, onRow);
      isOvertaken ||= chunks.some(({ target }) => target !== undefined && target > opId);
      await rest();
      if (!chunks.some(({ hasMore }) => hasMore)) return isOvertaken;
    }
  };
  const readAll = async (some: readonly Bucket[], onRow: OnRow) => {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const checkpoint = await reader.checkpoint();
      if (checkpoint === undefined) break;
      let isOvertaken = false;
      const wrong: Bucket[] = [];
      for (let start = 0; start < some.length; start += bucketsAtOnce) {
        const part = some.slice(start, start + bucketsAtOnce);
        isOvertaken = (await readBuckets(part, checkpoint, onRow)) || isOvertaken;
        const sums = await reader.checksums(
          checkpoint.opId,
          part.map(({ name }) => name),
        );
        wrong.push(...part.filter(({ sum }, index) => sum !== (sums[index]?.checksum ?? 0) >>> 0));
      }
      if (!isOvertaken) return { checkpoint, wrong };
    }
    throw new Error('histories change faster than they can be read');
  };
  /** Reads the lookups once. Later ones are read separately, for rows that are in doubt. */
  const readLookups = async ({ opId }: Checkpoint) => {
    let last: StoredLookup | undefined;
    for (;;) {
      const some = await stored.lookupsAfter(opId, last);
      for (const entry of some) {
        const at = { table: entry.table, key: entry.key, bucket: lookupsBucket, place: entry.lookup };
        if (entry.result === noValueSets) picture.remove(at);
        else picture.put({ ...at, sum: sumOfResult(entry.result) });
      }
      last = some.at(-1);
      await rest();
      if (last === undefined) return;
    }
  };

  return {
    damaged,
    nameOf: (number) => names.get(number) ?? '',
    advance: async (onRow) => {
      await addBuckets();
      const { checkpoint, wrong } = await readAll([...buckets.values()], onRow);
      if (wrong.length > 0) {
        for (const bucket of wrong) {
          picture.clear(bucket.id);
          bucket.after = 0;
          bucket.sum = 0;
        }
        // These buckets are read from the beginning, because a compaction may have occurred between two parts.
        for (const { name } of (await readAll(wrong, onRow)).wrong) damaged.add(name);
      }
      if (!hasLookups) await readLookups(checkpoint);
      hasLookups = true;
      return checkpoint;
    },
  };
}

/** A value that is not the checksum of any content. */
const unsound = -1;

export function placeOf(type: string, id: string): string {
  return JSON.stringify([type, id]);
}

export function sumOfResult(result: string): number {
  return crc32(result);
}

interface AnyOperation {
  readonly op_id: string;
  readonly checksum: number;
}

type Operation = AnyOperation &
  (
    | {
        readonly op: 'PUT';
        readonly object_type: string;
        readonly object_id: string;
        readonly subkey: string;
        readonly data: string;
      }
    | {
        readonly op: 'REMOVE';
        readonly object_type: string;
        readonly object_id: string;
        readonly subkey: string;
      }
    | { readonly op: 'MOVE' | 'CLEAR' }
  );
