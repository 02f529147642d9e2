/**
 * A client as the protocol describes it. It takes lines, stores buckets, verifies checksums and shows rows. It shares no code
 * with the service.
 */
export interface SyncClient {
  /** Throws if a real client would close the connection. */
  take(line: ReceivedLine): void;
  /** The shown rows: `type/id` → data text. */
  readonly rows: ReadonlyMap<string, string>;
  /** The positions that the next request of the client sends. */
  readonly positions: readonly { readonly name: string; readonly after: string }[];
  readonly writeCheckpoint: string | undefined;
  /** The id of the last completed checkpoint. */
  readonly completed: string | undefined;
  readonly partial: readonly number[];
  readonly streams: readonly unknown[];
  readonly bucketNames: readonly string[];
}

/** A parsed line. */
export type ReceivedLine = Readonly<Record<string, unknown>>;

interface Bucket {
  /** The rows that would be shown, by key. */
  readonly puts: Map<string, { readonly row: string; readonly data: string; readonly opId: bigint }>;
  sum: number;
  after: bigint;
}

interface ToldCheckpoint {
  readonly checksum: number;
  readonly priority: number;
}

interface Operation {
  readonly op_id: string;
  readonly op: 'PUT' | 'REMOVE' | 'MOVE' | 'CLEAR';
  readonly object_type?: string;
  readonly object_id?: string;
  readonly subkey?: string | null;
  readonly checksum: number;
  readonly data?: string | null;
}

interface Entry extends ToldCheckpoint {
  readonly bucket: string;
  readonly count: number;
  readonly subscriptions: readonly unknown[];
}

