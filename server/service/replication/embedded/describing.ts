/** SQL functions that describe the tables of the embedded database. */
import { firstUserOid, selectTypes } from '../../../engine/plan/values/postgres/types.ts';
import { columnShape } from '../postgres/columnShape.ts';

/**
 * The SQL that creates the functions. A description contains the types of the columns, so that each row is read with the types
 * that it had. A composite type, the row type of another table, and objects that `DROP … CASCADE` removes can change without the
 * table.
 */
export const describing = `
CREATE SCHEMA IF NOT EXISTS headwater;

CREATE OR REPLACE FUNCTION headwater.types(wanted oid[]) RETURNS json LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN (SELECT coalesce(json_agg(described ORDER BY oid), '[]') FROM (${selectTypes('wanted')}) AS described
    WHERE kind <> 'b' OR element IS NOT NULL OR oid >= ${firstUserOid});
END $$;

CREATE OR REPLACE FUNCTION headwater.describe(wanted oid) RETURNS text LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp AS $$
  SELECT json_build_object(
    'schema', n.nspname, 'name', c.relname, 'identityKind', c.relreplident,
    'columns', (
      SELECT coalesce(json_agg(json_build_object('name', a.attname, 'number', a.attnum, 'oid', a.atttypid::int8, 'type', t.typname)
        ORDER BY a.attnum), '[]')
      FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
    'details', (
      SELECT coalesce(jsonb_object_agg(a.attname, ${columnShape}), '{}') FROM pg_attribute a
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
    'file', c.relfilenode::int8,
    'types', (
      SELECT CASE WHEN count(*) = 0 THEN '[]' ELSE headwater.types(array_agg(t.oid)) END
      FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        AND (t.typtype <> 'b' OR t.typelem <> 0 OR t.oid >= ${firstUserOid})),
    'identity', (
      SELECT coalesce(json_agg(json_build_object('name', a.attname, 'type', t.typname,
        'cast', format_type(t.oid, NULL)) ORDER BY a.attnum), '[]')
      FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY ((i.indkey::int2[])[0:i.indnkeyatts - 1])
      JOIN pg_type t ON t.oid = a.atttypid
      WHERE i.indrelid = c.oid AND CASE c.relreplident WHEN 'i' THEN i.indisreplident ELSE i.indisprimary END))
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.oid = wanted AND c.relkind = 'r' AND c.relpersistence <> 't'
    AND n.nspname NOT IN ('headwater', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'
$$;
`;
