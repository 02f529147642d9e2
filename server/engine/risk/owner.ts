/** The column of a table that names the owner of a row. */
import type { CatalogTable } from '../model/catalog.ts';
import { ownerColumnOf } from '../names/relations.ts';

const usersTable = /^(?:users?|profiles?|accounts?|members?|people|persons?|employees?|customers?)$/i;

/** Returns the owner column, by its name, or because it refers to the table of users. */
export function ownerColumnIn({ name, columns }: Pick<CatalogTable, 'name' | 'columns'>): string | undefined {
  const named = ownerColumnOf({ name, columns: [...columns.keys()] });
  if (named !== undefined || usersTable.test(name)) return named;
  return [...columns.values()].find(({ references }) => references && usersTable.test(references.table))
    ?.name;
}
