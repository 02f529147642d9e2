/** The replicated part of a table: the columns and rows that the publication contains. */

import { quoteName } from '../../../../engine/sql/names.ts';
import { type PreflightProblem, wordsOf } from '../../preflight.ts';
import { SourceFailure, type TableInfo } from '../../source.ts';
import { publication } from '../health.ts';
import { quoteTable } from '../identifiers.ts';
import type { Queries } from '../queries.ts';
import { hiddenRows, isSecured, mayHideRows } from '../rowSecurity.ts';
import type { ColumnShape } from '../rows.ts';
import { isIdentityIndex } from '../tableShape.ts';
import { generatedKey, type UnloggedKey, unloggedKeyProblem, withheldKey } from '../unloggedKeys.ts';

export interface CopyShape {
  readonly columns: readonly ColumnShape[];
  /** The statement that reads the table, without conditions: `SELECT … FROM …`. */
  readonly select: string;
  /** SQL conditions for the published rows. */
  readonly conditions: readonly string[];
  /** Whether row-level security applies, although its policies currently hide no rows. */
  readonly isSecured: boolean;
}

/** Fails if row-level security may hide rows of the table, or if the log does not identify its rows. */
export async function readShape(queries: Queries, table: TableInfo): Promise<CopyShape> {
  const version = await queries.version();
  const found = await queries.all<ColumnRow>(statement(version), [table.sourceId, publication]);
  const [first] = found;
  if (first?.hides_rows) throw failureOf(hiddenRows([table], first.username));
  const unlogged = first && unloggedKeyProblem(table, first);
  if (unlogged !== undefined) throw failureOf(unlogged);
  const keys = new Set(table.identity.map(({ name }) => name));
  const columns = found.map(({ name, type }) => ({ name, type, isKey: keys.has(name) }));
  const filter = first?.filter ?? null;
  const names = columns.map(({ name }) => quoteName(name)).join(', ');
  return {
    columns,
    // Tables that inherit from this one are replicated separately.
    select: `SELECT ${names} FROM ONLY ${quoteTable(table)}`,
    conditions: filter === null ? [] : [`(${filter})`],
    isSecured: first?.is_secured ?? false,
  };
}

function failureOf(problem: PreflightProblem): SourceFailure {
  return new SourceFailure('settings', problem.code, wordsOf(problem));
}

interface ColumnRow extends UnloggedKey {
  readonly name: string;
  readonly type: number;
  readonly filter: string | null;
  readonly is_secured: boolean;
  readonly hides_rows: boolean;
  /** The user of the connection. */
  readonly username: string;
}

/**
 * Returns the statement that reads the published columns. Publications can have column lists and conditions since version 15, and
 * can include generated columns since 18. A value that the log does not contain must not be copied either, because the first
 * change would remove it.
 */
function statement(version: number): string {
  const published =
    version >= 150_000
      ? `LEFT JOIN LATERAL (
           SELECT p.attnames, p.rowfilter FROM pg_catalog.pg_publication_tables p
           JOIN pg_catalog.pg_class c ON c.relname = p.tablename
           JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND n.nspname = p.schemaname
           WHERE p.pubname = $2 AND c.oid = $1
         ) p ON true`
      : 'CROSS JOIN (SELECT NULL::name[] AS attnames, NULL::text AS rowfilter WHERE $2 IS NOT NULL) p';
  const plain = version >= 180_000 ? 'true' : `COALESCE(to_jsonb(a) ->> 'attgenerated', '') = ''`;
  return `
SELECT a.attname::text AS name, a.atttypid AS type, p.rowfilter AS filter,
  ${isSecured} AS is_secured, ${mayHideRows} AS hides_rows, current_user::text AS username,
  ${generatedKey} AS generated_key, ${withheldKey} AS withheld_key
FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid ${published}
LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND ${isIdentityIndex}
WHERE a.attrelid = $1 AND a.attnum > 0 AND NOT a.attisdropped AND ${plain}
  AND (p.attnames IS NULL OR a.attname = ANY (p.attnames))
ORDER BY a.attnum`;
}
