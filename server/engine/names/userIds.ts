/** Finds the column of a table that contains the user's id as tokens have it. The foreign keys of the source overrule names. */
import type { Catalog, CatalogTable, ColumnReference } from '../model/catalog.ts';
import { keyNameOf, ownerColumnOf, plain } from './relations.ts';

/**
 * Returns the column whose values are compared with `auth.user_id()`. Undefined if there is none, or if it is unknown which one it
 * is.
 */
export function userIdColumnOf(table: CatalogTable, catalog: Catalog): string | undefined {
  const verdicts = [...table.columns.keys()].map((name) => ({
    name,
    holds: holdsUserIds(table, name, catalog),
  }));
  const possible = verdicts.filter(({ holds }) => holds !== 'no').map(({ name }) => name);
  const named = ownerColumnOf({ name: table.name, columns: possible });
  if (named !== undefined) return named;
  const [only, ...others] = verdicts.filter(({ holds }) => holds === 'yes');
  return others.length === 0 ? only?.name : undefined;
}

type Verdict = 'yes' | 'no' | 'unknown';

/** The maximum number of references from a column to the users. References in a circle end here. */
const mostSteps = 5;

/** Whether the values of a column are ids of users, as far as keys show it. */
function holdsUserIds(begin: CatalogTable, column: string, catalog: Catalog): Verdict {
  if (mayEqualOtherIds(begin, column)) return 'no';
  let [table, key] = [begin, column];
  for (let step = 0; step < mostSteps; step += 1) {
    const reference = table.columns.get(key)?.references;
    if (reference === undefined && namesSignIn(key)) return 'yes';
    if (reference === undefined && step > 0) return identityOf(table, key, catalog);
    if (reference !== undefined && isSignIn(reference)) return 'yes';
    const next = reference ? tableOf(reference, table, catalog) : namedBy(table, key, catalog);
    if (next === undefined) return 'unknown';
    [table, key] = [next, reference?.column ?? 'id'];
  }
  return 'unknown';
}

/** Whether the column contains numbers of rows of several tables, which another column names. A user has the same number as others. */
function mayEqualOtherIds({ columns }: CatalogTable, column: string): boolean {
  const kind = plain(column).replace(/id$/, 'type');
  return columns.get(column)?.type === 'integer' && [...columns.keys()].some((name) => plain(name) === kind);
}

/** Returns the table other than that of users to which a column refers by its name, as `account_id` does to `accounts`. */
function namedBy(table: CatalogTable, column: string, { tables }: Catalog): CatalogTable | undefined {
  return tables.find(
    (each) =>
      each.schema === table.schema &&
      each !== table &&
      !isUsers(each) &&
      plain(keyNameOf(each.name)) === plain(column),
  );
}

/** Whether the keys of a table to which others refer are the ids of users in tokens. */
function identityOf(table: CatalogTable, key: string, catalog: Catalog): Verdict {
  // The tokens of Supabase have the ids of auth.users, so the keys of all other tables are different ones.
  if (catalog.tables.some(refersToSignIn) || [...table.columns.keys()].some(namesSignIn)) return 'no';
  if (isUsers(table)) return 'unknown';
  if (catalog.tables.some(isUsers)) return 'no';
  const owner = ownerColumnOf({ name: table.name, columns: [...table.columns.keys()] });
  // The user of a member, an account or a profile is in another column, so the key does not identify the user.
  return owner === undefined || owner === key || isToItself(table, owner) ? 'unknown' : 'no';
}

/** Whether a column has the name of the ids of a sign-in, such as `auth_id` or `firebase_uid`. */
function namesSignIn(column: string): boolean {
  return /^(?:auth0?|supabase|clerk|firebase|cognito|keycloak)(?:user)?u?id$/.test(plain(column));
}

function isUsers({ name }: CatalogTable): boolean {
  return /^users?$/i.test(name);
}

function refersToSignIn({ columns }: CatalogTable): boolean {
  return [...columns.values()].some(({ references }) => references !== undefined && isSignIn(references));
}

function isToItself(table: CatalogTable, column: string): boolean {
  const reference = table.columns.get(column)?.references;
  return reference?.schema === table.schema && reference.table === table.name;
}

/** Whether a column refers to the users of Supabase. */
function isSignIn({ schema, table, column = 'id' }: ColumnReference): boolean {
  return schema === 'auth' && table === 'users' && column === 'id';
}

function tableOf(
  { schema, table }: ColumnReference,
  { tag }: CatalogTable,
  { tables }: Catalog,
): CatalogTable | undefined {
  return tables.find((each) => each.tag === tag && each.schema === schema && each.name === table);
}
