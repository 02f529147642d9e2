/** The buckets of one client, built from the lines of a sync stream: the state that an SDK has, without a database. */
import { type Fields, fieldsOf, listOf, numberIn, textIn } from './reading.ts';

interface BucketState {
  readonly name: string;
  readonly priority: number;
  /** The reasons as the service wrote them: see `synced.ts`. */
  readonly reasons: readonly unknown[];
  /** The rows by table, id and source row. */
  readonly rows: Map<string, HeldRow>;
  /** The checksum of all operations read so far, in 32 bits. */
  checksum: number;
  /** The checksum in the last announced checkpoint. */
  readonly expectedChecksum: number | undefined;
  /** The last operation that was read; a new stream continues after it. */
  after: string;
}

export interface HeldRow {
  readonly table: string;
  readonly id: string;
  /** The row as JSON, exactly as the service sent it, so that integers keep all of their digits. */
  readonly data: string;
  /** The columns of which only the beginning is kept, with their full number of characters. */
  readonly cut?: ReadonlyMap<string, number>;
  readonly opId: number;
  readonly bucket: string;
}

/** The meaning of a line for code that shows rows. */
type LineKind =
  | { readonly kind: 'checkpoint' | 'data' | 'complete' | 'other' }
  /** All buckets of this priority and of more urgent priorities are complete. */
  | { readonly kind: 'partly complete'; readonly priority: number }
  | { readonly kind: 'token'; readonly expiresIn: number };

interface BucketStates {
  readonly take: (line: Fields) => LineKind;
  readonly buckets: ReadonlyMap<string, BucketState>;
  readonly streams: () => readonly Fields[];
  readonly opId: () => string;
  /** Drops the contents of a bucket, so that the next stream reads it from the start. */
  readonly forget: (bucket: string) => void;
}

interface KeepOptions {
  /** Called for each row that enters or leaves a bucket. */
  readonly onRow?: (row: HeldRow, change: 'there' | 'gone') => void;
  /** Returns the part of a row's data that is kept. */
  readonly cutData?: (data: string) => Pick<HeldRow, 'data' | 'cut'>;
}

export function keepBuckets({
  onRow = () => {},
  cutData = (data) => ({ data }),
}: KeepOptions = {}): BucketStates {
  const buckets = new Map<string, BucketState>();
  let streams: readonly Fields[] = [];
  let opId = '0';

  function putBucket(value: unknown): string {
    const fields = fieldsOf(value);
    const name = textIn(fields, 'bucket') ?? '';
    const known = buckets.get(name);
    buckets.set(name, {
      name,
      // The value that clients assume if the service sends none.
      priority: numberIn(fields, 'priority') ?? 3,
      reasons: listOf(fields.subscriptions),
      rows: known?.rows ?? new Map(),
      checksum: known?.checksum ?? 0,
      expectedChecksum: numberIn(fields, 'checksum'),
      after: known?.after ?? '0',
    });
    return name;
  }

  function dropBucket(name: string): void {
    const rows = buckets.get(name)?.rows ?? new Map<string, HeldRow>();
    buckets.delete(name);
    for (const row of rows.values()) onRow(row, 'gone');
  }

  function takeCheckpoint(fields: Fields): void {
    opId = textIn(fields, 'last_op_id') ?? opId;
    streams = listOf(fields.streams).map(fieldsOf);
    const named = new Set(listOf(fields.buckets).map(putBucket));
    for (const name of [...buckets.keys()]) if (!named.has(name)) dropBucket(name);
  }

  function takeDiff(fields: Fields): void {
    opId = textIn(fields, 'last_op_id') ?? opId;
    for (const name of listOf(fields.removed_buckets)) dropBucket(String(name));
    for (const bucket of listOf(fields.updated_buckets)) putBucket(bucket);
  }

  function takeData(fields: Fields): void {
    const bucket = buckets.get(textIn(fields, 'bucket') ?? '');
    if (bucket === undefined) return;
    for (const operation of listOf(fields.data)) apply(fieldsOf(operation), bucket);
    bucket.after = textIn(fields, 'next_after') ?? bucket.after;
  }

  function apply(operation: Fields, bucket: BucketState): void {
    const { op, data, checksum } = operation;
    const ofOperation = typeof checksum === 'number' ? checksum : 0;
    if (op === 'CLEAR') clear(bucket);
    bucket.checksum = (bucket.checksum + ofOperation) | 0;
    if (op !== 'PUT' && op !== 'REMOVE') return;
    const table = textIn(operation, 'object_type') ?? '';
    const id = textIn(operation, 'object_id') ?? '';
    const key = JSON.stringify([table, id, operation.subkey ?? null]);
    const before = bucket.rows.get(key);
    bucket.rows.delete(key);
    if (before !== undefined) onRow(before, 'gone');
    if (op === 'REMOVE') return;
    const text = typeof data === 'string' ? data : JSON.stringify(data ?? null);
    const opId = Number(operation.op_id);
    const row: HeldRow = { table, id, ...cutData(text), opId, bucket: bucket.name };
    bucket.rows.set(key, row);
    onRow(row, 'there');
  }

  function clear(bucket: BucketState): void {
    const rows = [...bucket.rows.values()];
    bucket.rows.clear();
    bucket.checksum = 0;
    for (const row of rows) onRow(row, 'gone');
  }

  return {
    buckets,
    streams: () => streams,
    opId: () => opId,
    forget: dropBucket,
    take(line) {
      if ('data' in line) {
        takeData(fieldsOf(line.data));
        return { kind: 'data' };
      }
      if ('checkpoint' in line) {
        takeCheckpoint(fieldsOf(line.checkpoint));
        return { kind: 'checkpoint' };
      }
      if ('checkpoint_diff' in line) {
        takeDiff(fieldsOf(line.checkpoint_diff));
        return { kind: 'checkpoint' };
      }
      if ('checkpoint_complete' in line) return { kind: 'complete' };
      if ('partial_checkpoint_complete' in line) {
        const priority = numberIn(fieldsOf(line.partial_checkpoint_complete), 'priority') ?? 3;
        return { kind: 'partly complete', priority };
      }
      const expiresIn = numberIn(line, 'token_expires_in');
      return expiresIn === undefined ? { kind: 'other' } : { kind: 'token', expiresIn };
    },
  };
}
