/** SQL for the parts of a column's definition that decide which values existing rows have. */
import { firstUserOid, selectTypes } from '../../../engine/plan/values/postgres/types.ts';

/**
 * Returns a `ColumnShape` of the column `a` of `pg_attribute`. `xmin` changes with each change of the column's definition or of a
 * label. Commands that rewrite the table, such as `VACUUM FULL`, do not change it.
 */
export const columnShape = `pg_catalog.jsonb_build_object(
  'displayType', pg_catalog.format_type(a.atttypid, a.atttypmod),
  'changedBy', a.xmin::text,
  'isFilled', COALESCE((pg_catalog.to_jsonb(a) ->> 'atthasmissing')::bool, false),
  'facts', pg_catalog.jsonb_build_object(
    'type', a.atttypid::text,
    'generated', (
      SELECT pg_catalog.md5(g.adbin::text) FROM pg_catalog.pg_attrdef g
      WHERE g.adrelid = a.attrelid AND g.adnum = a.attnum
        AND COALESCE(pg_catalog.to_jsonb(a) ->> 'attgenerated', '') <> '')
  ) || CASE WHEN a.atttypid < ${firstUserOid} THEN '{}' ELSE COALESCE((
    SELECT pg_catalog.jsonb_object_agg(f.key, f.value)
    FROM (${selectTypes('ARRAY[a.atttypid]')}) AS d
    CROSS JOIN LATERAL (
      SELECT 'type ' || d.oid::text AS key, pg_catalog.concat_ws(' ', d.kind::text, d.element::text, d.base::text,
        d.subtype::text, d.range::text, d.field_names::text, d.field_types::text) AS value
      UNION ALL
      SELECT 'label ' || e.oid::text, e.enumlabel::text || ' ' || e.xmin::text
      FROM pg_catalog.pg_enum e WHERE e.enumtypid = d.oid
    ) AS f
    WHERE d.oid >= ${firstUserOid}), '{}') END)`;
