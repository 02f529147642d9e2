/** A sync config, run by hand: where a row goes, and what a client gets. */
import { type PlacedSql, placeInFile } from './file/place.ts';
import { type Config, plansOf } from './file/sync.ts';
import { type ConfigTracer, toConfigTracer } from './plan/evaluate/evaluate.ts';
import type { LookupAnswer } from './plan/evaluate/requests.ts';
import { type RequestDocument, type Row, requestDocument } from './plan/evaluate/scope.ts';
import type { Origin } from './plan/expression.ts';
import { isJsonObject, type JsonObject, readJson, writeJson } from './plan/values/json.ts';
import { readRecord } from './plan/values/postgres/record.ts';
import { type SourceRow, toSqlRow } from './plan/values/source.ts';

export interface Tracing {
  readonly tracer: ConfigTracer;
  /** The row as the config sees it. */
  readonly rowOf: (row: SourceRow) => Row;
  /** The same of an answer to `selectRecord`; undefined if it is none. */
  readonly recordOf: (text: string) => Row | undefined;
  /** The text written there, and its place in the file. */
  readonly at: (stream: string, origin: Origin) => PlacedSql;
}

export function traceConfig(config: Config): Tracing {
  const { options } = config.surroundings;
  return {
    tracer: toConfigTracer(plansOf(config), { options }),
    rowOf: (row) => toSqlRow(row, options),
    recordOf: (text) => readRecord(text, options),
    at: (stream, origin) => placeInFile(config, stream, origin),
  };
}

/** Reads a row from JSON; integers keep all of their digits. Returns undefined if it is not an object. */
export function readRow(json: string): SourceRow | undefined {
  try {
    const value = readJson(json);
    return isJsonObject(value) ? (value as SourceRow) : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a row as JSON, with a line for each column. Bytes, which JSON does not have, are described. */
export function writeRow(row: Row): string {
  const lines = Object.keys(row).map((name) => {
    const value = row[name] ?? null;
    const text = value instanceof Uint8Array ? `a BLOB of ${value.length} bytes` : writeJson(value);
    return `  ${JSON.stringify(name)}: ${text}`;
  });
  return `{\n${lines.join(',\n')}\n}`;
}

/** Claims or parameters; integers keep all of their digits. */
export function documentOf(values: SourceRow): RequestDocument {
  return requestDocument(writeJson(values as JsonObject));
}

export type { LookupAnswer, Row, SourceRow };
