/** What the names of tables and columns say of each other: whose a row is, and which row it belongs to. */

export interface NamedTable {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The likeliest first. */
const ownerNames = ['user_id', 'owner_id', 'owner', 'owned_by', 'author_id', 'created_by', 'member_id'];
const ownerForm =
  /^(?:.*_)?(?:user|owner|author|member|profile|account|assignee|creator)(?:_?u?id)?$|^(?:created|owned)_by$/i;

/** The column that says whose a row is. */
export function ownerColumnOf({ columns }: NamedTable): string | undefined {
  const known = ownerNames.find((name) => columns.includes(name));
  return known ?? columns.find((name) => namesUser(name));
}

/** Whether values of the column are ids of users. */
export function namesUser(column: string): boolean {
  return ownerForm.test(snakeOf(column));
}

interface KeyPair {
  readonly from: string;
  readonly to: string;
}

/** The column of one table that holds keys of the other one: `crews.boat_id` of `boats.id`. */
export function keyBetween(from: NamedTable, to: NamedTable): KeyPair | undefined {
  const key = to.columns.find((name) => name.toLowerCase() === 'id');
  if (key === undefined) return undefined;
  const wanted = keyNameOf(to.name);
  const found = from.columns.find((name) => snakeOf(name) === wanted);
  return found === undefined ? undefined : { from: found, to: key };
}

/** What columns of other tables that hold keys of this one are called: `boat_id` of `boats`. */
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
