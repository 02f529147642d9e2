/**
 * Finds the table whose rows are the users of a service: the table to which the columns that a config compares with the user's
 * id refer. Without such a table, the users are unknown.
 */
import { groupBy } from './ground/group.ts';
import type { Catalog, CatalogTable } from './model/catalog.ts';
import { namesUsers, plain } from './names/relations.ts';
import type { Expression } from './plan/expression.ts';
import { meetingsOf } from './plan/meetings.ts';
import type { Meeting, StreamPlan, TablePattern } from './plan/plan.ts';
import { requestReadOf, requestReads } from './plan/requestReads.ts';
import { indexTables, knownTables } from './plan/tablePatterns.ts';
import { quoteName } from './sql/names.ts';

interface UsersTable {
  readonly schema: string;
  readonly name: string;
  /** The column whose text is the id of a user, as in tokens. */
  readonly key: string;
  /** The columns that together are the name of a user, in order. Empty if no column is known to contain names. */
  readonly names: readonly LabelColumn[];
  /** The columns with an address or a phone number. Only the first one with a value is shown. */
  readonly addresses: readonly LabelColumn[];
}

/** A column of the users table, or of a table with more facts about a user. */
interface LabelColumn {
  readonly column: string;
  /** Absent: the column belongs to the users table itself. */
  readonly profile?: { readonly schema: string; readonly name: string; readonly key: string };
}

/** The claim that distinguishes users: the names in the token, from the outermost to the innermost. */
export type UserClaim = readonly string[];

/** The claim with the id of the user. */
export const userIdClaim: UserClaim = ['sub'];

/**
 * Returns the only claim that the plans read, if they compare it with nothing but columns, so that its values are known from rows.
 * Otherwise, returns the id of the user.
 */
export function userClaimOf(plans: readonly StreamPlan[]): UserClaim {
  const claims = plans.flatMap(requestReads).filter(({ part }) => part === 'auth');
  const [first = userIdClaim] = claims.map(({ path }) => path);
  const isOnly = claims.every(({ path }) => isSameClaim(path, first));
  const compared = plans.flatMap((plan) => comparedWith(plan, first));
  const met = plans
    .flatMap(({ routes }) => routes.flatMap(meetingsOf))
    .flatMap((meeting) => meeting.filter((each) => isMetClaim(each, first)));
  const isKnown = met.length === claims.length && compared.every(({ column }) => column !== undefined);
  return isOnly && isKnown ? first : userIdClaim;
}

export function isSameClaim(one: UserClaim, other: UserClaim): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}

/** Returns undefined if the users are unknown. */
export function usersTableOf(
  plans: readonly StreamPlan[],
  catalog: Catalog | undefined,
  claim: UserClaim = userIdClaim,
): UsersTable | undefined {
  if (catalog === undefined) return undefined;
  const found = plans
    .flatMap((plan) => columnsWithClaim(plan, claim))
    .flatMap(({ table, column }) => knownTables(catalog, table).map((of) => ({ table: of, column })))
    .flatMap((place) => usersBehind(place, catalog) ?? []);
  const best = mostFrequent(found) ?? (isSameClaim(claim, userIdClaim) ? supabaseUsers(catalog) : undefined);
  return best && describe(best, catalog);
}

/** A column of a known table. */
interface Place {
  readonly table: CatalogTable;
  readonly column: string;
}

/** Returns the columns that must equal the claim: those of synced rows, and those of rows that decide about access. */
export function columnsWithClaim(
  plan: StreamPlan,
  claim: UserClaim,
): readonly { readonly table: TablePattern; readonly column: string }[] {
  return comparedWith(plan, claim).flatMap(({ table, column }) =>
    column === undefined ? [] : [{ table, column }],
  );
}

interface ComparedValue {
  readonly table: TablePattern;
  /** Absent: an expression of several columns, or with a function. */
  readonly column?: string;
}

