/** What a service tells of how much its clients get, beside what one client may have. */
import { dataOf } from './answers.ts';
import { type Fields, fieldsOf, listOf, numberIn, textIn } from './reading.ts';

export interface Forecast {
  /** What one client may have. */
  readonly limits: Amounts;
  readonly groups: readonly ClientGroup[];
  /** Streams of which it is not known how much a client gets. */
  readonly unknown: readonly { readonly stream: string; readonly reason: string }[];
}

export interface Amounts {
  readonly buckets: number;
  /** Values that lookups give. */
  readonly results: number;
}

/** Streams that depend on the same values of a token or of parameters. */
export interface ClientGroup {
  /** Such as `auth.user_id()`. */
  readonly by: readonly string[];
  /** How many there are for which something is stored. */
  readonly clients: number;
  /** Of how many of them was found out what they get. */
  readonly evaluated: number;
  readonly streams: readonly (Spread & { readonly name: string })[];
  readonly buckets: Spread;
  /** Before duplicates and other conditions. */
  readonly results: Spread;
  readonly most: readonly (Amounts & { readonly values: readonly unknown[] })[];
}

interface Spread {
  readonly most: number;
  readonly p99: number;
}

/** Undefined if it is no such answer. */
export function readForecast(value: unknown): Forecast | undefined {
  const data = dataOf(value) ?? {};
  if (!Array.isArray(data.groups)) return undefined;
  return {
    limits: amountsIn(fieldsOf(data.limits)),
    groups: data.groups.map(readGroup),
    unknown: listOf(data.unknown).map((each) => {
      const fields = fieldsOf(each);
      return { stream: textIn(fields, 'stream') ?? '', reason: textIn(fields, 'reason') ?? '' };
    }),
  };
}

function readGroup(value: unknown): ClientGroup {
  const fields = fieldsOf(value);
  return {
    by: listOf(fields.by).map(String),
    clients: numberIn(fields, 'clients') ?? 0,
    evaluated: numberIn(fields, 'evaluated') ?? 0,
    streams: listOf(fields.streams).map((each) => {
      const stream = fieldsOf(each);
      return { name: textIn(stream, 'name') ?? '', ...spreadIn(stream) };
    }),
    buckets: spreadIn(fieldsOf(fields.buckets)),
    results: spreadIn(fieldsOf(fields.results)),
    most: listOf(fields.most).map((each) => {
      const client = fieldsOf(each);
      return { values: listOf(client.values), ...amountsIn(client) };
    }),
  };
}

function amountsIn(fields: Fields): Amounts {
  return { buckets: numberIn(fields, 'buckets') ?? 0, results: numberIn(fields, 'results') ?? 0 };
}

function spreadIn(fields: Fields): Spread {
  return { most: numberIn(fields, 'most') ?? 0, p99: numberIn(fields, 'p99') ?? 0 };
}
