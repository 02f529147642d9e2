/**
 * Compares our evaluation with the recorded rows and requests of the examples.
 *
 * - Outputs and buckets are compared as sets. Bucket ids may differ, but the same rows and requests must share a bucket.
 * - The data of a row is compared as JSON that keeps number forms. The order of columns does not matter.
 * - Reasons are compared as sets. A bucket that the reference lists twice, as static and as dynamic, is one bucket.
 */
import { readFileSync } from 'node:fs';
import type { Options, TimePrecision } from '../../../server/engine/model/definition.ts';
import { toConfigEvaluator } from '../../../server/engine/plan/evaluate/evaluate.ts';
import type { LookupAnswer } from '../../../server/engine/plan/evaluate/requests.ts';
import type { LookupRecord } from '../../../server/engine/plan/evaluate/rows.ts';
import { requestDocument, type SourceTable } from '../../../server/engine/plan/evaluate/scope.ts';
import type { StreamPlan } from '../../../server/engine/plan/plan.ts';
import { isJsonObject, type Json, readJson } from '../../../server/engine/plan/values/json.ts';
import {
  dateTime,
  type SourceRow,
  type SourceValue,
  timeOfDay,
  toSqlRow,
} from '../../../server/engine/plan/values/source.ts';
import type { SqlValue } from '../../../server/engine/plan/values/value.ts';

/** The results for each row and each request, as sorted lines of text in which buckets have canonical names. */
export interface Evaluation {
  readonly rows: readonly (readonly string[])[];
  readonly requests: readonly (readonly string[])[];
  readonly tables: readonly string[];
}

interface BucketRowLike {
  readonly bucket: string;
  readonly table: string;
  readonly id: string;
  readonly data: string;
}

interface GivenLike {
  readonly bucket: string;
  readonly priority: number;
  readonly definition: string;
  readonly reasons: readonly (string | number)[];
}

interface RowLike {
  readonly outputs?: readonly BucketRowLike[];
  readonly errors?: readonly string[];
  readonly lookup_errors?: readonly string[];
}

interface RequestLike {
  readonly buckets?: readonly GivenLike[];
  readonly errors?: readonly {
    readonly stream: string;
    readonly subscription: string | number;
    readonly code: string;
  }[];
  readonly crash?: string;
}

export interface RecordedRows {
  readonly options?: { readonly default_schema?: string; readonly bucket_version?: string | number };
  readonly input?: { readonly rows?: readonly Json[]; readonly requests?: readonly Json[] };
  readonly result: {
    readonly outcome: string;
    readonly source_tables?: readonly string[];
    readonly rows?: readonly RowLike[];
    readonly requests?: readonly RequestLike[];
    readonly evaluation_crash?: string;
  };
}

const folder = new URL('../../fixtures/examples/', import.meta.url);

export function readRecorded(name: string): RecordedRows {
  // The exact reader is needed for integers that a double cannot represent.
  const file = readJson(readFileSync(new URL(`${name}.expected.json`, folder), 'utf8')) as never as {
    options?: RecordedRows['options'];
    input?: RecordedRows['input'];
    results: Record<string, RecordedRows['result']>;
  };
  return {
    ...(file.options && { options: file.options }),
    ...(file.input && { input: file.input }),
    result: file.results['0.40.0'] as RecordedRows['result'],
  };
}

export function theirs({ result }: RecordedRows): Evaluation {
  return canonical(result.rows ?? [], result.requests ?? [], result.source_tables ?? []);
}

