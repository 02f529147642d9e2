/** The data types of PostgreSQL whose values are not written as plain text. */

export type PgType =
  | { readonly kind: 'base'; readonly oid: number; readonly name: string }
  | { readonly kind: 'array'; readonly name: string; readonly element: number; readonly delimiter: string }
  | { readonly kind: 'domain'; readonly name: string; readonly base: number }
  | { readonly kind: 'composite'; readonly name: string; readonly fields: readonly TypeField[] }
  | { readonly kind: 'range'; readonly name: string; readonly of: number }
  | { readonly kind: 'multirange'; readonly name: string; readonly of: number };

interface TypeField {
  readonly name: string;
  readonly type: number;
}

/** Types by oid, with all types of which they consist. */
export interface Types {
  readonly get: (oid: number) => PgType | undefined;
}

/** The first oid that is not of one of PostgreSQL's own types. */
export const firstUserOid = 16_384;

/** An oid as a number, or as text if the row was JSON. */
type Oid = number | string;

/** A row of {@link selectTypes}. */
export interface TypeRow {
  readonly oid: Oid;
  readonly name: string;
  readonly kind: string;
  readonly delimiter: string;
  readonly element: Oid | null;
  readonly base: Oid;
  readonly subtype: Oid | null;
  readonly range: Oid | null;
  readonly field_names: readonly string[] | null;
  readonly field_types: readonly Oid[] | null;
}

export function readTypes(rows: readonly TypeRow[]): ReadonlyMap<number, PgType> {
  return new Map(rows.map((row) => [Number(row.oid), readType(row)]));
}

function readType(row: TypeRow): PgType {
  const { name } = row;
  if (row.element !== null)
    return { kind: 'array', name, element: Number(row.element), delimiter: row.delimiter };
  switch (row.kind) {
    case 'd':
      return { kind: 'domain', name, base: Number(row.base) };
    case 'r':
      return { kind: 'range', name, of: Number(row.subtype) };
    case 'm':
      return { kind: 'multirange', name, of: Number(row.range) };
    case 'c': {
      const types = row.field_types ?? [];
      const fields = (row.field_names ?? []).map((field, at) => ({ name: field, type: Number(types[at]) }));
      return { kind: 'composite', name, fields };
    }
    default:
      return { kind: 'base', oid: Number(row.oid), name };
  }
}

/**
 * Returns SQL that selects the types and, recursively, the types of which they consist. It works in any version: multiranges exist
 * since version 14.
 *
 * @param oids an expression of type `oid[]`
 */
export function selectTypes(oids: string): string {
  return `
WITH RECURSIVE needed(oid) AS (
  SELECT pg_catalog.unnest(${oids})
  UNION
  SELECT pg_catalog.unnest(ARRAY[d.element, NULLIF(d.base, 0), d.subtype, d.range] || d.field_types)
  FROM needed n CROSS JOIN LATERAL (${described}) d
)
SELECT d.* FROM needed n CROSS JOIN LATERAL (${described}) d`;
}

/** Describes the type `n.oid`. */
const described = `
  SELECT t.oid, t.typname::text AS name, t.typtype AS kind, t.typdelim AS delimiter, t.typbasetype AS base,
    CASE WHEN t.typtype = 'b' AND t.typoutput = 'pg_catalog.array_out'::pg_catalog.regproc THEN t.typelem END AS element,
    (SELECT r.rngsubtype FROM pg_catalog.pg_range r WHERE r.rngtypid = t.oid) AS subtype,
    CASE WHEN t.typtype = 'm' THEN (
      SELECT r.rngtypid FROM pg_catalog.pg_range r
      WHERE (pg_catalog.to_jsonb(r) ->> 'rngmultitypid')::oid = t.oid
    ) END AS range,
    f.names AS field_names, f.types AS field_types
  FROM pg_catalog.pg_type t
  LEFT JOIN LATERAL (
    SELECT pg_catalog.array_agg(attname::text ORDER BY attnum) AS names,
      pg_catalog.array_agg(atttypid ORDER BY attnum) AS types
    FROM pg_catalog.pg_attribute
    WHERE t.typtype = 'c' AND attrelid = t.typrelid AND attnum > 0 AND NOT attisdropped
  ) f ON true
  WHERE t.oid = n.oid`;