function comparedWith({ routes, sources, lookups }: StreamPlan, claim: UserClaim): readonly ComparedValue[] {
  /** @param meetings the values that the expressions must equal, in the same order */
  const comparedIn = (
    table: TablePattern,
    expressions: readonly Expression[],
    meetings: readonly Meeting[],
  ): readonly ComparedValue[] =>
    expressions.flatMap((expression, at) => {
      const inside = withoutCasts(expression);
      const found = (meetings[at] ?? []).filter((each) => isMetClaim(each, claim));
      return found.map(() => (inside.kind === 'column' ? { table, column: inside.name } : { table }));
    });
  return routes.flatMap(({ source, keys, steps }) => [
    ...(sources[source]?.rules ?? []).flatMap((rule) => comparedIn(rule.table, rule.keys, keys)),
    ...steps.flatMap((step) => {
      const lookup = step.kind === 'lookup' ? lookups[step.lookup] : undefined;
      if (step.kind !== 'lookup' || lookup === undefined) return [];
      return comparedIn(lookup.table, lookup.inputs, step.inputs);
    }),
  ]);
}

function withoutCasts(expression: Expression): Expression {
  return expression.kind === 'cast' ? withoutCasts(expression.operand) : expression;
}

function isMetClaim(met: Meeting[number], claim: UserClaim): boolean {
  const read = met.kind === 'request' ? requestReadOf(withoutCasts(met.value)) : undefined;
  return read?.part === 'auth' && isSameClaim(read.path, claim);
}

/** Follows references from a column with ids of users to the table of users. */
function usersBehind(begin: Place, catalog: Catalog): Place | undefined {
  const tables = indexTables(catalog, begin.table.tag);
  let place = begin;
  for (let step = 0; step < mostSteps; step += 1) {
    const references = place.table.columns.get(place.column)?.references;
    if (references === undefined) break;
    const table = tables.get(references.schema)?.get(references.table);
    const column = references.column ?? 'id';
    if (!table?.columns.has(column)) return undefined;
    place = { table, column };
  }
  return place !== begin || isOwnKey(begin) ? place : undefined;
}

/** The maximum number of references from an owner to the users. References in a circle end here. */
const mostSteps = 5;

/** Whether a column without a reference identifies the row of a user, as in `SELECT * FROM users WHERE id = auth.user_id()`. */
function isOwnKey({ table: { name }, column }: Place): boolean {
  return namesUsers(name) && ['id', 'uid', 'uuid'].includes(plain(column));
}

function mostFrequent(places: readonly Place[]): Place | undefined {
  const groups = [
    ...groupBy(places, ({ table, column }) => `${table.schema}.${table.name}.${column}`).values(),
  ];
  const [best] = groups.toSorted((a, b) => b.length - a.length || rankOf(b) - rankOf(a));
  return best?.[0];
}

/** Prefers a table with the name of users among tables to which equally many columns refer. */
function rankOf([place]: readonly Place[]): number {
  return place !== undefined && namesUsers(place.table.name) ? 1 : 0;
}

/** Returns the users of Supabase, whose ids are in tokens even if no column refers to them. */
function supabaseUsers(catalog: Catalog): Place | undefined {
  const table = indexTables(catalog).get('auth')?.get('users');
  const isSupabase = table?.columns.has('id') && table.columns.has('raw_user_meta_data');
  return table && isSupabase ? { table, column: 'id' } : undefined;
}

/** The names of columns, best first, without the difference between `fullName` and `full_name`. */
const nameColumns = ['fullname', 'displayname', 'name', 'username', 'nickname', 'handle'];
const addressColumns = ['email', 'emailaddress', 'mail', 'phone', 'phonenumber'];

function describe(users: Place, catalog: Catalog): UsersTable {
  const { table, column: key } = users;
  const own = { name: namesIn(table), addresses: textsIn(table, addressColumns) };
  const profile = profileOf(users, catalog);
  return {
    schema: table.schema,
    name: table.name,
    key,
    names:
      own.name.length > 0 || profile === undefined ? ownColumns(own.name) : profileColumns(profile, namesIn),
    addresses: [
      ...ownColumns(own.addresses),
      ...(profile === undefined ? [] : profileColumns(profile, (each) => textsIn(each, addressColumns))),
    ],
  };
}

