/** The reports of our service about its last hour (`history`) and about the present (`events`). Other services do not send them. */
import { readSubscription } from './answers.ts';
import { fieldsOf, listOf, numberIn, present, textIn, timeIn } from './reading.ts';
import type { Subscription } from './synced.ts';

/** The values of one second. A value that was unknown at that time is undefined. */
export interface Second {
  /** The time on the service's clock, in milliseconds since 1970. */
  readonly at: number;
  /** The lag in seconds. */
  readonly lag?: number;
  /** The number of rows that were read from the source. */
  readonly rows: number;
  /** The number of operations that were sent to clients. */
  readonly operations: number;
  readonly clients: number;
  /** The size of the storage in bytes. */
  readonly storage?: number;
  /** The memory in bytes. */
  readonly memory?: number;
}

/** An event of the service with its time. */
export interface Happening {
  readonly id: number;
  readonly at: number;
  readonly kind: HappeningKind;
  /** A sentence about the event. */
  readonly message: string;
  /** The number of the deployed config. */
  readonly configNumber?: number;
  /** The error's code in the service's catalogue. */
  readonly code?: string;
}

const happeningKinds = ['start', 'deploy', 'copy', 'migration', 'restart', 'error'] as const;
type HappeningKind = (typeof happeningKinds)[number];

export interface WatchedClient {
  /** The id, which is unique for each connection. */
  readonly id: number;
  readonly user: string;
  readonly client?: string;
  /** The app's description of itself. */
  readonly app: Readonly<Record<string, string>>;
  readonly transport: string;
  readonly since: number;
  readonly subscriptions: readonly Subscription[];
  /** The last operation that was announced to the client. Absent before its first checkpoint. */
  readonly lastOp?: string;
  /** The time since which the client is missing announced operations. Absent if it has received all of them. */
  readonly behindSince?: number;
  readonly buckets: number;
  /** The streams that the client should get but does not, with the reasons. */
  readonly failing: readonly string[];
}

/** A line of the event stream. The first line is a full picture, and each later line changes it. */
export type WatchLine =
  | {
      readonly kind: 'picture';
      readonly at: number;
      readonly version: string;
      readonly seconds: readonly Second[];
      readonly happenings: readonly Happening[];
      readonly clients: readonly WatchedClient[];
      /** The number of clients, including those that are not listed. */
      readonly clientCount: number;
      readonly lastOp?: string;
    }
  | {
      readonly kind: 'second';
      readonly second: Second;
      readonly clientCount: number;
      /** The last operation that clients can have. */
      readonly lastOp?: string;
    }
  /** A newer checkpoint is available. */
  | { readonly kind: 'checkpoint'; readonly lastOp?: string }
  | { readonly kind: 'happening'; readonly happening: Happening }
  | {
      readonly kind: 'clients';
      readonly changed: readonly WatchedClient[];
      readonly gone: readonly number[];
    };

/** Returns undefined for an unknown line, because newer services may send other lines. */
export function readWatchLine(value: unknown): WatchLine | undefined {
  const fields = fieldsOf(value);
  switch (fields.kind) {
    case 'picture':
      return present({
        kind: 'picture' as const,
        at: timeIn(fields, 'at') ?? 0,
        version: textIn(fields, 'version') ?? '',
        seconds: listOf(fields.seconds).map(readSecond),
        happenings: listOf(fields.timeline).map(readHappening),
        clients: listOf(fields.clients).map(readClient),
        clientCount: numberIn(fields, 'client_count') ?? 0,
        lastOp: textIn(fields, 'last_op_id'),
      });
    case 'second':
      return present({
        kind: 'second' as const,
        second: readSecond(fields.second),
        clientCount: numberIn(fields, 'client_count') ?? 0,
        lastOp: textIn(fields, 'last_op_id'),
      });
    case 'checkpoint':
      return present({ kind: 'checkpoint' as const, lastOp: textIn(fields, 'last_op_id') });
    case 'happening':
      return { kind: 'happening', happening: readHappening(fields.happening) };
    case 'clients':
      return {
        kind: 'clients',
        changed: listOf(fields.changed).map(readClient),
        gone: listOf(fields.gone).filter((id): id is number => typeof id === 'number'),
      };
    default:
      return undefined;
  }
}

function readSecond(value: unknown): Second {
  const fields = fieldsOf(value);
  return present({
    at: timeIn(fields, 'at') ?? 0,
    lag: numberIn(fields, 'lag_seconds'),
    rows: numberIn(fields, 'rows') ?? 0,
    operations: numberIn(fields, 'operations') ?? 0,
    clients: numberIn(fields, 'clients') ?? 0,
    storage: numberIn(fields, 'storage_bytes'),
    memory: numberIn(fields, 'memory_bytes'),
  });
}

function readHappening(value: unknown): Happening {
  const fields = fieldsOf(value);
  return present({
    id: numberIn(fields, 'id') ?? 0,
    at: timeIn(fields, 'at') ?? 0,
    kind: happeningKinds.find((kind) => kind === fields.kind) ?? 'error',
    message: textIn(fields, 'message') ?? '',
    configNumber: numberIn(fields, 'config_number'),
    code: textIn(fields, 'code'),
  });
}

function readClient(value: unknown): WatchedClient {
  const fields = fieldsOf(value);
  const app = Object.entries(fieldsOf(fields.app_metadata)).map(([key, text]) => [key, String(text)]);
  return present({
    id: numberIn(fields, 'id') ?? 0,
    user: textIn(fields, 'user_id') ?? '',
    client: textIn(fields, 'client_id'),
    app: Object.fromEntries(app) as Record<string, string>,
    transport: textIn(fields, 'transport') ?? '',
    since: timeIn(fields, 'connected_ts') ?? 0,
    subscriptions: listOf(fields.subscriptions).map(readSubscription),
    lastOp: textIn(fields, 'last_op_id'),
    behindSince: timeIn(fields, 'behind_ts'),
    buckets: numberIn(fields, 'bucket_count') ?? 0,
    failing: listOf(fields.failing).map(String),
  });
}
