/**
 * Makes the session one of `postgres`, who is not a superuser, as if that role had signed in over the network. PGlite's own
 * session belongs to the superuser, so a client could always undo `SET SESSION AUTHORIZATION`. The decisive fact is the role that
 * signed in, so that role is overwritten in PostgreSQL's memory. The result is checked, and the database does not open if the
 * change failed.
 *
 * The service's own statements run as the superuser, who is the current role only for these statements.
 */
import type { PGlite } from '@electric-sql/pglite';
import { type Engine, engineOf } from './engine.ts';
import { grantStatements } from './privileges.ts';
import { handOver, ownerName, ownerOid, prepareRoles, userName } from './roles.ts';

export interface Owner {
  /** Runs statements as the superuser. Nothing else may run meanwhile. */
  act<T>(work: () => Promise<T>): Promise<T>;
}

export async function logIn(database: PGlite): Promise<Owner> {
  // The operators and functions of a project must not be used here, even if their types fit better than those of PostgreSQL's
  // own.
  await database.exec('SET search_path TO pg_catalog, pg_temp');
  await database.exec(prepareRoles);
  await database.exec(handOver);
  await database.exec('RESET search_path');
  const engine = engineOf(database);
  await becomeUser(database, engine);
  grantStatements(database, engine._GetSessionUserId());
  await refuseSuperuser(database);
  return {
    async act(work) {
      const before = engine._GetUserId();
      engine._SetUserIdAndSecContext(ownerOid, 0);
      try {
        return await work();
      } finally {
        engine._SetUserIdAndSecContext(before, 0);
      }
    },
  };
}

/** Constants of PostgreSQL: `GucContext` and `GucSource`. */
const superuserContext = 5;
/** The source whose value `RESET` restores. */
const overrideSource = 10;

async function becomeUser(database: PGlite, engine: Engine): Promise<void> {
  await database.exec('BEGIN');
  const stack = engine.stackSave();
  const [name, value] = ['session_authorization', userName].map((text) => engine.stringToUTF8OnStack(text));
  engine._SetConfigOption(name as number, value as number, superuserContext, overrideSource);
  engine.stackRestore(stack);
  await database.exec('COMMIT');
  const memory = new Uint32Array(engine.HEAPU8.buffer);
  memory[placeOfAuthenticated(engine, memory)] = engine._GetSessionUserId();
}

/** The maximum distance between PostgreSQL's variables, in 32-bit words. */
const searched = 65_536;
/** The distance between `AuthenticatedUserId` and `SessionUserId`, which are neighbours in `miscinit.c`. */
const nearby = 8;

function placeOfAuthenticated(engine: Engine, memory: Uint32Array): number {
  const user = engine._GetSessionUserId();
  const start = Math.max(0, (engine._IsUnderPostmaster >>> 2) - searched);
  for (
    let at = memory.indexOf(user, start);
    at >= 0 && at < start + 2 * searched;
    at = memory.indexOf(user, at + 1)
  ) {
    if (!isSessionUser(engine, memory, at)) continue;
    const around = memory.subarray(at - nearby, at + nearby);
    const found = around.indexOf(ownerOid);
    // If there were two candidates, it would be unknown which one is right.
    if (found >= 0 && around.lastIndexOf(ownerOid) === found) return at - nearby + found;
  }
  throw new Error('The embedded database does not show which role has signed in.');
}

/** Whether PostgreSQL reads the role of its session from this address. */
function isSessionUser(engine: Engine, memory: Uint32Array, at: number): boolean {
  const before = memory[at] as number;
  memory[at] = before + 1;
  const isIt = engine._GetSessionUserId() === before + 1;
  memory[at] = before;
  return isIt;
}

async function refuseSuperuser(database: PGlite): Promise<void> {
  const insufficientPrivilege = '42501';
  for (const sql of [`SET SESSION AUTHORIZATION ${ownerName}`, `SET ROLE ${ownerName}`]) {
    const code = await database.exec(sql).then(
      () => undefined,
      (error: { readonly code?: string }) => error.code,
    );
    if (code !== insufficientPrivilege)
      throw new Error('The embedded database does not protect the rights of its owner.');
  }
}
