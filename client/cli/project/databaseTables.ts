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

/**
 * Enums come first, because columns use them. The type of a column with a domain is the base type of the domain. Objects whose rows
 * no service replicates, such as views, are created as what they are.
 */
const definitionsQuery = `
SELECT statement || ';' FROM (
  SELECT 1 AS place, format('CREATE TYPE %I.%I AS ENUM (%s)', n.nspname, t.typname,
    string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder)) AS statement
  FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace JOIN pg_enum e ON e.enumtypid = t.oid
  GROUP BY n.nspname, t.typname
  UNION ALL
  SELECT 2, format('CREATE %s TABLE %I.%I (%s) %s',
    CASE WHEN c.relkind = 'f' THEN 'FOREIGN' WHEN c.relpersistence = 'u' THEN 'UNLOGGED' END,
    n.nspname, c.relname, concat_ws(', ',
    (SELECT string_agg(format('%I %s%s', a.attname,
        CASE t.typtype WHEN 'd' THEN format_type(t.typbasetype, t.typtypmod) ELSE format_type(a.atttypid, a.atttypmod) END,
        CASE WHEN a.attnotnull THEN ' NOT NULL' END), ', ' ORDER BY a.attnum)
      FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
    (SELECT string_agg(pg_get_constraintdef(k.oid), ', ' ORDER BY k.contype DESC, k.conname)
      FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype IN ('p', 'f'))),
    'PARTITION BY ' || pg_get_partkeydef(c.oid))
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'f') AND n.nspname <> 'information_schema'
    AND n.nspname <> 'headwater' AND n.nspname !~ '^pg_'
  UNION ALL
  SELECT 3, format('CREATE %s VIEW %I.%I (%s) AS SELECT 1', CASE c.relkind WHEN 'm' THEN 'MATERIALIZED' END,
    n.nspname, c.relname, (SELECT string_agg(format('%I', a.attname), ', ' ORDER BY a.attnum)
      FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped))
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('v', 'm') AND n.nspname <> 'information_schema'
    AND n.nspname <> 'headwater' AND n.nspname !~ '^pg_'
) AS statements ORDER BY place, statement`;
