/** Counts the stored rows of small tables, in the PostgreSQL storage. */
import type { RowCount, Storage } from '../storage.ts';
import type { Database } from './database.ts';
import { schema } from './schema.ts';

export function countRows(
  { run }: Database,
  deployment: number,
  most: number,
): ReturnType<Storage['countRows']> {
  return run<RowCount & Record<string, unknown>>(
    `SELECT schema_name AS schema, name, counted.rows::integer AS rows FROM ${schema}.tables
     CROSS JOIN LATERAL (SELECT count(*) AS rows FROM (
       SELECT FROM ${schema}.current_rows WHERE source_table = tables.id LIMIT $2
     ) AS bounded) AS counted
     WHERE deployment = $1 AND counted.rows < $2`,
    [deployment, most + 1],
  );
}
