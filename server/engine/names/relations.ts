/** Relations that the names of tables and columns suggest: the owner of a row, and the row to which it belongs. */

export interface NamedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns that hold keys of other tables, as far as the source says so. */
  readonly keys?: readonly ForeignKey[];
}

interface ForeignKey {
  readonly column: string;
  readonly table: string;
  /** Absent: the primary key. */
  readonly to?: string;
}

/** These columns are there to tell who may see a row. */
const ownerNames = ['owner_id', 'owner', 'owned_by'];
/** Everybody may know these users. Where no owner is named, the row is most likely theirs. */
const userNames = ['user_id', 'author_id', 'created_by', 'member_id', 'profile_id', 'account_id'];
const userForm =
  /^(?:.*_)?(?:user|owner|author|member|profile|account|assignee|creator)(?:_?u?id)?$|^(?:created|owned)_by$/i;

/** The column that says whose a row is, if its name leaves no doubt. */
export function ownerColumnOf({ columns }: NamedTable): string | undefined {
  const byName = new Map(columns.map((column) => [plain(column), column]));
  const known = [...ownerNames, ...userNames].find((name) => byName.has(plain(name)));
  return known && byName.get(plain(known));
}

/** The same, or else any column that holds ids of users: for somebody who looks at it before it is used. */
export function likelyOwnerColumnOf(table: NamedTable): string | undefined {
  return ownerColumnOf(table) ?? table.columns.find(namesUser);
}

export function namesOwner(column: string): boolean {
  return ownerNames.some((name) => plain(name) === plain(column));
}

/** Whether values of the column are ids of users. */
export function namesUser(column: string): boolean {
  return userForm.test(snakeOf(column));
}

/** `ownerId` and `owner_id` are the same. */
function plain(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}

interface KeyPair {
  readonly from: string;
  readonly to: string;
}

/** The column of one table that holds keys of the other one: `crews.boat_id` of `boats.id`. */
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

/** Returns the name of other tables' columns that hold keys of this one: `boat_id` of `boats`. */
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
