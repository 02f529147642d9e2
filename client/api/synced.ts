/** The rows of a client after the lines of a sync stream, as an SDK would have them, without its database. */
import { t } from '../l10n.ts';
import { type HeldRow, keepBuckets } from './bucketStates.ts';
import { type Fields, fieldsOf, listOf, numberIn, textIn } from './reading.ts';

export interface SyncQuestion {
  /** The parameters of the connection. */
  readonly parameters: Fields;
  readonly subscriptions: readonly Subscription[];
}

export interface Subscription {
  readonly stream: string;
  readonly parameters: Fields | null;
}

export interface SyncResult {
  /** The checkpoint. If the result is whole, all of its rows belong to this checkpoint. */
  readonly opId: string;
  /**
   * Whether the result is complete. If reading stopped early, rows may be missing, and later operations may have changed the
   * others.
   */
  readonly isWhole: boolean;
  readonly buckets: readonly SyncBucket[];
  /** The service's sentences about subscriptions that it could not answer. */
  readonly problems: readonly string[];
  /** Subscribed streams that the service does not have. */
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
  /** `default` if the client gets the bucket without subscribing, otherwise the number of the subscription. */
  readonly subscription: 'default' | number;
}

type SyncRow = Pick<HeldRow, 'table' | 'id' | 'data'>;

interface Collector {
  /** @returns whether the state is whole */
  take(line: Fields): boolean;
  readonly rows: () => number;
  readonly result: () => SyncResult;
}

export function collectSync({ subscriptions }: SyncQuestion): Collector {
  const states = keepBuckets();
  let isWhole = false;
  const reasonOf = (value: unknown) => readReason(value, states.streams(), subscriptions);

  return {
    take(line) {
      if (states.take(line).kind === 'complete') isWhole = true;
      return isWhole;
    },
    rows: () => [...states.buckets.values()].reduce((sum, bucket) => sum + bucket.rows.size, 0),
    result: () => ({
      opId: states.opId(),
      isWhole,
      buckets: [...states.buckets.values()].map(({ name, priority, reasons, rows }) => ({
        name,
        priority,
        reasons: distinctReasons(reasons.map(reasonOf)),
        rows: [...rows.values()].sort(byTableAndId).map(({ table, id, data }) => ({ table, id, data })),
      })),
      problems: problemsIn(states.streams()),
      unknownStreams: subscriptions
        .map(({ stream }) => stream)
        .filter((stream, index, all) => all.indexOf(stream) === index)
        .filter((stream) => !states.streams().some((each) => each.name === stream)),
    }),
  };
}

/** Returns the service's sentences about problems with streams, each once. */
export function problemsIn(streams: readonly Fields[]): readonly string[] {
  const named = new Map<string, Set<string>>();
  for (const stream of streams)
    for (const error of listOf(stream.errors)) {
      const message = textIn(fieldsOf(error), 'message') ?? JSON.stringify(error);
      const names = named.get(message) ?? new Set();
      named.set(message, names.add(textIn(stream, 'name') ?? ''));
    }
  return [...named].map(([message, names]) => {
    const [first = ''] = names;
    return names.size === 1 ? message : t('{0} streams, such as {1}: {2}', names.size, first, message);
  });
}

function readReason(
  value: unknown,
  streams: readonly Fields[],
  subscriptions: readonly Subscription[],
): SyncReason {
  const fields = fieldsOf(value);
  const subscription = numberIn(fields, 'sub');
  if (subscription !== undefined) return { stream: subscriptions[subscription]?.stream ?? '', subscription };
  const stream = textIn(streams[numberIn(fields, 'default') ?? -1] ?? {}, 'name') ?? '';
  return { stream, subscription: 'default' };
}

/** Removes duplicates, because some services name the same reason several times. */
function distinctReasons(reasons: readonly SyncReason[]): readonly SyncReason[] {
  return [...new Map(reasons.map((reason) => [JSON.stringify(reason), reason])).values()];
}

/** Orders rows independently of the time when they were written. */
function byTableAndId(a: SyncRow, b: SyncRow): number {
  return compare(a.table, b.table) || compare(a.id, b.id);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
