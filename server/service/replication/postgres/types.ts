/** What the source says of its data types, as far as their values are written differently from plain text. */
import type { Queries } from './queries.ts';

export type PgType =
  | { readonly kind: 'base'; readonly oid: number; readonly name: string }
  | { readonly kind: 'array'; readonly name: string; readonly element: number; readonly delimiter: string }
  | { readonly kind: 'domain'; readonly name: string; readonly base: number }
  | { readonly kind: 'composite'; readonly name: string; readonly fields: readonly TypeField[] }
  | { readonly kind: 'range'; readonly name: string; readonly of: number }
  | { readonly kind: 'multirange'; readonly name: string; readonly of: number };

export interface TypeField {
  readonly name: string;
  readonly type: number;
}

/** Types by their oid, with all that they consist of. */
export interface Types {
  readonly get: (oid: number) => PgType | undefined;
  readonly has: (oid: number) => boolean;
}

/** Grows by what is asked for: a database has a type for each of its tables. */
export interface TypeCatalog extends Types {
  load(oids: readonly number[]): Promise<void>;
  /** It may have changed: it is loaded anew when it is needed. */
  forget(oid: number): void;
}

/** Oids from here on are not Postgres' own. */
export const FIRST_USER_OID = 16_384;

export function openTypeCatalog(queries: Pick<Queries, 'all' | 'version'>): TypeCatalog {
  const known = new Map<number, PgType>();
  return {
    get: (oid) => known.get(oid),
    has: (oid) => known.has(oid),
    load: async (oids) => {
      const missing = [...new Set(oids)].filter((oid) => !known.has(oid));
      if (missing.length === 0) return;
      const rows = await queries.all<TypeRow>(statement(await queries.version()), [missing]);
      // Those that have been dropped since are plain texts.
      for (const oid of missing) known.set(oid, { kind: 'base', oid, name: '' });
      for (const row of rows) known.set(row.oid, toType(row));
    },
    forget: (oid) => known.delete(oid),
  };
}

interface TypeRow {
  readonly oid: number;
  readonly name: string;
  readonly kind: string;
  readonly delimiter: string;
  readonly element: number | null;
  readonly base: number;
  readonly subtype: number | null;
  readonly range: number | null;
  readonly field_names: readonly string[] | null;
  readonly field_types: readonly number[] | null;
}

function toType(row: TypeRow): PgType {
  const { oid, name } = row;
  if (row.element !== null) return { kind: 'array', name, element: row.element, delimiter: row.delimiter };
  switch (row.kind) {
    case 'd':
      return { kind: 'domain', name, base: row.base };
    case 'r':
      return { kind: 'range', name, of: row.subtype ?? 0 };
    case 'm':
      return { kind: 'multirange', name, of: row.range ?? 0 };
    case 'c': {
      const types = row.field_types ?? [];
      const fields = (row.field_names ?? []).map((field, at) => ({ name: field, type: types[at] ?? 0 }));
      return { kind: 'composite', name, fields };
    }
    default:
      return { kind: 'base', oid, name };
  }
}

/** The types and, step by step, those that they consist of. Multiranges came with version 14. */
function statement(version: number): string {
  const rangeOf =
    version >= 140_000 ? '(SELECT rngtypid FROM pg_range WHERE rngmultitypid = t.oid)' : 'NULL::oid';
  return `
WITH RECURSIVE described AS (
  SELECT t.oid, t.typname, t.typtype, t.typdelim, t.typbasetype,
    CASE WHEN t.typtype = 'b' AND t.typoutput = 'pg_catalog.array_out'::regproc THEN t.typelem END AS element,
    (SELECT rngsubtype FROM pg_range WHERE rngtypid = t.oid) AS subtype,
    ${rangeOf} AS range,
    f.names AS field_names, f.types AS field_types
  FROM pg_catalog.pg_type t
  LEFT JOIN LATERAL (
    SELECT array_agg(attname::text ORDER BY attnum) AS names, array_agg(atttypid ORDER BY attnum) AS types
    FROM pg_catalog.pg_attribute
    WHERE t.typtype = 'c' AND attrelid = t.typrelid AND attnum > 0 AND NOT attisdropped
  ) f ON true
), needed(oid) AS (
  SELECT unnest($1::oid[])
  UNION
  SELECT unnest(ARRAY[d.element, NULLIF(d.typbasetype, 0), d.subtype, d.range] || d.field_types)
  FROM needed n JOIN described d ON d.oid = n.oid
)
SELECT d.oid, d.typname::text AS name, d.typtype AS kind, d.typdelim AS delimiter, d.element, d.typbasetype AS base,
  d.subtype, d.range, d.field_names, d.field_types
FROM needed n JOIN described d ON d.oid = n.oid`;
}
