/** Problems of the YAML and of the keys of a sync config. */
import { didYouMean, error, type FindingGroup, type NearName, warning } from './entry.ts';

interface NamedValue {
  readonly key: string;
  /** Present if nothing follows the key. */
  readonly isMissing?: true;
}

const subject = ({ key, isMissing }: NamedValue): string =>
  isMissing ? `\`${key}\` has no value. It` : `\`${key}\``;

export const yamlFindings = {
  'conflict-marker': error(
    'Unresolved merge conflict',
    () => 'This file contains an unresolved merge conflict. Keep one side, and remove the markers.',
  ),
  'no-config': error(
    'Not a config file',
    () => 'This is neither a sync config (with `streams` or `bucket_definitions`) nor a service config.',
  ),
  'yaml-syntax': error<{ reason: string }>('Invalid YAML', (a) => `This is not valid YAML: ${a.reason}`),
  'yaml-duplicate-key': error<{ key: string } & { line: number }>(
    'Duplicate key',
    (a) => `The key \`${a.key}\` is already defined in line ${a.line}.`,
  ),
  'yaml-multiple-documents': error(
    'More than one YAML document',
    () => 'A config must be a single YAML document. Remove this separator.',
  ),
  'yaml-too-deep': error<{ limit: number }>(
    'Nested too deeply',
    (a) => `This is nested more than ${a.limit} levels deep. No config needs that.`,
  ),

  'yaml-too-long': error('File too long', () => 'This is too much YAML in one piece; the rest is not read.'),
} satisfies FindingGroup;

export const structureFindings = {
  'config-not-a-map': error(
    'Config is not a map',
    () => 'The file must contain a map with the keys `config` and `streams`.',
  ),
  'missing-streams': error('Edition 3 without streams', () => 'Edition 3 needs a `streams` map.'),
  'missing-definitions': error(
    'Missing definitions',
    () => 'Nothing is defined here. Add `streams:` (with `config: edition: 3`) or `bucket_definitions:`.',
  ),
  'expected-map': error<NamedValue & { instead?: string }>(
    'Expected a map',
    (a) => `${subject(a)} must be a map of keys and values.${a.instead ? ` ${a.instead}` : ''}`,
  ),
  'expected-sequence': error<NamedValue>(
    'Expected a list',
    (a) => `${subject(a)} must be a list: put each item after a dash.`,
  ),
  'expected-scalar': error<NamedValue & { instead?: string }>(
    'Expected a single value',
    (a) => `${subject(a)} must be a single value.${a.instead ? ` ${a.instead}` : ''}`,
  ),
  'expected-string': error<NamedValue>(
    'Expected a string',
    (a) => `${subject(a)} must be a string. Put it in quotes.`,
  ),
  'expected-number': error<NamedValue>(
    'Expected a number',
    (a) => `${subject(a)} must be a number, without quotes.`,
  ),
  'expected-boolean': error<NamedValue>(
    'Expected true or false',
    (a) => `${subject(a)} must be true or false, without quotes.`,
  ),
  'unknown-key': error<{ key: string } & NearName & { instead?: string | undefined }>(
    'Unknown key',
    (a) => `The key \`${a.key}\` is not known here.${a.instead ? ` ${a.instead}` : didYouMean(a)}`,
  ),
  'complex-key': error('List or map as a key', () => 'A key must be plain text here, not a list or a map.'),
  'missing-key': error<{ name: string }>(
    'Missing `data` in a bucket definition',
    (a) => `The definition \`${a.name}\` needs a \`data\` list.`,
  ),
  'query-or-queries': error<{ name: string } & { found: 'both' | 'neither' }>(
    'Both or neither of `query` and `queries`',
    (a) =>
      a.found === 'both'
        ? `The stream \`${a.name}\` has both \`query\` and \`queries\`. Keep one of them.`
        : `The stream \`${a.name}\` needs a \`query\` or a list of \`queries\`.`,
  ),
  'bucket-definition-not-a-map': error<{ name: string }>(
    'Bucket definition is not a map',
    (a) => `The bucket definition \`${a.name}\` must be a map with \`data\` and, if needed, \`parameters\`.`,
  ),
  'bucket-definitions-in-edition-3': error(
    'Bucket definitions in edition 3',
    () => 'Edition 3 has no bucket definitions. Rewrite them as `streams`, or use `edition: 2`.',
  ),
  'streams-require-edition-2': error(
    'Missing edition for streams',
    () => 'Streams need an edition. Add `config:` with `edition: 3`.',
  ),
  'alpha-streams': warning(
    'Streams of edition 2',
    () => 'Streams before edition 3 are an outdated preview. Use `edition: 3`.',
  ),
  'cte-requires-edition-3': error(
    'Common table expressions before edition 3',
    () => 'Common table expressions (`with`) need `edition: 3`.',
  ),
  'queries-requires-edition-3': error(
    'Several queries in a stream before edition 3',
    () => 'A list of `queries` needs `edition: 3`.',
  ),
  'duplicate-definition': error<{ name: string }>(
    'Duplicate name of a stream and a bucket definition',
    (a) => `The name \`${a.name}\` is used for a stream and for a bucket definition. Rename one of them.`,
  ),
  'invalid-priority': error(
    'Priority out of range',
    () => 'A priority must be 0, 1, 2 or 3. 0 is the most urgent.',
  ),
  'schema-violation': error<{ key: string } & { reason: string }>(
    'Value not allowed by the format',
    (a) => `\`${a.key}\` ${a.reason}`,
  ),
} satisfies FindingGroup;

export const optionFindings = {
  'unsupported-storage-version': error<{ version: string }>(
    'Unknown storage version',
    (a) => `Storage version ${a.version} does not exist. Use 2.`,
  ),
  'unstable-storage-version': warning<{ version: string }>(
    'Unstable storage version',
    (a) => `Storage version ${a.version} may change at any time, and data may have to be replicated again.`,
  ),
  'unknown-time-precision': error<NearName>(
    'Unknown time precision',
    (a) => `Use seconds, milliseconds, microseconds or nanoseconds.${didYouMean(a)}`,
  ),
  'time-precision-needs-iso8601': error(
    'Time precision without ISO timestamps',
    () => '`timestamp_max_precision` has an effect only with `timestamps_iso8601: true`.',
  ),
  'sqlite-engine-needs-edition-3': error(
    'SQLite engine before edition 3',
    () => 'The SQLite expression engine needs `edition: 3`.',
  ),
  'sqlite-engine-needs-json-fix': error(
    'SQLite engine without the JSON fix',
    () => 'The SQLite expression engine cannot run with `fixed_json_extract: false`.',
  ),
} satisfies FindingGroup;