export function ours(recorded: RecordedRows, plans: readonly StreamPlan[], options: Options): Evaluation {
  const { bucket_version: version, default_schema: defaultSchema = 'public' } = recorded.options ?? {};
  const evaluator = toConfigEvaluator(plans, {
    options,
    ...(version !== undefined && { version: String(version) }),
  });
  const entries: LookupRecord[] = [];
  const rows = (recorded.input?.rows ?? []).map((input): RowLike => {
    const { table, record } = input as { table: string; record: Json };
    const result = evaluator.rowsOf(tableOf(table, defaultSchema))(toSqlRow(recordOf(record), options));
    entries.push(...result.entries);
    return {
      outputs: result.rows,
      errors: codesOf(result.failures.filter(({ side }) => side === 'bucket')),
      lookup_errors: codesOf(result.failures.filter(({ side }) => side === 'lookup')),
    };
  });
  const requests = (recorded.input?.requests ?? []).map((input) => {
    const { buckets, failures } = finish(evaluator.request(requestOf(input)), entries);
    return {
      buckets: buckets.map(({ bucket, priority, reasons }) => ({
        bucket,
        priority,
        definition: reasons.map(({ stream }) => stream).join(' '),
        reasons: reasons.map(({ subscription }) => subscription),
      })),
      errors: failures.map(({ reason, code }) => ({ ...reason, code })),
    };
  });
  return canonical(
    rows,
    requests,
    evaluator.tables.map(
      ({ tag, schema, name }) =>
        `${tag}.${schema.text}${schema.wildcard ? '%' : ''}.${name.text}${name.wildcard ? '%' : ''}`,
    ),
  );
}

/** Returns the rows that each request gets, as clients see them, regardless of the names of their buckets. */
export function reachedRows(
  recorded: RecordedRows,
  plans: readonly StreamPlan[],
  options: Options,
): readonly (readonly string[])[] {
  const { default_schema: defaultSchema = 'public' } = recorded.options ?? {};
  const evaluator = toConfigEvaluator(plans, { options });
  const results = (recorded.input?.rows ?? []).map((input) => {
    const { table, record } = input as { table: string; record: Json };
    return evaluator.rowsOf(tableOf(table, defaultSchema))(toSqlRow(recordOf(record), options));
  });
  const rows = results.flatMap((result) => result.rows);
  const entries = results.flatMap((result) => result.entries);
  return (recorded.input?.requests ?? []).map((input) => {
    const { buckets } = finish(evaluator.request(requestOf(input)), entries);
    const names = new Set(buckets.map(({ bucket }) => bucket));
    const found = rows.filter(({ bucket }) => names.has(bucket));
    return unique(found.map(({ table, id, data }) => `${table} ${id} ${sortedJson(data)}`));
  });
}

/** Runs an evaluation to its end, and answers its lookups from the entries of all rows. */
export function finish<T>(
  evaluation: Generator<readonly string[], T, LookupAnswer>,
  entries: readonly LookupRecord[],
): T {
  const stored = new Map<string, (readonly SqlValue[])[]>();
  for (const { key, values } of entries) stored.set(key, [...(stored.get(key) ?? []), values]);
  let step = evaluation.next();
  while (!step.done) step = evaluation.next(new Map(step.value.map((key) => [key, stored.get(key) ?? []])));
  return step.value;
}

function codesOf(failures: readonly { readonly code: string }[]): string[] {
  return failures.map(({ code }) => code);
}

function tableOf(text: string, defaultSchema: string): SourceTable {
  const [name = '', schema = defaultSchema, tag = 'default'] = text.split('.').reverse();
  return { tag, schema, name };
}

function requestOf(input: Json) {
  const {
    jwt,
    connection = {},
    subscriptions = [],
    include_defaults: includeDefaults = true,
  } = input as {
    jwt: Json;
    connection?: Json;
    subscriptions?: { stream: string; parameters?: Json; priority?: bigint }[];
    include_defaults?: boolean;
  };
  return {
    claims: documentOf(jwt),
    connection: documentOf(connection),
    includeDefaults,
    subscriptions: subscriptions.map(({ stream, parameters, priority }) => ({
      stream,
      ...(parameters != null && { parameters: documentOf(parameters) }),
      ...(priority !== undefined && { priority: Number(priority) as 0 | 1 | 2 | 3 }),
    })),
  };
}

function documentOf(json: Json) {
  return requestDocument(jsonText(json));
}

/** Returns JSON text with the number forms that were read. */
function jsonText(json: Json): string {
  if (typeof json === 'bigint') return String(json);
  if (typeof json === 'number') return Number.isInteger(json) ? `${json}.0` : String(json);
  if (Array.isArray(json)) return `[${json.map(jsonText).join(',')}]`;
  if (!isJsonObject(json)) return JSON.stringify(json);
  return `{${Object.entries(json)
    .map(([key, value]) => `${JSON.stringify(key)}:${jsonText(value)}`)
    .join(',')}}`;
}

function recordOf(record: Json): SourceRow {
  return Object.fromEntries(
    Object.entries(record as object).map(([name, value]) => [name, sourceValue(value)]),
  );
}

