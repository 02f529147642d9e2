/** Reads the server's own identifiers of a table's place in the publication, and of its columns. */
import type { TableShape } from '../source.ts';
import { columnShape } from './columnShape.ts';
import { publication } from './health.ts';
import type { Queries } from './queries.ts';

/** SQL for an index that distinguishes all rows of a table. */
export const keyOfTable = `
  SELECT FROM pg_catalog.pg_index u WHERE u.indrelid = c.oid AND u.indisunique AND u.indimmediate AND u.indisvalid
    AND u.indpred IS NULL AND u.indexprs IS NULL AND NOT EXISTS (
      SELECT FROM pg_catalog.pg_attribute k WHERE k.attrelid = c.oid AND NOT k.attnotnull
        AND k.attnum = ANY ((u.indkey::int2[])[0:u.indnkeyatts - 1]))`;

/** SQL for whether an index `i` identifies the rows of its table `c` in the log. The server ignores a deferrable or invalid one. */
export const isIdentityIndex = `(i.indimmediate AND i.indisvalid AND
  CASE c.relreplident WHEN 'd' THEN i.indisprimary WHEN 'i' THEN i.indisreplident ELSE false END)`;

/** SQL for whether the primary key of a table `c` is deferrable, so that it does not identify rows in the log. */
export const hasDeferrableKey = `EXISTS (
  SELECT FROM pg_catalog.pg_index d WHERE d.indrelid = c.oid AND d.indisprimary AND NOT d.indimmediate)`;

/**
 * SQL for whether the user of the connection may read the published columns of a table `c`. `p` is the table's row of
 * pg_publication_tables, which lists columns since version 15.
 */
export const maySelect = `(has_table_privilege(c.oid, 'SELECT') OR NOT EXISTS (
  SELECT FROM pg_catalog.pg_attribute s WHERE s.attrelid = c.oid AND s.attnum > 0 AND NOT s.attisdropped
    AND COALESCE(pg_catalog.to_jsonb(p) -> 'attnames' ? s.attname::text, true)
    AND NOT has_column_privilege(c.oid, s.attnum, 'SELECT')))`;

/** Returns the shapes of all tables that are published now. */
export async function readShapes(
  queries: Pick<Queries, 'all' | 'version'>,
  oids: readonly number[],
): Promise<ReadonlyMap<number, TableShape>> {
  const rows = await queries.all<ShapeRow>(statement(await queries.version()), [oids, publication]);
  return new Map(
    rows.map(({ oid, keyless, ...shape }) => [
      oid,
      { ...shape, ...(keyless && { isKeyless: true as const }) },
    ]),
  );
}

interface ShapeRow extends Required<Omit<TableShape, 'isKeyless'>> {
  readonly keyless: boolean;
  readonly oid: number;
}

/** SQL for whether the log contains the column `a`. Generated columns can be published since version 18. */
const isPublished = `
  CASE WHEN l.prattrs IS NOT NULL THEN a.attnum = ANY (l.prattrs::int2[])
    ELSE COALESCE(pg_catalog.to_jsonb(a) ->> 'attgenerated', '') = '' OR pg_catalog.to_jsonb(p) ->> 'pubgencols' = 's' END`;

/**
 * Returns the statement. A table can be in a publication individually, through a table of which it is a partition, through its
 * schema (since version 15), or because the publication includes all tables. Each time a table or a schema is added, the entry
 * gets a new number. This also happens when its condition or its list of columns changes. The publication's row is written again
 * when its options change, and some kinds of changes may have been skipped meanwhile.
 */
function statement(version: number): string {
  const bySchema =
    version >= 150_000
      ? `UNION ALL SELECT 's' || pn.oid FROM pg_catalog.pg_publication_namespace pn
           WHERE pn.pnpubid = p.oid AND pn.pnnspid = c.relnamespace`
      : '';
  const above =
    version >= 120_000
      ? 'SELECT c.oid UNION SELECT relid FROM pg_catalog.pg_partition_ancestors(c.oid)'
      : 'SELECT c.oid';
  const list =
    version >= 150_000
      ? 'LEFT JOIN pg_catalog.pg_publication_rel l ON l.prpubid = p.oid AND l.prrelid = c.oid'
      : 'CROSS JOIN (SELECT NULL::int2vector AS prattrs) l';
  return `
SELECT c.oid, concat_ws(' ', p.oid, p.xmin, m.ways) AS membership, n.columns, n.published, n.details, c.relfilenode AS file,
  c.relreplident = 'f' AND NOT EXISTS (${keyOfTable}) AS keyless
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_publication p ON p.pubname = $2
${list}
CROSS JOIN LATERAL (
  SELECT string_agg(way, ' ' ORDER BY way) AS ways FROM (
    SELECT 'all' AS way WHERE p.puballtables
    UNION ALL SELECT 't' || pr.oid FROM pg_catalog.pg_publication_rel pr
      WHERE pr.prpubid = p.oid AND pr.prrelid IN (${above})
    ${bySchema}
  ) found
) m
CROSS JOIN LATERAL (
  SELECT COALESCE(jsonb_object_agg(a.attname::text, a.attnum), '{}') AS columns,
    COALESCE(jsonb_agg(a.attname::text ORDER BY a.attnum) FILTER (WHERE ${isPublished}), '[]') AS published,
    COALESCE(jsonb_object_agg(a.attname::text, ${columnShape}), '{}') AS details
  FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
) n
WHERE c.oid = ANY ($1::oid[]) AND m.ways IS NOT NULL`;
}
