/**
 * The answers of our service about rows that a client does not have, and about the streams that clients can ask for. Other
 * services do not send them.
 */
import type { Absence, PlacedCondition } from '../../server/shared/absenceWords.ts';
import { type Fields, fieldsOf, listOf, numberIn, textIn } from './reading.ts';

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

interface ExplainedPage {
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

/** Returns the streams of the active config that a service has listed at {@link streamsPath}. */
export function readStreamNames(answer: unknown): readonly string[] {
  const { streams } = fieldsOf(fieldsOf(answer).data);
  return listOf(streams).flatMap((stream) => textIn(fieldsOf(stream), 'name') ?? []);
}

export function readExplained(answer: unknown): ExplainedPage {
  const data = fieldsOf(fieldsOf(answer).data);
  return {
    content: textIn(data, 'content') ?? '',
    isRead: data.is_read === true,
    rows: listOf(data.rows).map(readRow),
    after: textIn(data, 'after'),
    problem: textIn(data, 'problem'),
  };
}

function readRow(value: unknown): SourceRowAnswer {
  const fields = fieldsOf(value);
  const bytes = Object.entries(fieldsOf(fields.bytes)).flatMap(([name, size]) =>
    typeof size === 'number' ? [[name, size] as const] : [],
  );
  return {
    data: textIn(fields, 'data') ?? '{}',
    bytes: new Map(bytes),
    targets: listOf(fields.targets)
      .map(fieldsOf)
      .map((target) => ({ table: textIn(target, 'table') ?? '', id: textIn(target, 'id') ?? '' })),
    reasons: listOf(fields.reasons).map(readReason),
  };
}

function readReason(value: unknown): Absence {
  const fields = fieldsOf(value);
  return {
    stream: textIn(fields, 'stream') ?? '',
    kind: textIn(fields, 'kind') ?? '',
    ...readPlace(fields),
    held: listOf(fields.held).map(listOf),
    code: textIn(fields, 'code'),
    ...(fields.missing !== undefined && { missing: readMissing(fieldsOf(fields.missing)) }),
    conditions: listOf(fields.conditions).map(fieldsOf).map(readCondition),
    ...(fields.subscription !== undefined && { subscription: fieldsOf(fields.subscription) }),
  };
}

function readMissing(fields: Fields): Absence['missing'] {
  return { part: textIn(fields, 'part') ?? '', path: listOf(fields.path).map(String) };
}

function readCondition(fields: Fields): PlacedCondition {
  const { looked_up_in: table } = fields;
  return {
    kind: textIn(fields, 'kind') ?? '',
    holds: typeof fields.holds === 'boolean' ? fields.holds : 'unknown',
    ...readPlace(fields),
    held: Array.isArray(fields.held) ? fields.held : undefined,
    ...(table !== undefined && {
      lookedUpIn: {
        schema: textIn(fieldsOf(table), 'schema') ?? '',
        name: textIn(fieldsOf(table), 'name') ?? '',
      },
    }),
  };
}

function readPlace(fields: Fields): Pick<Absence, 'marks' | 'values'> {
  return {
    marks: listOf(fields.marks)
      .map(fieldsOf)
      .map((mark) => ({
        sql: textIn(mark, 'sql') ?? '',
        start: numberIn(mark, 'start') ?? 0,
        end: numberIn(mark, 'end') ?? 0,
      })),
    values: listOf(fields.values)
      .map(fieldsOf)
      .map((each) => ({ text: textIn(each, 'text') ?? '', value: each.value })),
  };
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

export function readOfferedStreams(answer: unknown): OfferedStreams {
  const data = fieldsOf(fieldsOf(answer).data);
  return {
    streams: listOf(data.streams)
      .map(fieldsOf)
      .map((stream) => ({
        name: textIn(stream, 'name') ?? '',
        isDefault: stream.is_default === true,
        parameters: listOf(stream.parameters).map(String),
      })),
    claims: listOf(data.claims).map(String),
    parameters: listOf(data.parameters).map(String),
    origin: data.origin === 'file' ? 'file' : 'service',
    ...(data.client !== undefined && {
      client: {
        claims: fieldsOf(fieldsOf(data.client).claims),
        parameters: fieldsOf(fieldsOf(data.client).parameters),
      },
    }),
  };
}
