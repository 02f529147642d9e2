/** A service's report about the users of the app who gain or lose rows by a config that is not deployed. */
import { dataOf } from './answers.ts';
import { fieldsOf, listOf, numberIn, textIn } from './reading.ts';
import { type AppUser, readUser } from './users.ts';

export interface AffectedUsers {
  /** The number of users for whom both configs were compared. */
  readonly users: number;
  /** The changed streams. */
  readonly streams: readonly AffectedStream[];
  /** The reason why nothing is known about any stream. */
  readonly unknown?: Ignorance;
}

/**
 * `nothing_active`: no config is active. `no_queries`: the service must not read rows. `no_users`: no users are known. `source`:
 * the rows could not be read.
 */
type Ignorance = (typeof ignorances)[number];

export interface AffectedStream {
  readonly name: string;
  readonly changes: readonly AffectedUser[];
  /** The number of changes that are not listed. */
  readonly more: number;
  /** The reasons why changes may be missing. Empty if `changes` and `more` are everything. */
  readonly unknown: readonly Gap[];
}

export interface AffectedUser {
  readonly kind: 'gained' | 'lost';
  readonly table: string;
  readonly user: AppUser;
  readonly rows: number;
  /** The id of one of the rows. */
  readonly example: string;
  /** Another user who has this row before and after the deploy. */
  readonly holder?: AppUser;
}

interface Gap {
  /**
   * `rows`: not all rows of the tables `of` were read. `values`: the values `of` users who are not connected are unknown. `users`:
   * there are more users. `other`: this version does not know the reason.
   */
  readonly reason: (typeof reasons)[number] | 'other';
  readonly of: readonly string[];
}

const ignorances = ['nothing_active', 'no_queries', 'no_users', 'source'] as const;
const reasons = ['rows', 'values', 'users'] as const;

/** Returns undefined if the value is not such a report. */
export function readAffectedUsers(value: unknown): AffectedUsers | undefined {
  const data = dataOf(value) ?? {};
  const users = numberIn(data, 'users');
  if (users === undefined || !Array.isArray(data.streams)) return undefined;
  const isUnknown = textIn(data, 'unknown') !== undefined;
  const unknown = ignorances.find((each) => each === data.unknown) ?? 'source';
  const claim = textIn(data, 'claim');
  const streams = data.streams.map((each) => readStream(each, claim));
  return { users, streams, ...(isUnknown && { unknown }) };
}

/** @param claim the claim whose values are the ids of the users; absent: the id of the user in the token */
function readStream(value: unknown, claim: string | undefined): AffectedStream {
  const fields = fieldsOf(value);
  return {
    name: textIn(fields, 'name') ?? '',
    changes: listOf(fields.changes).map((each): AffectedUser => {
      const change = fieldsOf(each);
      return {
        kind: change.kind === 'lost' ? 'lost' : 'gained',
        table: textIn(change, 'table') ?? '',
        user: readKnown(change.user, claim),
        rows: numberIn(change, 'rows') ?? 1,
        example: textIn(change, 'example') ?? '',
        ...(change.holder !== undefined && { holder: readKnown(change.holder, claim) }),
      };
    }),
    more: numberIn(fields, 'more') ?? 0,
    unknown: listOf(fields.unknown).map((each) => {
      const gap = fieldsOf(each);
      return {
        reason: reasons.find((one) => one === gap.reason) ?? 'other',
        of: [...listOf(gap.tables), ...listOf(gap.names)].map(String),
      };
    }),
  };
}

/** Reads a user. Without a name, the id would be taken for the id of the user in the token. */
function readKnown(value: unknown, claim: string | undefined): AppUser {
  const user = readUser(value) ?? { id: '' };
  return claim === undefined ? user : { ...user, name: user.name ?? `${claim} ${user.id}` };
}
