/** Finds the column of a table that contains the owner of a row. */
import type { CatalogTable } from '../model/catalog.ts';
import { namesUsers, ownerColumnOf } from '../names/relations.ts';

/** Returns the owner column, recognised by its name or by its reference to the table of users. */
export function ownerColumnIn({ name, columns }: Pick<CatalogTable, 'name' | 'columns'>): string | undefined {
  const named = ownerColumnOf({ name, columns: [...columns.keys()] });
  if (named !== undefined || namesUsers(name)) return named;
  return [...columns.values()].find(({ references }) => references && namesUsers(references.table))?.name;
}