export function createSyncClient(): SyncClient {
  const buckets = new Map<string, Bucket>();
  let rows: ReadonlyMap<string, string> = new Map();
  let told: Map<string, ToldCheckpoint> | undefined;
  let lastOpId = 0n;
  let pendingWriteCheckpoint: string | undefined;
  let writeCheckpoint: string | undefined;
  let completed: string | undefined;
  let streams: readonly unknown[] = [];
  let partial: number[] = [];

  const bucketOf = (name: string): Bucket => {
    const known = buckets.get(name) ?? { puts: new Map(), sum: 0, after: 0n };
    buckets.set(name, known);
    return known;
  };
  const tell = (entries: readonly Entry[], into: Map<string, ToldCheckpoint>): void => {
    for (const { bucket, checksum, priority, count, subscriptions } of entries) {
      assert(
        Number.isInteger(checksum) && Number.isInteger(count) && Array.isArray(subscriptions),
        'an entry',
      );
      into.set(bucket, { checksum, priority });
    }
  };
  const drop = (name: string): void => {
    buckets.delete(name);
  };
  const advance = (to: unknown): void => {
    assert(typeof to === 'string', 'ids are texts');
    assert(BigInt(to) >= lastOpId, `checkpoints go forward: ${to} after ${lastOpId}`);
    lastOpId = BigInt(to);
  };
  const verify = (priority: number): void => {
    for (const [name, { checksum, priority: own }] of told ?? []) {
      if (own > priority) continue;
      const sum = buckets.get(name)?.sum ?? 0;
      assert(
        (sum - checksum) % 2 ** 32 === 0,
        `checksum of ${name}: got ${sum | 0}, was told ${checksum | 0}`,
      );
    }
  };
  const apply = (priority: number): void => {
    const shown = new Map<string, { data: string; opId: bigint }>();
    for (const [name, { puts }] of buckets) {
      if ((told?.get(name)?.priority ?? 4) > priority) continue;
      for (const { row, data, opId } of puts.values()) {
        if (opId > (shown.get(row)?.opId ?? -1n)) shown.set(row, { data, opId });
      }
    }
    rows = new Map([...shown].map(([row, { data }]) => [row, data]));
  };

  const kinds: Readonly<Record<string, (value: never) => void>> = {
    checkpoint: (line: {
      last_op_id: string;
      write_checkpoint?: string;
      buckets: Entry[];
      streams: Stream[];
    }) => {
      advance(line.last_op_id);
      told = new Map();
      tell(line.buckets, told);
      for (const { name, errors } of line.streams)
        assert(typeof name === 'string' && Array.isArray(errors), name);
      streams = line.streams;
      pendingWriteCheckpoint = line.write_checkpoint;
      for (const name of [...buckets.keys()]) if (!told.has(name)) drop(name);
    },
    checkpoint_diff: (line: {
      last_op_id: string;
      write_checkpoint?: string;
      updated_buckets: Entry[];
      removed_buckets: string[];
    }) => {
      assert(told !== undefined, 'a diff follows a checkpoint');
      advance(line.last_op_id);
      for (const name of line.removed_buckets) {
        told.delete(name);
        drop(name);
      }
      tell(line.updated_buckets, told);
      pendingWriteCheckpoint = line.write_checkpoint;
    },
    data: (line: {
      bucket: string;
      after: string;
      next_after: string;
      has_more: boolean;
      data: Operation[];
    }) => {
      const bucket = bucketOf(line.bucket);
      assert(line.data.length > 0, 'no empty lines of data');
      for (const op of line.data) takeOperation(bucket, op, lastOpId);
      assert(BigInt(line.next_after) === bucket.after, 'next_after is the last operation');
    },
    partial_checkpoint_complete: (line: { last_op_id: string; priority: number }) => {
      assert(BigInt(line.last_op_id) === lastOpId, 'completes what was told');
      verify(line.priority);
      apply(line.priority);
      partial.push(line.priority);
    },
    checkpoint_complete: (line: { last_op_id: string }) => {
      assert(BigInt(line.last_op_id) === lastOpId, 'completes what was told');
      verify(4);
      for (const name of told?.keys() ?? []) bucketOf(name).after = lastOpId;
      apply(4);
      writeCheckpoint = pendingWriteCheckpoint ?? writeCheckpoint;
      completed = line.last_op_id;
    },
    token_expires_in: (seconds: number) => assert(Number.isInteger(seconds), 'seconds are whole'),
  };

  return {
    take: (line) => {
      const keys = Object.keys(line);
      assert(keys.length === 1, `a line has one key, not ${keys}`);
      const [kind = ''] = keys;
      if (kind === 'checkpoint') partial = [];
      kinds[kind]?.(line[kind] as never);
    },
    get rows() {
      return rows;
    },
    get positions() {
      return [...buckets].map(([name, { after }]) => ({ name, after: String(after) }));
    },
    get writeCheckpoint() {
      return writeCheckpoint;
    },
    get completed() {
      return completed;
    },
    get partial() {
      return partial;
    },
    get streams() {
      return streams;
    },
    get bucketNames() {
      return [...(told?.keys() ?? [])];
    },
  };
}

interface Stream {
  readonly name: string;
  readonly errors: readonly unknown[];
}

function takeOperation(bucket: Bucket, op: Operation, checkpoint: bigint): void {
  assert(typeof op.op_id === 'string' && typeof op.checksum === 'number', 'an operation');
  const opId = BigInt(op.op_id);
  assert(opId > bucket.after, `ids ascend: ${opId} after ${bucket.after}`);
  assert(opId <= checkpoint, `nothing above the checkpoint: ${opId} > ${checkpoint}`);
  bucket.after = opId;
  const row = `${op.object_type}/${op.object_id}`;
  const key = `${row}/${op.subkey ?? 'null'}`;
  switch (op.op) {
    case 'PUT':
      assert(typeof op.data === 'string', 'data is a text');
      bucket.puts.set(key, { row, data: op.data, opId });
      break;
    case 'REMOVE':
      bucket.puts.delete(key);
      break;
    case 'CLEAR':
      bucket.puts.clear();
      bucket.sum = 0;
      break;
    case 'MOVE':
      break;
    default:
      throw new Error(`no such operation: ${op.op}`);
  }
  bucket.sum = (bucket.sum + op.checksum) % 2 ** 32;
}

function assert(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`The client gives up: ${what}`);
}
