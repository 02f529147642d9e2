/** Evaluates a sync config step by step: which buckets a row belongs to, and which buckets a client gets. */
import { valueText } from '../shared/absenceWords.ts';
import { type PlacedSql, placeInFile } from './file/place.ts';
import { type Config, plansOf } from './file/sync.ts';
import { type ConfigTracer, toConfigTracer } from './plan/evaluate/evaluate.ts';
import type { LookupAnswer } from './plan/evaluate/requests.ts';
import { type RequestDocument, type Row, requestDocument, type SourceTable } from './plan/evaluate/scope.ts';
import type { Origin } from './plan/expression.ts';
import { isJsonObject, type JsonObject, readJson, writeJson } from './plan/values/json.ts';
import { readRecord } from './plan/values/postgres/record.ts';
import { toBase64 } from './plan/values/scalarFunctions.ts';
import { type SourceRow, toSqlRow } from './plan/values/source.ts';
import { decidingColumnsIn } from './tests/decidingColumns.ts';

export interface Tracing {
  readonly tracer: ConfigTracer;
  /** Converts a row of the source to the values that the config sees. */
  readonly rowOf: (row: SourceRow) => Row;
  /** Reads a row from an answer to `selectRecord`; undefined if the text is not such an answer. */
  readonly recordOf: (text: string) => Row | undefined;
  /** Returns the columns of a table that decide where its rows go, in addition to those that are only synced. */
  readonly decidingColumns: (table: SourceTable) => ReadonlySet<string>;
  /** Returns the SQL at a place in a plan, and its span in the file. */
  readonly at: (stream: string, origin: Origin) => PlacedSql;
}

export function traceConfig(config: Config): Tracing {
  const { options } = config.surroundings;
  return {
    tracer: toConfigTracer(plansOf(config), { options }),
    rowOf: (row) => toSqlRow(row, options),
    recordOf: (text) => readRecord(text, options),
    decidingColumns: (table) => decidingColumnsIn(plansOf(config), table),
    at: (stream, origin) => placeInFile(config, stream, origin),
  };
}

/** Reads a row from JSON. Integers keep all their digits. Returns undefined if the JSON is not an object. */
export function readRow(json: string): SourceRow | undefined {
  try {
    const value = readJson(json);
    return isJsonObject(value) ? (value as SourceRow) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a row as JSON, one column per line. Bytes are described, because JSON cannot contain them. */
export function writeRow(row: Row): string {
  const lines = Object.keys(row).map((name) => {
    const value = row[name] ?? null;
    const text = value instanceof Uint8Array ? valueText(value) : writeJson(value);
    return `  ${JSON.stringify(name)}: ${text}`;
  });
  return `{\n${lines.join(',\n')}\n}`;
}

/** Converts claims or parameters. Integers keep all their digits. */
export function documentOf(values: SourceRow): RequestDocument {
  return requestDocument(writeJson(values as JsonObject));
}

/**
 * Converts a value for JSON, which has neither large integers nor bytes. Integers that JavaScript cannot represent exactly become text,
 * so that they stay exact, and bytes become base64.
 */
export function jsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Uint8Array) return toBase64(value);
  if (Array.isArray(value)) return value.map(jsonValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, jsonValue(inner)]));
}

export type { LookupAnswer, Row, SourceRow };
