/** The types of a source, read when they are first needed. */
import {
  type PgType,
  readTypes,
  selectTypes,
  type TypeRow,
  type Types,
} from '../../../engine/plan/values/postgres/types.ts';
import type { Queries } from './queries.ts';

/** A catalog of types that grows on demand, because a database has a type for each of its tables. */
export interface TypeCatalog extends Types {
  readonly has: (oid: number) => boolean;
  load(oids: readonly number[]): Promise<void>;
  /** Forgets a type that may have changed, so that it is loaded again when needed. */
  forget(oid: number): void;
}

export function openTypeCatalog(queries: Pick<Queries, 'all'>): TypeCatalog {
  const known = new Map<number, PgType>();
  return {
    get: (oid) => known.get(oid),
    has: (oid) => known.has(oid),
    load: async (oids) => {
      const missing = [...new Set(oids)].filter((oid) => !known.has(oid));
      if (missing.length === 0) return;
      const rows = await queries.all<TypeRow>(selectTypes('$1::oid[]'), [missing]);
      // Types that have been dropped meanwhile count as text.
      for (const oid of missing) known.set(oid, { kind: 'base', oid, name: '' });
      for (const [oid, type] of readTypes(rows)) known.set(oid, type);
    },
    forget: (oid) => known.delete(oid),
  };
}
