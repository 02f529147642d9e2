/** The common part of `explain row` and `preview`: a sync config that can run, and rows in JSON. */
import {
  type Absence,
  absencesOf,
  positionsIn,
  type RequestTrace,
  type RuleTrace,
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
  /** The names of the streams. */
  readonly streams: readonly string[];
  /** The tables that the config reads. */
  readonly tables: readonly string[];
  /** Returns the place of a part of a stream, for example `sync.yaml:8:12`. */
  readonly placeOf: (stream: string, at: Parameters<Tracing['at']>[1]) => string;
  /** Returns the place of an offset in the file, in the same form. */
  readonly placeAt: (offset: number) => string;
  readonly absencesOf: (rules: readonly RuleTrace[], request: RequestTrace) => readonly Absence[];
}

export async function readTraced(path: string, { files }: World): Promise<TracedConfig> {
  const text = await readText(path, files);
  const { config } = analyzeValid(path, text);
  const tracing = traceConfig(config);
  const positionAt = positionsIn(text);
  const placeAt = (offset: number): string => {
    const { line, character } = positionAt(offset);
    return `${path}:${line + 1}:${character + 1}`;
  };
  return {
    ...tracing,
    defaultSchema: config.surroundings.defaultSchema,
    streams: config.definitions.map(({ definition }) => definition.name),
    tables: tablesReadBy(config),
    placeAt,
    placeOf: (stream, at) => placeAt(tracing.at(stream, at).span.start),
    absencesOf: (rules, request) => absencesOf(config, rules, request),
  };
}

/** Reads a JSON object, or `@` and the name of a file that contains one. */
export async function readObject(given: string, option: string, { files }: World): Promise<SourceRow> {
  const json = given.startsWith('@') ? await readText(given.slice(1), files) : given;
  const row = readRow(json);
  if (row === undefined)
    throw new CliFailure(
      `${option} must be a JSON object, such as '{"id": "1"}', or @FILE for a file that contains one.`,
    );
  return row;
}
