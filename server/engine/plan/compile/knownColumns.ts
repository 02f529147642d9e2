/** Finds the columns of a text in the catalog. */
import type { CatalogColumn, CatalogTable } from '../../model/catalog.ts';
import type { Reference } from '../../sql/ast.ts';
import type { NameResolution } from './compilation.ts';
import type { QueryRelation } from './relations.ts';

/**
 * Returns undefined for an unknown column.
 * @param name the name of another column of the same table
 */
export type FindColumn = (reference: Reference, name?: string) => CatalogColumn | undefined;

/** Returns a finder for the columns in queries of edition 3, including those of subqueries and CTEs. */
export function columnFinderOf(resolutions: readonly NameResolution[]): FindColumn {
  let relations: ReadonlyMap<unknown, QueryRelation> | undefined;
  return (reference, name = reference.column.text) => {
    relations ??= new Map(resolutions.map(({ node, relation }) => [node, relation]));
    const relation = relations.get(reference);
    return relation && columnOf(relation, name);
  };
}

/** Returns a finder for the columns of a query with one table. */
export function columnsOfTable(tables: readonly CatalogTable[] | undefined): FindColumn {
  return ({ column }, name = column.text) => knownColumn(tables, name);
}

function columnOf(relation: QueryRelation, name: string): CatalogColumn | undefined {
  switch (relation.kind) {
    case 'table':
      return knownColumn(relation.known, name);
    case 'subquery': {
      const value = relation.columns.get(name);
      const of = value?.uses[0]?.of;
      if (value?.expression.kind !== 'column' || of?.kind !== 'table') return undefined;
      return knownColumn(of.known, value.expression.name);
    }
    default:
      return undefined;
  }
}

/** Returns the column with this name, if all tables agree about it. */
export function knownColumn(tables: readonly CatalogTable[] = [], name: string): CatalogColumn | undefined {
  const column = tables[0]?.columns.get(name);
  return tables.every((table) => agree(column, table.columns.get(name))) ? column : undefined;
}

function agree(a: CatalogColumn | undefined, b: CatalogColumn | undefined): boolean {
  return a === b || (a?.type === b?.type && a?.sourceType === b?.sourceType && a?.nullable === b?.nullable);
}
