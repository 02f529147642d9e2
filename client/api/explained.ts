/**
 * The answers of our service about rows that a client does not have, and about the streams that clients can ask for. Other
 * services do not send them.
 */
import type { Absence, PlacedCondition } from '../../server/shared/absenceWords.ts';
import { type Fields, fieldsOf, isObject, listOf, numberIn, textIn } from './reading.ts';

export interface SourceRowAnswer {
  /** The row as JSON, in which numbers keep all of their digits. */
  readonly data: string;
  /** The columns that contain bytes, with the number of bytes. */
  readonly bytes: ReadonlyMap<string, number>;
  /** The table and id of the row on the devices that have it. */
  readonly targets: readonly { readonly table: string; readonly id: string }[];
  /** The reasons. Empty for a row that the client should have, and for a row that no query reads. */
  readonly reasons: readonly Absence[];
}

export interface ExplainedPage {
  /** The active config. */
  readonly content: string;
  /** Whether the config reads the table at all. */
  readonly isRead: boolean;
  readonly rows: readonly SourceRowAnswer[];
  /** The beginning of the next page. */
  readonly after?: string | undefined;
  /** The reason why there are no rows. */
  readonly problem?: string | undefined;
}

export const explainPath = '/api/admin/v1/explain';
export const streamsPath = '/api/admin/v1/streams';

export function readExplained(answer: unknown): ExplainedPage {
  const data = fieldsOf(fieldsOf(answer).data);
  return {
    content: textIn(data, 'content') ?? '',
    isRead: data.is_read === true,
    rows: objectsIn(data.rows).map(readRow),
    after: textIn(data, 'after'),
    problem: textIn(data, 'problem'),
  };
}

function readRow(fields: Fields): SourceRowAnswer {
  const bytes = Object.entries(fieldsOf(fields.bytes)).flatMap(([name, size]) =>
    typeof size === 'number' ? [[name, size] as const] : [],
  );
  return {
    data: textIn(fields, 'data') ?? '{}',
    bytes: new Map(bytes),
    targets: objectsIn(fields.targets).map((target) => ({
      table: textIn(target, 'table') ?? '',
      id: textIn(target, 'id') ?? '',
    })),
    reasons: objectsIn(fields.reasons).map(readReason),
  };
}

function readReason(fields: Fields): Absence {
  const { missing, subscription } = fields;
  const part = textIn(fieldsOf(missing), 'part') ?? '';
  return {
    ...readPlaced(fields),
    stream: textIn(fields, 'stream') ?? '',
    missing: isObject(missing) ? { part, path: listOf(missing.path).map(String) } : undefined,
    conditions: objectsIn(fields.conditions).map(readCondition),
    subscription: isObject(subscription) ? subscription : undefined,
  };
}

function readCondition(fields: Fields): PlacedCondition {
  const { holds } = fields;
  const table = fieldsOf(fields.table);
  const name = textIn(table, 'name');
  return {
    ...readPlaced(fields),
    holds: typeof holds === 'boolean' ? holds : 'unknown',
    table: name === undefined ? undefined : { schema: textIn(table, 'schema') ?? '', name },
  };
}

function readPlaced(fields: Fields): Pick<Absence, 'kind' | 'marks' | 'values' | 'held' | 'code'> {
  return {
    kind: textIn(fields, 'kind') ?? '',
    marks: objectsIn(fields.marks).map((mark) => ({
      sql: textIn(mark, 'sql') ?? '',
      start: numberIn(mark, 'start') ?? 0,
      end: numberIn(mark, 'end') ?? 0,
    })),
    values: objectsIn(fields.values).map((each) => ({ text: textIn(each, 'text') ?? '', value: each.value })),
    held: Array.isArray(fields.held) ? fields.held : undefined,
    code: textIn(fields, 'code'),
  };
}

function objectsIn(value: unknown): readonly Fields[] {
  return listOf(value).map(fieldsOf);
}

export interface OfferedStream {
  readonly name: string;
  /** Whether clients get the stream without subscribing to it. */
  readonly isDefault: boolean;
  readonly parameters: readonly string[];
}

/** The streams that clients can ask for, and the values that determine the rows of a client. */
export interface OfferedStreams {
  readonly streams: readonly OfferedStream[];
  readonly claims: readonly string[];
  /** The parameters of the connection. */
  readonly parameters: readonly string[];
  /** `file`: the streams are from a sync config that may not be deployed, because the service does not report its streams. */
  readonly origin: 'service' | 'file';
  /** The client that the question was about, if it is connected. */
  readonly client?: {
    /** The claims that the config reads. */
    readonly claims: Readonly<Record<string, unknown>>;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
}

/** Reads the answer of a service at {@link streamsPath}. Entries without a name are not streams. */
export function readOfferedStreams(answer: unknown): OfferedStreams {
  const data = fieldsOf(fieldsOf(answer).data);
  const client = data.client === undefined ? undefined : fieldsOf(data.client);
  return {
    streams: objectsIn(data.streams).flatMap((stream) => {
      const name = textIn(stream, 'name');
      const parameters = listOf(stream.parameters).map(String);
      return name === undefined ? [] : [{ name, isDefault: stream.is_default === true, parameters }];
    }),
    claims: listOf(data.claims).map(String),
    parameters: listOf(data.parameters).map(String),
    origin: data.origin === 'file' ? 'file' : 'service',
    ...(client && { client: { claims: fieldsOf(client.claims), parameters: fieldsOf(client.parameters) } }),
  };
}
