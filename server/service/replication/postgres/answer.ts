/** Converts the rows of a user's statement to values. */
import { toConverter } from '../../../engine/plan/values/postgres/convert.ts';
import type { Types } from '../../../engine/plan/values/postgres/types.ts';
import type { QueryResult } from '../source.ts';
import type { ReadRows } from './reading.ts';

/** The options of a new config, except that structured values stay as the database writes them. */
const options = { timestampsIso8601: true, customPostgresTypes: false };

export function toQueryResult({ fields, rows, truncated }: ReadRows, types: Types): QueryResult {
  const converters = fields.map(({ type }) => toConverter(type, types, options));
  return {
    columns: fields.map(({ name }) => name),
    rows: rows.map((row) => row.map((text, at) => (text === null ? null : (converters[at]?.(text) ?? null)))),
    truncated,
  };
}
