/**
 * Lists the users of the app by name or address, so that admins need not type ids. They are read from the table to which the owner
 * columns of the active config refer, with the rights and limits of `execute-sql`.
 */
import { readServiceSchema, selectUsers, type UserClaim, usersTableOf } from '../../engine/index.ts';
import { situationOf } from '../deployments/lifecycle.ts';
import { ServiceError } from '../ground/errors.ts';
import type { Call } from '../http/route.ts';
import type { ApiParts } from './parts.ts';

const notReadable = 'Rows of the source must not be read. Set debug_api: true for its connection.';

/** The maximum number of users in one answer. */
const mostUsers = 100;

export interface ListedUser {
  readonly id: string;
  readonly name?: string;
  readonly address?: string;
}

interface UsersAnswer {
  readonly table?: { readonly schema: string; readonly name: string };
  readonly users?: readonly ListedUser[];
  readonly more?: boolean;
  readonly problem?: string;
}

/**
 * Returns no `users` if they are unknown; `problem` is the reason if there is a table or rows must not be read.
 *
 * @param readSchema returns the answer of `POST /api/admin/v1/schema`
 * @param claim the claim that distinguishes users; absent: their id
 */
export async function answerUsers(
  { parameters, signal }: Pick<Call, 'parameters' | 'signal'>,
  { store, configs, source, debugApi }: Pick<ApiParts, 'store' | 'configs' | 'source' | 'debugApi'>,
  readSchema: () => Promise<Readonly<Record<string, unknown>>>,
  claim?: UserClaim,
): Promise<UsersAnswer> {
  const { serving, pending } = situationOf(await store.all());
  const deployment = serving ?? pending;
  if (deployment === undefined) throw new ServiceError('SVC_S4104');
  if (!debugApi) return { problem: notReadable };
  const catalog = readServiceSchema(await readSchema())?.catalog;
  const users = usersTableOf(configs.of(deployment).plans, catalog, claim);
  if (users === undefined) return {};
  const table = { schema: users.schema, name: users.name };
  const { search = '' } = parameters as { readonly search?: string };
  try {
    const { rows, truncated } = await source.query(
      selectUsers(users),
      [search, String(mostUsers + 1)],
      signal,
    );
    const found = rows.map(
      ([id, name, address]): ListedUser => ({
        id: String(id),
        ...(name && { name: String(name) }),
        ...(address && { address: String(address) }),
      }),
    );
    return { table, users: found.slice(0, mostUsers), more: truncated || found.length > mostUsers };
  } catch (error) {
    return { table, problem: error instanceof Error ? error.message : String(error) };
  }
}
