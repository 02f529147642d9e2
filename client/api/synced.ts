/** What a client has after the lines of a sync stream: what an SDK would show, without its database. */
import { type Fields, fieldsOf, listOf, numberIn, textIn } from './reading.ts';

export interface SyncQuestion {
  /** Of the connection. */
  readonly parameters: Fields;
  readonly subscriptions: readonly Subscription[];
}

export interface Subscription {
  readonly stream: string;
  readonly parameters: Fields | null;
}

export interface SyncResult {
  /** The checkpoint: all of it is of one moment, if it is whole. */
  readonly opId: string;
  /** False: there was more than we read, and what we have may be outdated by what followed. */
  readonly isWhole: boolean;
  readonly buckets: readonly SyncBucket[];
  /** In sentences of the service: subscriptions that it could not answer. */
  readonly problems: readonly string[];
  /** Streams that were subscribed to, and that the service does not have. */
  readonly unknownStreams: readonly string[];
}

export interface SyncBucket {
  readonly name: string;
  readonly priority: number;
  readonly reasons: readonly SyncReason[];
  readonly rows: readonly SyncRow[];
}

export interface SyncReason {
  readonly stream: string;
  /** Given without being asked for, or because of the subscription with this number. */
  readonly subscription: 'default' | number;
}

interface SyncRow {
  readonly table: string;
  readonly id: string;
  /** JSON, as the service wrote it: integers keep all of their digits. */
  readonly data: string;
}

interface Collector {
  /** @returns whether the state is whole */
  take(line: Fields): boolean;
  readonly rows: () => number;
  readonly result: () => SyncResult;
}

interface Bucket {
  readonly priority: number;
  readonly reasons: readonly SyncReason[];
  /** By table, id and source row. */
  readonly rows: Map<string, SyncRow>;
}

export function collectSync({ subscriptions }: SyncQuestion): Collector {
  const buckets = new Map<string, Bucket>();
  let streams: readonly Fields[] = [];
  let opId = '0';
  let isWhole = false;

  function reasonOf(value: unknown): SyncReason {
    const fields = fieldsOf(value);
    const subscription = numberIn(fields, 'sub');
    if (subscription !== undefined)
      return { stream: subscriptions[subscription]?.stream ?? '', subscription };
    const stream = textIn(streams[numberIn(fields, 'default') ?? -1] ?? {}, 'name') ?? '';
    return { stream, subscription: 'default' };
  }

  /** Some services name the same one several times. */
  function reasonsOf(value: unknown): readonly SyncReason[] {
    const reasons = listOf(value).map(reasonOf);
    return [...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()];
  }

  function putBucket(value: unknown): string {
    const fields = fieldsOf(value);
    const name = textIn(fields, 'bucket') ?? '';
    buckets.set(name, {
      // What clients assume where the service does not say.
      priority: numberIn(fields, 'priority') ?? 3,
      reasons: reasonsOf(fields.subscriptions),
      rows: buckets.get(name)?.rows ?? new Map(),
    });
    return name;
  }

  function takeCheckpoint(fields: Fields): void {
    opId = textIn(fields, 'last_op_id') ?? opId;
    streams = listOf(fields.streams).map(fieldsOf);
    const named = new Set(listOf(fields.buckets).map(putBucket));
    for (const name of [...buckets.keys()]) if (!named.has(name)) buckets.delete(name);
  }

  function takeDiff(fields: Fields): void {
    opId = textIn(fields, 'last_op_id') ?? opId;
    for (const name of listOf(fields.removed_buckets)) buckets.delete(String(name));
    for (const bucket of listOf(fields.updated_buckets)) putBucket(bucket);
  }

  function takeData(fields: Fields): void {
    const rows = buckets.get(textIn(fields, 'bucket') ?? '')?.rows;
    if (rows === undefined) return;
    for (const operation of listOf(fields.data).map(fieldsOf)) apply(operation, rows);
  }

  return {
    take(line) {
      if ('checkpoint' in line) takeCheckpoint(fieldsOf(line.checkpoint));
      else if ('checkpoint_diff' in line) takeDiff(fieldsOf(line.checkpoint_diff));
      else if ('data' in line) takeData(fieldsOf(line.data));
      else if ('checkpoint_complete' in line) isWhole = true;
      return isWhole;
    },
    rows: () => [...buckets.values()].reduce((sum, { rows }) => sum + rows.size, 0),
    result: () => ({
      opId,
      isWhole,
      buckets: [...buckets].map(([name, { rows, ...bucket }]) => ({
        name,
        ...bucket,
        rows: [...rows.values()].sort(byTableAndId),
      })),
      problems: streams.flatMap(({ errors }) =>
        listOf(errors).map((error) => textIn(fieldsOf(error), 'message') ?? JSON.stringify(error)),
      ),
      unknownStreams: subscriptions
        .map(({ stream }) => stream)
        .filter((stream, index, all) => all.indexOf(stream) === index)
        .filter((stream) => !streams.some((each) => each.name === stream)),
    }),
  };
}

function apply(operation: Fields, rows: Map<string, SyncRow>): void {
  const table = textIn(operation, 'object_type') ?? '';
  const id = textIn(operation, 'object_id') ?? '';
  const key = JSON.stringify([table, id, operation.subkey ?? null]);
  switch (operation.op) {
    case 'PUT': {
      const { data } = operation;
      rows.set(key, { table, id, data: typeof data === 'string' ? data : JSON.stringify(data ?? null) });
      return;
    }
    case 'REMOVE':
      rows.delete(key);
      return;
    case 'CLEAR':
      rows.clear();
  }
}

/** So that the same rows come in the same order, whenever they were written. */
function byTableAndId(a: SyncRow, b: SyncRow): number {
  return compare(a.table, b.table) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
