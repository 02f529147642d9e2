/** What `explain row` and `preview` have in common: a sync config that can be run, and rows in JSON. */
import {
  positionsIn,
  readRow,
  type SourceRow,
  type Tracing,
  tablesReadBy,
  traceConfig,
} from '../../server/engine/index.ts';
import { CliFailure } from './failure.ts';
import { readText } from './read.ts';
import { analyzeValid } from './validate/valid.ts';
import type { World } from './world.ts';

export interface TracedConfig extends Tracing {
  readonly defaultSchema: string;
  /** Their names. */
  readonly streams: readonly string[];
  /** That it reads. */
  readonly tables: readonly string[];
  /** `sync.yaml:8:12` */
  readonly placeOf: (stream: string, at: Parameters<Tracing['at']>[1]) => string;
}

export async function readTraced(path: string, { files }: World): Promise<TracedConfig> {
  const text = await readText(path, files);
  const { config } = analyzeValid(path, text);
  const tracing = traceConfig(config);
  const positionAt = positionsIn(text);
  return {
    ...tracing,
    defaultSchema: config.surroundings.defaultSchema,
    streams: config.definitions.map(({ definition }) => definition.name),
    tables: tablesReadBy(config),
    placeOf: (stream, at) => {
      const { line, character } = positionAt(tracing.at(stream, at).span.start);
      return `${path}:${line + 1}:${character + 1}`;
    },
  };
}

/** A JSON object, or `@` and the name of a file with one. */
export async function readObject(given: string, option: string, { files }: World): Promise<SourceRow> {
  const json = given.startsWith('@') ? await readText(given.slice(1), files) : given;
  const row = readRow(json);
  if (row === undefined)
    throw new CliFailure(`${option} must be a JSON object, such as '{"id": "1"}', or @FILE with one.`);
  return row;
}

/** `lists`, or `app.lists` */
export function tableNamed(name: string, defaultSchema: string) {
  const [first = '', second] = name.split('.');
  return second === undefined
    ? { tag: 'default', schema: defaultSchema, name: first }
    : { tag: 'default', schema: first, name: second };
}

/** A value for people: SQL's own notation. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return value instanceof Uint8Array ? `a BLOB of ${value.length} bytes` : String(value);
}

/** JSON has no such large numbers and no binary. */
export function jsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
