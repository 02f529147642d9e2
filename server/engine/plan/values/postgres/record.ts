/**
 * Reads rows of a table by a separate statement, which returns PostgreSQL's text of each row and its columns. Replication can
 * convert them without any other input, so any service that runs statements can be used, no matter how it converts values.
 */
import { quoteName } from '../../../sql/names.ts';
import type { SqlValue } from '../value.ts';
import { toConverter, type ValueOptions } from './convert.ts';
import { readFields } from './texts.ts';
import { readTypes, selectTypes, type TypeRow } from './types.ts';

interface KeyedTable {
  readonly schema: string;
  readonly name: string;
  /** The name of the column whose text identifies the row. */
  readonly key: string;
}

/**
 * Returns a statement with one parameter, the text of the key. It selects at most one row with one column, for {@link
 * readRecord}.
 */
export function selectRecord({ schema, name, key }: KeyedTable): string {
  return `${withSettings}
SELECT ${record} AS record
FROM ONLY ${quoteName(schema)}.${quoteName(name)} AS t WHERE t.${quoteName(key)}::text = $1 LIMIT 1`;
}

/**
 * Returns a statement that lists rows in the order of the table, each with its position, from which the next page continues. It has
 * three parameters: a text that the rows must contain, ignoring case; the position of the previous row, initially `(0,0)`; and the
 * number of rows.
 */
export function selectRecords({ schema, name }: Pick<KeyedTable, 'schema' | 'name'>): string {
  return `${withSettings}
SELECT ${record} AS record, t.ctid::text AS place
FROM ONLY ${quoteName(schema)}.${quoteName(name)} AS t
WHERE t.ctid > $2::text::tid AND ($1::text = '' OR pg_catalog.strpos(pg_catalog.lower(ROW(t.*)::text), pg_catalog.lower($1::text)) > 0)
ORDER BY t.ctid LIMIT $3::text::int`;
}

const usualSettings = [
  ['TimeZone', 'UTC'],
  ['DateStyle', 'ISO'],
  ['IntervalStyle', 'postgres'],
  ['bytea_output', 'hex'],
  ['extra_float_digits', '1'],
] as const;

const withSettings = `
WITH settings AS (SELECT ${usualSettings.map(([setting, value]) => `pg_catalog.set_config('${setting}', '${value}', true)`).join(' || ')} AS made)`;

const columns = `FROM pg_catalog.pg_attribute a
    WHERE a.attrelid = t.tableoid AND a.attnum > 0 AND NOT a.attisdropped`;

/** Builds the record only if the settings are the same as in replication. A column may have the same name as the table. */
const record = `pg_catalog.json_build_object(
  'columns', (
    SELECT pg_catalog.json_agg(pg_catalog.json_build_object('name', a.attname, 'type', a.atttypid) ORDER BY a.attnum)
    ${columns}),
  'types', (
    SELECT pg_catalog.json_agg(types) FROM (${selectTypes(`ARRAY(SELECT a.atttypid ${columns})`)}) AS types),
  'record', CASE WHEN (SELECT made FROM settings) IS NOT NULL THEN ROW(t.*)::text END
)::text`;

type RecordRow = Readonly<Record<string, SqlValue>>;

interface Answer {
  readonly columns: readonly { readonly name: string; readonly type: number | string }[] | null;
  readonly types: readonly TypeRow[] | null;
  readonly record: string;
}

/** Returns undefined if the text is not an answer to {@link selectRecord}. */
export function readRecord(text: string, options: ValueOptions): RecordRow | undefined {
  try {
    const { columns, types: rows, record } = JSON.parse(text) as Answer;
    const types = readTypes(rows ?? []);
    const fields = readFields(record);
    const row: Record<string, SqlValue> = Object.create(null);
    for (const [at, { name, type }] of (columns ?? []).entries()) {
      const field = fields[at] ?? null;
      row[name] = field === null ? null : toConverter(Number(type), types, options)(field);
    }
    return row;
  } catch {
    return undefined;
  }
}
