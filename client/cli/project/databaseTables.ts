import { type KnownSource, readScripts } from '../../../server/engine/index.ts';
import type { World } from '../world.ts';

/** Returns the tables of a database. Undefined if there are none. */
export async function sourceAt(
  address: string,
  { runSql }: Pick<World, 'runSql'>,
): Promise<KnownSource | undefined> {
  const results = await runSql(address, definitionsQuery);
  const text = results.flatMap(({ rows }) => rows.map(([statement]) => statement ?? '')).join('\n');
  const source = readScripts([{ path: 'the database', text }]);
  if (source === undefined) return undefined;
  // No file of the project says which tables the database has.
  const { from: _, ...catalog } = source.catalog;
  return { ...source, catalog };
}

/** Enums come first, because columns use them. The type of a column with a domain is the base type of the domain. */
const definitionsQuery = `
SELECT statement || ';' FROM (
  SELECT 1 AS place, format('CREATE TYPE %I.%I AS ENUM (%s)', n.nspname, t.typname,
    string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder)) AS statement
  FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace JOIN pg_enum e ON e.enumtypid = t.oid
  GROUP BY n.nspname, t.typname
  UNION ALL
  SELECT 2, format('CREATE TABLE %I.%I (%s)', n.nspname, c.relname, concat_ws(', ',
    (SELECT string_agg(format('%I %s%s', a.attname,
        CASE t.typtype WHEN 'd' THEN format_type(t.typbasetype, t.typtypmod) ELSE format_type(a.atttypid, a.atttypmod) END,
        CASE WHEN a.attnotnull THEN ' NOT NULL' END), ', ' ORDER BY a.attnum)
      FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
    (SELECT string_agg(pg_get_constraintdef(k.oid), ', ' ORDER BY k.contype DESC, k.conname)
      FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('p', 'f'))))
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND n.nspname <> 'information_schema'
    AND n.nspname <> 'headwater' AND n.nspname !~ '^pg_'
) AS statements ORDER BY place, statement`;
