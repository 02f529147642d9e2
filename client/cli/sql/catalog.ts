/** The tables of a PostgreSQL server as SQL that would make them: what reads a project's files reads these, too. */
import { type KnownSource, readSqlFiles } from '../../../server/engine/index.ts';
import { CliFailure } from '../failure.ts';
import type { World } from '../world.ts';

export async function readDatabaseSchema(address: string, { runSql }: World): Promise<KnownSource> {
  // Not the text itself: it may hold a password.
  if (!URL.canParse(address))
    throw new CliFailure(
      '--schema must be an address such as postgresql://USER:PASSWORD@HOST:5432/DATABASE. In a password, # is written %23, and @ is %40.',
    );
  const [result] = await runSql(address, statementsOfTables);
  const text = (result?.rows ?? []).map(([statement]) => `${statement};`).join('\n');
  const source = readSqlFiles([{ path: 'database.sql', text }]);
  if (source === undefined) throw new CliFailure('There is no table in the database of --schema.');
  return source;
}

/** Enums first, since columns have them. A column of a domain is read as what the domain is made of. */
const statementsOfTables = `
SELECT statement FROM (
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
