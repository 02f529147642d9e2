/**
 * Detects keys with generated columns. Unless they are published, the log contains a changed or deleted row without these columns,
 * so it does not show which row was changed. The server refuses such changes only since version 18.
 */
import { quoteName } from '../../../engine/sql/names.ts';
import { type PreflightProblem, repairable } from '../preflight.ts';
import { quoteTable } from './identifiers.ts';

/**
 * SQL for the columns of a table `c` that its identity index `i` contains, but the log does not. `p` is the table's row of
 * pg_publication_tables.
 */
export const generatedKey = `ARRAY(SELECT g.attname::text FROM pg_catalog.pg_attribute g
  WHERE g.attrelid = c.oid AND g.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])
    AND COALESCE(pg_catalog.to_jsonb(g) ->> 'attgenerated', '') <> '' AND (
      current_setting('server_version_num')::int < 180000
      OR NOT COALESCE(pg_catalog.to_jsonb(p) -> 'attnames' ? g.attname::text, false))
  ORDER BY g.attnum)`;

export function generatedKeyProblem(
  table: { readonly schema: string; readonly name: string },
  columns: readonly string[],
): PreflightProblem {
  const name = quoteTable(table);
  const names = columns.map(quoteName).join(', ');
  return repairable(
    {
      level: 'fatal',
      code: 'SVC_S1168',
      cause: `Rows of ${name} cannot be identified, because its key contains generated columns (${names}), which the source does not publish.`,
    },
    `ALTER TABLE ${name} REPLICA IDENTITY FULL;`,
  );
}
