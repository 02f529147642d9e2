/** Reads the `config` map and derives the defaults of the edition. */
import { nearest } from '../text/nearest.ts';
import type { YamlMap, YamlNode } from '../yaml/nodes.ts';
import type { Edition, Options, TimePrecision } from './definition.ts';
import {
  argsAt,
  boolean,
  type Hints,
  type Keys,
  type MapFields,
  missingBlank,
  number,
  readMapFields,
  type SourceText,
  string,
} from './shape.ts';

interface Settings {
  readonly edition: Edition;
  readonly storage_version: number;
  readonly timestamps_iso8601: boolean;
  readonly timestamp_max_precision: TimePrecision;
  readonly versioned_bucket_ids: boolean;
  readonly fixed_json_extract: boolean;
  readonly custom_postgres_types: boolean;
  readonly unstable_sqlite_expression_engine: boolean;
}

const keys: Keys<Settings> = {
  edition: readEdition,
  storage_version: readStorageVersion,
  timestamps_iso8601: boolean,
  timestamp_max_precision: readPrecision,
  versioned_bucket_ids: boolean,
  fixed_json_extract: boolean,
  custom_postgres_types: boolean,
  unstable_sqlite_expression_engine: boolean,
};

/** Hints for options that were written at the top of the file instead of below `config`. */
export const optionHints: Hints = Object.fromEntries(
  Object.keys(keys).map((name) => [name, 'Move it below `config`.']),
);

/** The editions to assume if no edition is written, or if it cannot be read. */
interface DefaultEditions {
  readonly missing: Edition;
  readonly unreadable: Edition;
}

export function readOptions(source: SourceText, config: YamlNode, assumed: DefaultEditions): Options {
  if (config.kind !== 'map') {
    source.report('expected-map', config.span, { ...argsAt(config, 'config'), ...missingBlank(config) });
    return defaultOptions(assumed.unreadable);
  }
  const fields = readMapFields(source, config, keys);
  const edition =
    fields.edition === undefined ? assumed.missing : (fields.edition.value ?? assumed.unreadable);
  const options = optionsOf(fields, edition);
  checkTogether(source, config, fields, options);
  return options;
}

export function defaultOptions(edition: Edition): Options {
  return optionsOf({}, edition);
}

function optionsOf(fields: MapFields<Settings>, edition: Edition): Options {
  const modern = edition >= 2;
  const storageVersion = fields.storage_version?.value;
  const timestampMaxPrecision = fields.timestamp_max_precision?.value;
  return {
    edition,
    ...(storageVersion !== undefined && { storageVersion }),
    timestampsIso8601: fields.timestamps_iso8601?.value ?? modern,
    ...(timestampMaxPrecision !== undefined && { timestampMaxPrecision }),
    versionedBucketIds: fields.versioned_bucket_ids?.value ?? modern,
    fixedJsonExtract: fields.fixed_json_extract?.value ?? modern,
    customPostgresTypes: fields.custom_postgres_types?.value ?? modern,
    sqliteEngine: fields.unstable_sqlite_expression_engine?.value ?? false,
  };
}

function checkTogether(
  { report }: SourceText,
  config: YamlMap,
  fields: MapFields<Settings>,
  options: Options,
): void {
  if (fields.timestamp_max_precision !== undefined && !options.timestampsIso8601)
    report('time-precision-needs-iso8601', config.span, {});
  if (!options.sqliteEngine) return;
  if (options.edition < 3) report('sqlite-engine-needs-edition-3', config.span, {});
  else if (!options.fixedJsonExtract) report('sqlite-engine-needs-json-fix', config.span, {});
}

/** Reads an edition. Until a final check rejects them, the reference counts `edition: 2.5` as 2 and `edition: 4` as 3. */
function readEdition(source: SourceText, node: YamlNode, key: string): Edition | undefined {
  const value = number(source, node, key);
  if (value === undefined) return editionMeant(node);
  if (value !== 1 && value !== 2 && value !== 3)
    source.report('schema-violation', node.span, { key, reason: 'must be 1, 2 or 3. Use 3.' });
  if (value >= 3) return 3;
  return value >= 2 ? 2 : 1;
}

/**
 * Returns the intended edition of an invalid value. `edition: "3"` is rejected, but its meaning is clear, so it causes no further
 * errors.
 */
function editionMeant(node: YamlNode): Edition | undefined {
  const text = node.kind === 'scalar' ? node.text.trim() : '';
  return editions.get(text);
}

const editions: ReadonlyMap<string, Edition> = new Map([
  ['1', 1],
  ['2', 2],
  ['3', 3],
]);

function readStorageVersion(source: SourceText, node: YamlNode, key: string): number | undefined {
  const value = number(source, node, key);
  if (value === undefined) return undefined;
  if (value === 2) return 2;
  const version = node.kind === 'scalar' ? node.text : String(value);
  source.report(value === 3 ? 'unstable-storage-version' : 'unsupported-storage-version', node.span, {
    version,
  });
  return value === 3 ? 3 : undefined;
}

const precisions: readonly TimePrecision[] = ['seconds', 'milliseconds', 'microseconds', 'nanoseconds'];

function readPrecision(source: SourceText, node: YamlNode, key: string): TimePrecision | undefined {
  const word = string(source, node, key);
  if (word === undefined) return undefined;
  const precision = precisions.find((known) => known === word);
  if (precision === undefined)
    source.report('unknown-time-precision', node.span, { near: nearest(word, precisions) });
  return precision;
}