function sourceValue(value: Json): SourceValue {
  if (!isJsonObject(value)) return value as SourceValue;
  const form = value as Record<string, string> & {
    precision?: TimePrecision;
    default_precision?: TimePrecision;
  };
  if ('integer' in form) return BigInt(form.integer);
  if ('real' in form) return realOf(form.real);
  if ('blob' in form) return Uint8Array.from(Buffer.from(form.blob, 'hex'));
  if ('db' in form) return driverValue(form.db);
  const { precision, default_precision: shown, legacy } = form;
  const settings = {
    precision: precision ?? 'microseconds',
    ...(shown && { shown }),
    ...(legacy && { legacy }),
  };
  return 'time' in form ? timeOfDay(form.time, settings) : dateTime(form.datetime ?? '', settings);
}

function realOf(text: string | bigint | number): number {
  if (typeof text !== 'string') return Number(text);
  return (
    { inf: Number.POSITIVE_INFINITY, '-inf': Number.NEGATIVE_INFINITY, nan: Number.NaN }[text] ?? Number(text)
  );
}

/** Returns a value as a JavaScript driver returns it: all numbers are doubles. */
function driverValue(value: Json): SourceValue {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(driverValue);
  if (!isJsonObject(value)) return value as SourceValue;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, driverValue(item)]));
}

function canonical(
  rows: readonly RowLike[],
  requests: readonly RequestLike[],
  tables: readonly string[],
): Evaluation {
  const names = bucketNames(rows, requests);
  return {
    rows: rows.map((row) => [
      ...unique(
        (row.outputs ?? []).map(
          (out) => `${names(out.bucket)} ${out.table} ${out.id} ${sortedJson(out.data)}`,
        ),
      ),
      ...unique((row.errors ?? []).map((code) => `failed: ${code}`)),
      ...unique((row.lookup_errors ?? []).map((code) => `lookup failed: ${code}`)),
    ]),
    requests: requests.map((request) => [
      ...mergedBuckets(request.buckets ?? [])
        .map(
          (given) =>
            `${names(given.bucket)} priority ${given.priority} ${given.definition} for ${given.reasons}`,
        )
        .sort(),
      ...unique((request.errors ?? []).map((e) => `failed: ${e.stream} ${e.subscription} ${e.code}`)),
      ...(request.crash === undefined ? [] : [`crash: ${request.crash}`]),
    ]),
    tables: unique(tables),
  };
}

/** Names each bucket after the places where it occurs, so that bucket ids may differ. */
function bucketNames(rows: readonly RowLike[], requests: readonly RequestLike[]): (bucket: string) => string {
  const places = new Map<string, Set<string>>();
  const add = (bucket: string, place: string) => {
    const known = places.get(bucket) ?? new Set();
    places.set(bucket, known.add(place));
  };
  rows.forEach((row, i) => {
    for (const out of row.outputs ?? []) add(out.bucket, `row ${i} as ${out.table} ${out.id}`);
  });
  requests.forEach((request, i) => {
    for (const { bucket } of request.buckets ?? []) add(bucket, `request ${i}`);
  });
  return (bucket) => `<${[...(places.get(bucket) ?? [])].join(', ')}>`;
}

function mergedBuckets(buckets: readonly GivenLike[]): GivenLike[] {
  const merged = new Map<string, GivenLike>();
  for (const given of buckets) {
    const known = merged.get(given.bucket) ?? { ...given, reasons: [], definition: '' };
    merged.set(given.bucket, {
      bucket: given.bucket,
      priority: Math.min(Number(given.priority), Number(known.priority)),
      definition: unique([...known.definition.split(' '), ...given.definition.split(' ')])
        .join(' ')
        .trim(),
      reasons: unique([...known.reasons, ...given.reasons].map(String)),
    });
  }
  return [...merged.values()];
}

function sortedJson(data: string): string {
  const object = readJson(data.replace(/:(NaN|-?Infinity)\b/g, ':null')) as Record<string, Json>;
  return Object.keys(object)
    .sort()
    .map((key) => `${key}=${jsonText(object[key] as Json)}`)
    .join(' ');
}

function unique(lines: readonly string[]): string[] {
  return [...new Set(lines)].sort();
}
