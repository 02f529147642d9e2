/** Reads the tables of a database, including everything that is needed to show and change their rows. */
import { fieldsOf, listOf } from '../../api/reading.ts';
import type { Transport } from '../link/transport.ts';

interface DataColumn {
  readonly name: string;
  readonly type: string;
  /** Whether the column is part of the primary key. */
  readonly isKey: boolean;
  /** Whether the database computes the value. */
  readonly isGenerated: boolean;
  /** Whether the column may be left out of a new row. */
  readonly isOptional: boolean;
}

export interface OwnTable {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly DataColumn[];
}

/** One row for each table, because a statement returns only a limited number of rows. Each column is an array of five values. */
const statement = `
SELECT n.nspname::text, c.relname::text, pg_catalog.jsonb_agg(pg_catalog.jsonb_build_array(
    a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod),
    coalesce(a.attnum = ANY (i.indkey), false),
    a.attgenerated <> '' OR a.attidentity = 'a',
    NOT a.attnotnull OR a.atthasdef OR a.attidentity <> ''
  ) ORDER BY a.attnum)::text
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary
WHERE c.relkind = 'r' AND c.relpersistence = 'p'
  AND n.nspname NOT IN ('headwater', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'
GROUP BY n.nspname, c.relname
ORDER BY n.nspname <> 'public', n.nspname, c.relname
OFFSET $1::int`;

export async function readTables(
  transport: Pick<Transport, 'call'>,
  signal?: AbortSignal,
): Promise<readonly OwnTable[]> {
  const tables: OwnTable[] = [];
  for (;;) {
    const { rows, isTruncated } = await readSql(transport, statement, [tables.length], signal);
    tables.push(...rows.map(toTable));
    if (!isTruncated || rows.length === 0) return tables;
  }
}

function toTable([schema, name, columns]: readonly unknown[]): OwnTable {
  return {
    schema: String(schema),
    name: String(name),
    columns: listOf(JSON.parse(String(columns))).map((column) => {
      const [own, type, isKey, isGenerated, isOptional] = listOf(column);
      return {
        name: String(own),
        type: String(type),
        isKey: isKey === true,
        isGenerated: isGenerated === true,
        isOptional: isOptional === true,
      };
    }),
  };
}

export interface ReadingResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Whether there are more rows. */
  readonly isTruncated: boolean;
}

/** Runs a read-only statement. Rejects with the error message of the database. */
export async function readSql(
  transport: Pick<Transport, 'call'>,
  query: string,
  args: readonly (string | number | boolean)[] = [],
  signal?: AbortSignal,
): Promise<ReadingResult> {
  const answer = await transport.call('POST', '/api/admin/v1/execute-sql', { sql: { query, args } }, signal);
  const data = fieldsOf(fieldsOf(answer).data);
  if (data.success !== true) throw new Error(String(data.error ?? 'The service does not run SQL.'));
  const results = fieldsOf(data.results);
  return {
    columns: listOf(results.columns).map(String),
    rows: listOf(results.rows).map(listOf),
    isTruncated: data.truncated === true,
  };
}
