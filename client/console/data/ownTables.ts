/** Reads the tables of a database with one statement, including everything that is needed to show and change their rows. */
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

const statement = `
SELECT n.nspname::text, c.relname::text, a.attname::text, pg_catalog.format_type(a.atttypid, a.atttypmod),
  CASE WHEN a.attnum = ANY (i.indkey) THEN 1 ELSE 0 END,
  CASE WHEN a.attgenerated <> '' OR a.attidentity = 'a' THEN 1 ELSE 0 END,
  CASE WHEN NOT a.attnotnull OR a.atthasdef OR a.attidentity <> '' THEN 1 ELSE 0 END
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary
WHERE c.relkind = 'r' AND c.relpersistence = 'p'
  AND n.nspname NOT IN ('headwater', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'
ORDER BY n.nspname <> 'public', n.nspname, c.relname, a.attnum`;

export async function readTables(
  transport: Pick<Transport, 'call'>,
  signal?: AbortSignal,
): Promise<readonly OwnTable[]> {
  const { rows } = await readSql(transport, statement, [], signal);
  const tables = new Map<string, { schema: string; name: string; columns: DataColumn[] }>();
  for (const [schema, name, column, type, isKey, isGenerated, isOptional] of rows) {
    const id = `${schema}.${name}`;
    const table = tables.get(id) ?? { schema: String(schema), name: String(name), columns: [] };
    tables.set(id, table);
    table.columns.push({
      name: String(column),
      type: String(type),
      isKey: isKey === 1,
      isGenerated: isGenerated === 1,
      isOptional: isOptional === 1,
    });
  }
  return [...tables.values()];
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
