/** A client's local database as the protocol describes it, written without the service's code or an SDK's. */
import { textOf } from './scenario.ts';

export interface Replica {
  /** The positions of the buckets, for the next request. */
  positions(): readonly { readonly name: string; readonly after: string }[];
  /** Applies a line of the stream. Throws if the line violates the protocol. */
  apply(line: Line): 'complete' | 'more';
  /** `table/id` → row as text, as of the last completed checkpoint. */
  readonly rows: ReadonlyMap<string, string>;
  /** The write checkpoint that came with the last completed checkpoint. */
  readonly writeCheckpoint: bigint | undefined;
}

export interface Line {
  readonly checkpoint?: {
    readonly last_op_id: string;
    readonly write_checkpoint?: string;
    readonly buckets: readonly BucketSum[];
  };
  readonly checkpoint_diff?: {
    readonly last_op_id: string;
    readonly write_checkpoint?: string;
    readonly updated_buckets: readonly BucketSum[];
    readonly removed_buckets: readonly string[];
  };
  readonly data?: { readonly bucket: string; readonly data: readonly Op[] };
  readonly checkpoint_complete?: { readonly last_op_id: string };
}

interface BucketSum {
  readonly bucket: string;
  readonly checksum: number;
}

interface Op {
  readonly op_id: string;
  readonly op: 'PUT' | 'REMOVE' | 'MOVE' | 'CLEAR';
  readonly object_type?: string;
  readonly object_id?: string;
  readonly subkey?: string;
  readonly checksum: number;
  readonly data?: string | null;
}

interface Bucket {
  after: bigint;
  sum: number;
  readonly puts: Map<string, { readonly row: string; readonly opId: bigint; readonly data: string }>;
}

export function openReplica(): Replica {
  const buckets = new Map<string, Bucket>();
  let announced: Map<string, number> | undefined;
  let rows: ReadonlyMap<string, string> = new Map();
  const numbers: Record<'announced' | 'shown', bigint | undefined> = {
    announced: undefined,
    shown: undefined,
  };
  const bucketOf = (name: string): Bucket => {
    const bucket = buckets.get(name) ?? { after: 0n, sum: 0, puts: new Map() };
    buckets.set(name, bucket);
    return bucket;
  };
  const complete = (lastOpId: bigint): void => {
    for (const [name, checksum] of announced ?? []) {
      const bucket = bucketOf(name);
      if (bucket.sum !== (checksum | 0)) {
        throw new Error(`Bucket ${name} has checksum ${bucket.sum}, announced was ${checksum}.`);
      }
      bucket.after = lastOpId;
    }
    rows = shownBy(buckets);
    numbers.shown = numbers.announced;
  };
  return {
    positions: () => [...buckets].map(([name, { after }]) => ({ name, after: String(after) })),
    apply(line) {
      const { checkpoint, checkpoint_diff: diff, data } = line;
      const number = (checkpoint ?? diff)?.write_checkpoint;
      if (number !== undefined) numbers.announced = BigInt(number);
      if (checkpoint !== undefined) {
        announced = new Map(checkpoint.buckets.map(({ bucket, checksum }) => [bucket, checksum]));
        for (const name of buckets.keys()) if (!announced.has(name)) buckets.delete(name);
      } else if (diff !== undefined) {
        if (announced === undefined) throw new Error('A difference came before any checkpoint.');
        for (const { bucket, checksum } of diff.updated_buckets) announced.set(bucket, checksum);
        for (const name of diff.removed_buckets) {
          announced.delete(name);
          buckets.delete(name);
        }
      } else if (data !== undefined) {
        const bucket = bucketOf(data.bucket);
        for (const op of data.data) take(bucket, op);
      } else if (line.checkpoint_complete !== undefined) {
        complete(BigInt(line.checkpoint_complete.last_op_id));
        return 'complete';
      }
      return 'more';
    },
    get rows() {
      return rows;
    },
    get writeCheckpoint() {
      return numbers.shown;
    },
  };
}

function take(bucket: Bucket, op: Op): void {
  const opId = BigInt(op.op_id);
  if (opId <= bucket.after) throw new Error(`Operation ${op.op_id} came again.`);
  bucket.after = opId;
  if (op.op === 'CLEAR') {
    bucket.puts.clear();
    bucket.sum = 0;
  }
  bucket.sum = (bucket.sum + op.checksum) | 0;
  if (op.op !== 'PUT' && op.op !== 'REMOVE') return;
  const row = `${op.object_type}/${op.object_id}`;
  const key = `${row}/${op.subkey}`;
  if (op.op === 'PUT') bucket.puts.set(key, { row, opId, data: op.data ?? '' });
  else bucket.puts.delete(key);
}

/** Returns the rows that the client shows. Of several operations on a row, in all buckets, the last one counts. */
function shownBy(buckets: ReadonlyMap<string, Bucket>): Map<string, string> {
  const latest = new Map<string, { readonly opId: bigint; readonly data: string }>();
  for (const { puts } of buckets.values()) {
    for (const { row, opId, data } of puts.values()) {
      if (opId > (latest.get(row)?.opId ?? -1n)) latest.set(row, { opId, data });
    }
  }
  return new Map([...latest].map(([row, { data }]) => [row, textOf(JSON.parse(data))]));
}
