/** The users of an app, by name and address, so that people need not type their ids. Services other than ours do not list them. */
import { t } from '../l10n.ts';
import { fieldsOf, listOf, present, textIn } from './reading.ts';

/** A user of the app. */
export interface AppUser {
  /** The id of the user in tokens. */
  readonly id: string;
  readonly name?: string;
  /** An email address or a phone number. */
  readonly address?: string;
}

interface FoundUsers {
  /** The table from which the users are, such as `auth.users`. */
  readonly table: string;
  readonly users: readonly AppUser[];
  /** Whether there are more users than these. */
  readonly more: boolean;
}

export const usersPath = '/api/admin/v1/users';

/** The reason why a service lists no users, as a sentence. */
interface NoUsers {
  readonly why: string;
}

/** Returns the reason if the service does not know the users, or must not read them. */
function readUsers(answer: unknown): FoundUsers | NoUsers {
  const data = fieldsOf(fieldsOf(answer).data);
  const found = fieldsOf(data.table);
  const name = textIn(found, 'name');
  const problem = textIn(data, 'problem');
  if (problem !== undefined) return { why: problem };
  if (name === undefined)
    return {
      why: t(
        'No table of users is known, because no column that the config compares with the id of the user refers to one.',
      ),
    };
  if (!Array.isArray(data.users)) return { why: unknownForm() };
  const schema = textIn(found, 'schema') ?? 'public';
  const table = schema === 'public' ? name : `${schema}.${name}`;
  return {
    table,
    users: listOf(data.users).flatMap((user) => readUser(user) ?? []),
    more: data.more === true,
  };
}

function whyFailed(error: unknown): NoUsers {
  const { kind } = fieldsOf(error);
  if (kind === 'absent' || kind === 'unsupported') return { why: t('The service does not list its users.') };
  return { why: error instanceof Error ? error.message : unknownForm() };
}

function unknownForm(): string {
  return t('The service answered in an unknown format.');
}

/** Returns undefined if the value has no id. */
export function readUser(value: unknown): AppUser | undefined {
  const fields = fieldsOf(value);
  const id = textIn(fields, 'id');
  return id === undefined
    ? undefined
    : { id, ...present({ name: textIn(fields, 'name'), address: textIn(fields, 'address') }) };
}

/** The users that are known until now. */
export interface KnownUsers {
  /** Absent while the users are unknown. */
  readonly table?: string;
  readonly users: readonly AppUser[];
  /** Whether the service has more users, of whom it lists those that match another text. */
  readonly more: boolean;
  /** Why there are none: a sentence. Absent if there are users, or if they are not known yet. */
  readonly why?: string;
  /** The texts that the service has searched for. */
  readonly searched: ReadonlySet<string>;
}

export const noUsers: KnownUsers = { users: [], more: false, searched: new Set() };

/** Whether the service may still list users who match the text. */
export function mayFindMore({ more, searched }: KnownUsers, typed: string): boolean {
  return more && !searched.has(typed.trim());
}

interface UserSearch {
  /** Looks for users whose name, address or id contains the text. */
  readonly search: (typed: string) => void;
}

/**
 * Asks a service for users: once, and for each typed text only if the service has more users than it sent. Only one question is
 * open at a time, and then only the latest text is asked for.
 *
 * @param ask asks at {@link usersPath}
 */
export function openUserSearch(
  ask: (body: { readonly search: string }) => Promise<unknown>,
  onFound: (known: KnownUsers) => void,
): UserSearch {
  const known = new Map<string, AppUser>();
  const searched = new Set<string>();
  let wanted: string | undefined;
  let isAsking = false;
  let isDone = false;

  async function askWanted(): Promise<void> {
    isAsking = true;
    while (wanted !== undefined && !isDone) {
      const search = wanted;
      wanted = undefined;
      const found = await ask({ search }).then(readUsers, whyFailed);
      // A service that does not list users will not list them for another text.
      isDone = 'why' in found || (search === '' && !found.more);
      if ('why' in found) {
        if (searched.size === 0) onFound({ ...noUsers, why: found.why });
        break;
      }
      searched.add(search);
      for (const user of found.users) known.set(user.id, user);
      onFound({
        table: found.table,
        users: [...known.values()],
        more: !isDone,
        searched: new Set(searched),
        ...(isDone && known.size === 0 && { why: t('The table {0} is empty.', found.table) }),
      });
    }
    isAsking = false;
  }

  return {
    search(typed) {
      const text = typed.trim();
      if (isDone || searched.has(text)) return;
      wanted = text;
      if (!isAsking) void askWanted();
    },
  };
}

export interface UserOffer extends AppUser {
  readonly isConnected: boolean;
}

interface OfferedUsers {
  readonly known: KnownUsers;
  /** The ids of the users of connected clients. */
  readonly connected: readonly string[];
  readonly typed: string;
}

/** The maximum number of offered users. People type to find others. */
const mostOffered = 100;

/** Returns the users that match a typed text. An exact id is first; then connected users; then by name. */
export function offerUsers({ known, connected, typed }: OfferedUsers): readonly UserOffer[] {
  const isConnected = new Set(connected);
  const users = new Map([...isConnected].map((id): [string, AppUser] => [id, { id }]));
  for (const user of known.users) users.set(user.id, user);
  const words = typed.toLowerCase().split(/\s+/);
  const text = typed.trim();
  const rank = ({ id }: UserOffer): number => (id === text ? 0 : isConnected.has(id) ? 1 : 2);
  return [...users.values()]
    .filter((user) => words.every((word) => searchTextOf(user).includes(word)))
    .map((user) => ({ ...user, isConnected: isConnected.has(user.id) }))
    .toSorted((a, b) => rank(a) - rank(b) || naturally.compare(titleOf(a), titleOf(b)))
    .slice(0, mostOffered);
}

/** Sorts `user10` after `user9`. */
const naturally = new Intl.Collator('en', { numeric: true });

function searchTextOf({ name = '', address = '', id }: AppUser): string {
  return `${name} ${address} ${id}`.toLowerCase();
}

/** Returns the best known label of a user. */
export function titleOf({ name, address, id }: AppUser): string {
  return name ?? address ?? id;
}

/** Returns the other labels of a user, such as the address. */
export function userDetailsOf(user: AppUser): readonly string[] {
  const { address, id } = user;
  return [address ?? '', id].filter((text) => text !== '' && text !== titleOf(user));
}