function ownColumns(columns: readonly string[]): readonly LabelColumn[] {
  return columns.map((column) => ({ column }));
}

function profileColumns(
  { table, column: key }: Place,
  columnsIn: (table: CatalogTable) => readonly string[],
): readonly LabelColumn[] {
  const { schema, name } = table;
  return columnsIn(table).map((column) => ({ column, profile: { schema, name, key } }));
}

/** Returns the first and the last name, or the column with the whole name. */
function namesIn(table: CatalogTable): readonly string[] {
  const [whole] = textsIn(table, nameColumns);
  if (whole !== undefined) return [whole];
  return ['firstname', 'lastname'].flatMap((name) => textsIn(table, [name]).slice(0, 1));
}

/** Returns the columns of text with one of the names, in the order of the names. */
function textsIn({ columns }: CatalogTable, names: readonly string[]): readonly string[] {
  const texts = [...columns.values()].filter(
    ({ type, sourceType = '' }) => (type ?? 'text') === 'text' && !/^json|\[\]$/i.test(sourceType),
  );
  return names.flatMap((name) => texts.filter((each) => plain(each.name) === name).map((each) => each.name));
}

/** Returns a table with one row for each user, such as `profiles`, whose `id` is that of the user. */
function profileOf(users: Place, catalog: Catalog): Place | undefined {
  const isOfUsers = ({ schema, name }: CatalogTable, key: string): boolean =>
    schema === users.table.schema && name === users.table.name && key === users.column;
  return catalog.tables
    .filter((table) => table.tag === users.table.tag && table !== users.table && namesUsers(table.name))
    .flatMap((table) =>
      [...table.columns.values()].flatMap(({ name, references }) => {
        const isKey = plain(name) === 'id' || (plain(name) === 'userid' && /^profiles?$/i.test(table.name));
        const other = references && indexTables(catalog, table.tag).get(references.schema);
        const target = references && other?.get(references.table);
        return isKey && target && isOfUsers(target, references.column ?? 'id')
          ? [{ table, column: name }]
          : [];
      }),
    )
    .at(0);
}

/**
 * Returns a statement that lists users with their name and address, in the order of their ids. It has two parameters: a text that
 * one of these must contain, ignoring case, and the number of users.
 */
export function selectUsers({ schema, name, key, names, addresses }: UsersTable): string {
  const id = `u.${quoteName(key)}`;
  const textOf = ({ column, profile }: LabelColumn): string => {
    if (profile === undefined) return `NULLIF(u.${quoteName(column)}::text, '')`;
    const table = `${quoteName(profile.schema)}.${quoteName(profile.name)}`;
    return `(SELECT NULLIF(p.${quoteName(column)}::text, '') FROM ${table} AS p WHERE p.${quoteName(profile.key)} = ${id} LIMIT 1)`;
  };
  const nameText =
    names.length === 0 ? 'NULL' : `NULLIF(pg_catalog.concat_ws(' ', ${names.map(textOf).join(', ')}), '')`;
  const addressText = addresses.length === 0 ? 'NULL' : `COALESCE(${addresses.map(textOf).join(', ')})`;
  return `
SELECT id, name, address FROM (
  SELECT ${id} AS place, ${id}::text AS id, ${nameText}::text AS name, ${addressText}::text AS address
  FROM ${quoteName(schema)}.${quoteName(name)} AS u WHERE ${id} IS NOT NULL) AS users
WHERE $1::text = '' OR pg_catalog.strpos(
  pg_catalog.lower(pg_catalog.concat_ws(' ', name, address, id)), pg_catalog.lower($1::text)) > 0
ORDER BY place LIMIT $2::text::int`;
}
