/** Creates the errors that a client gets for streams that cannot be evaluated for it. */
import type { RuntimeCode } from '../../engine/plan/values/failure.ts';
import type { Excess } from './overLimit.ts';

const sentences: Readonly<Record<RuntimeCode, string>> = {
  'invalid-json': 'A string that is read as JSON is not JSON.',
  'json-each-invalid-json': 'json_each() got a string that is not JSON.',
  'json-each-not-text': 'The argument of json_each() is neither a string nor NULL.',
  'json-each-argument-count': 'json_each() has no argument.',
  'json-too-deep': 'A JSON value is nested too deeply.',
  'json-path-needs-dollar': 'The path of json_extract() does not begin with $.',
  'invalid-json-path': 'A JSON path cannot be read.',
  'json-keys-not-object': 'json_keys() got JSON that is not an object.',
  'not-a-json-array': 'IN got JSON that is not an array.',
  'blob-comparison': 'Two blobs are compared.',
  'invalid-uuid': 'uuid_blob() got a string that is not a UUID.',
  'invalid-geometry': 'A geometry cannot be read.',
  'operator-not-evaluable': 'An operator cannot be evaluated.',
  'function-not-evaluable': 'A function cannot be evaluated.',
  'unknown-table-function': 'A table function is unknown.',
  'missing-column': 'A column is missing.',
  'too-many-results':
    'Its lookups return too many results for one client, so nothing of it is synced. Select rows by a column with fewer distinct values.',
  'value-too-large': 'A value is too large.',
};

export function sentenceFor(code: RuntimeCode): string {
  return sentences[code];
}

const settings: Readonly<Record<Excess['limit'], string>> = {
  buckets: 'max_buckets_per_connection',
  results: 'max_parameter_query_results',
};

export function sentenceForExcess({ reason, buckets, limit, most }: Excess): string {
  const what = reason.subscription === 'default' ? 'stream' : 'subscription';
  const number = `${buckets.toLocaleString('en')} ${buckets === 1 ? 'bucket' : 'buckets'}`;
  const limited = `${most.toLocaleString('en')} (${settings[limit]})`;
  const fits = buckets <= most ? ' Together with the other streams, that is too many.' : '';
  return `This ${what} would give the client ${number}, and the limit of one client is ${limited}.${fits} Nothing of it is synced; everything else is. Select rows by a column with fewer distinct values, or subscribe only to what is on the screen.`;
}
