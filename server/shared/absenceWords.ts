/**
 * The reason why a client does not have a row, as data and as sentences: the same in the service's answers, the console, the command
 * line and failing tests.
 */

/** A part of the config, and its offsets. */
export interface Mark {
  readonly sql: string;
  readonly start: number;
  readonly end: number;
}

/** A value that the decision depends on. */
export interface ReadValue {
  /** The text of the expression, such as `owner_id`. */
  readonly text: string;
  readonly value: unknown;
}

/** The common fields of a reason and a condition. Newer services may send other kinds. */
interface ReasonPart<Kind extends string> {
  readonly kind: Kind;
  /** The parts of the config that decide. */
  readonly marks: readonly Mark[];
  /** The values that were read there. */
  readonly values: readonly ReadValue[];
  /** Values of the client that were compared with those of the row. There may be more. */
  readonly held?: readonly unknown[] | undefined;
  /** The code of the failure, if an expression cannot be evaluated. */
  readonly code?: string | undefined;
}

/** A reason from the engine, or from an answer of a service. */
export interface Absence<Kind extends string = string> extends ReasonPart<Kind> {
  readonly stream: string;
  /** For `no client key`: the value that the request lacks, such as `subscription` and `room`. */
  readonly missing?: { readonly part: string; readonly path: readonly string[] } | undefined;
  /** All conditions of the query, including those that hold. Older services send none. */
  readonly conditions: readonly PlacedCondition[];
  /** Subscription parameters that would meet all unmet conditions. Absent if no subscription would. */
  readonly subscription?: Readonly<Record<string, unknown>> | undefined;
}

/** A condition between a row and a client. `RowCondition` in the engine describes the kinds. */
export interface PlacedCondition<Kind extends string = string> extends ReasonPart<Kind> {
  /**
   * Whether the condition holds. `unknown`: an expression fails, or nothing was looked up because another condition does not hold.
   */
  readonly holds: boolean | 'unknown';
  /** The table whose rows decide the client's side. Absent for a wildcard, because it does not name a single table. */
  readonly table?: { readonly schema: string; readonly name: string } | undefined;
}

/**
 * Explains in a sentence why a row is not on a device. Another query of the stream may send the row to other users, and other rows
 * to this user, so the sentence is only about this row and this user.
 */
export function absenceText(absence: Absence, user: string): string {
  const { stream, kind, values, code = 'an error', held } = absence;
  const read = enumerate(values.map(readText), ' and ');
  const inRow = read === '' ? '' : `: in this row, ${read}`;
  const reasons: Readonly<Record<string, string>> = {
    filtered: `a condition does not hold${inRow}`,
    'no key': 'a value that decides who gets it is NULL or binary',
    'no element': 'a list in the row is empty or NULL',
    failed: `the query cannot be evaluated for this row (${code})`,
    'not subscribed': 'the client does not subscribe to it',
    'client filtered': `a condition on the client does not hold${read === '' ? '' : `: ${read}`}`,
    'nothing found': `its lookups find no row for ${user}`,
    'no client key': lackText(absence),
    'no common value': 'nothing meets all of its conditions at once',
    'client failed': `the query cannot be evaluated for ${user} (${code})`,
    'other values': `the query sends it only to clients that have its values${inRow}. ${user} has ${heldText(held)}`,
  };
  const why = reasons[kind];
  return `${stream} does not send this row to ${user}${why === undefined ? ` (${kind})` : `, because ${why}`}.`;
}

function lackText({ missing: { part, path } = { part: '', path: [] } }: Absence): string {
  const lacks = sources[part];
  return lacks === undefined || path.length === 0
    ? 'the client lacks a value that the stream requires'
    : `${lacks} ${path.join('.')}`;
}

const sources: Readonly<Record<string, string>> = {
  auth: 'the token has no claim',
  connection: 'the connection has no parameter',
  subscription: 'the subscription has no parameter',
};

/** Describes a condition between a row and a client: a sign, the SQL if there is any, and a text with the values of both sides. */
export function conditionWords(condition: PlacedCondition, user: string, stream: string) {
  const { kind, holds, marks } = condition;
  const hasSql = kind !== 'subscription' && kind !== 'together';
  const sql = hasSql ? marks.map((mark) => mark.sql.replaceAll(/\s+/g, ' ')).join(' AND ') : '';
  return { ...conditionSigns[`${holds}`], sql, text: conditionText(condition, user, stream) };
}

const conditionSigns = {
  true: { sign: '✓', meaning: 'Holds' },
  false: { sign: '✗', meaning: 'Does not hold' },
  unknown: { sign: '?', meaning: 'Unknown' },
};

function conditionText(condition: PlacedCondition, user: string, stream: string): string {
  const { kind, holds, values, held, code } = condition;
  if (code !== undefined) return `cannot be evaluated (${code})`;
  switch (kind) {
    case 'subscription':
      return `${holds === true ? 'subscribes' : 'does not subscribe'} to ${stream}`;
    case 'together':
      return 'all of these comparisons for the same row';
    case 'element':
      return 'this row has no element';
    case 'lookup':
      return `${user}: ${holds === 'unknown' ? notLookedUp : holds ? 'found' : 'nothing found'}`;
    case 'comparison': {
      const ofRow = enumerate(values.map(({ value }) => valueText(value)));
      return `${ofRow === '' ? '' : `this row: ${ofRow} · `}${user}: ${heldText(held)}`;
    }
    default:
      return holds === 'unknown' && values.length === 0 ? 'not evaluated' : enumerate(values.map(readText));
  }
}

const notLookedUp = 'not looked up';

function heldText(held: readonly unknown[] | undefined): string {
  if (held === undefined) return notLookedUp;
  return enumerate(held.filter((value) => value !== null).map(valueText)) || 'nothing';
}

function readText({ text, value }: ReadValue): string {
  return `${text} is ${valueText(value)}`;
}

/** Returns at most five texts as a list, and the number of the others. */
function enumerate(texts: readonly string[], separator = ', '): string {
  const more = texts.length - mostShown;
  return [...texts.slice(0, mostShown), ...(more > 0 ? [`${more} more`] : [])].join(separator);
}

const mostShown = 5;

/** Returns the label of the button that subscribes. */
export function subscribeText(stream: string, parameters: Readonly<Record<string, unknown>>): string {
  const values = Object.entries(parameters).map(([name, value]) => `${name} ${valueText(value)}`);
  return values.length === 0 ? `Subscribe to ${stream}` : `Subscribe to ${stream} with ${values.join(', ')}`;
}

/** Returns the value in SQL notation. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (value instanceof Uint8Array)
    return `a BLOB of ${value.length === 1 ? '1 byte' : `${value.length} bytes`}`;
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}
