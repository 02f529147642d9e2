/** The reports of a service about the amounts that its clients get, and about the limits for one client. */
import { dataOf } from './answers.ts';
import { type Fields, fieldsOf, listOf, numberIn, textIn } from './reading.ts';

export interface Forecast {
  /** The limits of one client. */
  readonly limits: { readonly buckets: number; readonly results: number };
  readonly groups: readonly ClientGroup[];
  readonly streams: readonly StreamAmounts[];
}

export interface Amounts {
  readonly buckets: number;
  /** The number of results as this service counts them. */
  readonly results: number;
  /** The number of results as PowerSync's service counts them. */
  readonly reference: number;
}

export interface StreamAmounts extends Amounts {
  readonly name: string;
  /** The fingerprint of the deployed stream. */
  readonly fingerprint: string;
  /** Whether the numbers are for each element of a list in a token or in parameters. */
  readonly perElement: boolean;
  /** Whether the numbers are only upper bounds, because not everything could be counted. */
  readonly atMost: boolean;
  /** The amount that PowerSync's service certainly reads for a user of the stream. */
  readonly surely: number;
}

/** Clients whose amounts depend on the same values of a token or of parameters. */
export interface ClientGroup {
  /** The deciding values, such as `auth.user_id()`. */
  readonly by: readonly string[];
  /** The number of clients with stored data. */
  readonly clients: number;
  /** The amounts of the streams that depend on these values. */
  readonly buckets: Spread;
  readonly results: Spread;
  readonly reference: Spread;
  readonly streams: readonly (Amounts & { readonly name: string })[];
  /** The maximum amounts of all other streams. */
  readonly others: Amounts & { readonly streams: readonly string[] };
  readonly most: readonly (Amounts & { readonly values: readonly unknown[] })[];
}

interface Spread {
  readonly most: number;
  readonly p99: number;
}

/**
 * Reads the forecast of a config that is not deployed. Null: the service does not support this question, and has answered about
 * its active config instead.
 */
export function readGivenForecast(value: unknown): Forecast | null | undefined {
  return dataOf(value)?.of === 'given' ? readForecast(value) : null;
}

/** Returns undefined if the value is not a forecast. */
export function readForecast(value: unknown): Forecast | undefined {
  const data = dataOf(value) ?? {};
  if (!Array.isArray(data.groups)) return undefined;
  const { buckets, results } = amountsIn(fieldsOf(data.limits));
  return {
    limits: { buckets, results },
    groups: data.groups.map(readGroup),
    streams: listOf(data.streams).map((each) => {
      const fields = fieldsOf(each);
      const fingerprint = textIn(fields, 'fingerprint') ?? '';
      return {
        ...namedAmounts(fields),
        fingerprint,
        perElement: fields.perElement === true,
        atMost: fields.atMost === true,
        surely: numberIn(fields, 'surely') ?? 0,
      };
    }),
  };
}

function readGroup(value: unknown): ClientGroup {
  const fields = fieldsOf(value);
  const others = fieldsOf(fields.others);
  return {
    by: listOf(fields.by).map(String),
    clients: numberIn(fields, 'clients') ?? 0,
    buckets: spreadIn(fieldsOf(fields.buckets)),
    results: spreadIn(fieldsOf(fields.results)),
    reference: spreadIn(fieldsOf(fields.reference)),
    streams: listOf(fields.streams).map((each) => namedAmounts(fieldsOf(each))),
    others: { ...amountsIn(others), streams: listOf(others.streams).map(String) },
    most: listOf(fields.most).map((each) => {
      const client = fieldsOf(each);
      return { values: listOf(client.values), ...amountsIn(client) };
    }),
  };
}

function namedAmounts(fields: Fields): Amounts & { readonly name: string } {
  return { name: textIn(fields, 'name') ?? '', ...amountsIn(fields) };
}

function amountsIn(fields: Fields): Amounts {
  return {
    buckets: numberIn(fields, 'buckets') ?? 0,
    results: numberIn(fields, 'results') ?? 0,
    reference: numberIn(fields, 'reference') ?? 0,
  };
}

function spreadIn(fields: Fields): Spread {
  return { most: numberIn(fields, 'most') ?? 0, p99: numberIn(fields, 'p99') ?? 0 };
}
