import { type KnownSource, readScripts } from '../../../server/engine/index.ts';
import type { World } from '../world.ts';

/** The tables of a database. Undefined if it has none. */
export async function sourceAt(
  address: string,
  { runSql }: Pick<World, 'runSql'>,
): Promise<KnownSource | undefined> {
  const results = await runSql(address, definitionsQuery);
  const text = results.flatMap(({ rows }) => rows.map(([statement]) => statement ?? '')).join('\n');
  return readScripts([{ path: 'the database', text }]);
}

const definitionsQuery = `SELECT format('CREATE TABLE %I.%I (%s);', n.nspname, c.relname, string_agg(
    format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' ORDER BY a.attnum))
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname !~ '^(pg_|information_schema$)' AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND a.attnum > 0 AND NOT a.attisdropped
  GROUP BY n.nspname, c.relname ORDER BY n.nspname, c.relname`;
