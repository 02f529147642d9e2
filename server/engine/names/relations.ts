/** Infers relations from the names of tables and columns: the owner of a row, and the row to which it belongs. */

export interface NamedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns that contain keys of other tables, as far as the source declares them. */
  readonly keys?: readonly ForeignKey[];
}

interface ForeignKey {
  readonly column: string;
  readonly table: string;
  /** Absent: the primary key. */
  readonly to?: string;
}

/** Column names that certainly name the owner of a row. */
const ownerNames = ['owner_id', 'owner', 'owned_by'];
/**
 * Column names that refer to a user whom others may also know. If there is no owner column, the row most likely belongs to this
 * user.
 */
const userNames = ['user_id', 'author_id', 'created_by', 'member_id', 'profile_id', 'account_id'];
const userForm =
  /^(?:.*_)?(?:user|owner|author|member|profile|account|assignee|creator)(?:_?u?id)?$|^(?:created|owned)_by$/i;

/** Returns the column that certainly contains the owner of a row, judged by its name. */
export function ownerColumnOf({ columns }: NamedTable): string | undefined {
  const byName = new Map(columns.map((column) => [plain(column), column]));
  const known = [...ownerNames, ...userNames].find((name) => byName.has(plain(name)));
  return known && byName.get(plain(known));
}

/** Returns the same column, or else any column that contains ids of users. Its result should be checked by a user. */
export function likelyOwnerColumnOf(table: NamedTable): string | undefined {
  return ownerColumnOf(table) ?? table.columns.find(namesUser);
}

export function namesOwner(column: string): boolean {
  return ownerNames.some((name) => plain(name) === plain(column));
}

const usersTable = /^(?:users?|profiles?|accounts?|members?|people|persons?|employees?|customers?)$/i;

/** Whether each row of the table is most likely a user. */
export function namesUsers(table: string): boolean {
  return usersTable.test(table);
}

/** Whether the values of the column are ids of users. */
export function namesUser(column: string): boolean {
  return userForm.test(snakeOf(column));
}

/** Removes the difference between `ownerId` and `owner_id`. */
export function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

interface KeyPair {
  readonly from: string;
  readonly to: string;
}

/** Returns the column of one table that contains keys of the other one: `crews.boat_id` for `boats.id`. */
export function keyBetween(from: NamedTable, to: NamedTable): KeyPair | undefined {
  const key = to.columns.find((name) => name.toLowerCase() === 'id');
  const declared = from.keys?.find(({ table }) => table === to.name);
  const target = declared && (declared.to ?? key);
  if (declared && target !== undefined) return { from: declared.column, to: target };
  if (key === undefined) return undefined;
  const wanted = keyNameOf(to.name);
  const found = from.columns.find((name) => snakeOf(name) === wanted);
  return found === undefined ? undefined : { from: found, to: key };
}

/** Returns the usual name of columns in other tables that refer to this one: `boat_id` for `boats`. */
export function keyNameOf(table: string): string {
  return `${singularOf(snakeOf(table))}_id`;
}

function snakeOf(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

function singularOf(name: string): string {
  if (name.endsWith('people')) return `${name.slice(0, -'people'.length)}person`;
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(name)) return name.slice(0, -2);
  return name.endsWith('s') && !name.endsWith('ss') ? name.slice(0, -1) : name;
}
