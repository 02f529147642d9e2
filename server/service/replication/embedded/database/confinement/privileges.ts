/**
 * Runs certain statements for `postgres` that PostgreSQL reserves for superusers. Projects use them, also inside functions and
 * blocks, although the statements do not need such rights.
 */
import type { PGlite } from '@electric-sql/pglite';
import { type Engine, engineOf } from './engine.ts';
import { ownerOid } from './roles.ts';

/** The statements that are permitted: `FOR ALL TABLES` and `FOR TABLES IN SCHEMA`. Neither runs any function of a user. */
const granted: ReadonlySet<string> = new Set(['CREATE PUBLICATION', 'ALTER PUBLICATION']);

/** The offset of the pointer to the statement in PostgreSQL's `PlannedStmt`, in bytes. */
const statementOffset = 88;

/** The flag `SECURITY_LOCAL_USERID_CHANGE`: code that runs inside cannot change the role. */
const fixedRole = 1;

/** @param user the role of scripts and clients */
export function grantStatements(database: PGlite, user: number): void {
  const engine = engineOf(database);
  const nameOf = (planned: number): string => {
    const statement = new DataView(engine.HEAPU8.buffer).getUint32(planned + statementOffset, true);
    return engine.UTF8ToString(engine._GetCommandTagName(engine._CreateCommandTag(statement)));
  };
  const hook = engine.addFunction((...parameters) => {
    const [planned = 0] = parameters;
    if (engine._GetUserId() !== user || !granted.has(nameOf(planned)))
      return engine._standard_ProcessUtility(...parameters);
    const context = contextOf(engine);
    engine._SetUserIdAndSecContext(ownerOid, fixedRole);
    // After an error, PostgreSQL itself restores the role of the transaction.
    engine._standard_ProcessUtility(...parameters);
    engine._SetUserIdAndSecContext(user, context);
  }, 'viiiiiiii');
  new DataView(engine.HEAPU8.buffer).setUint32(engine._ProcessUtility_hook, hook, true);
}

function contextOf(engine: Engine): number {
  const stack = engine.stackSave();
  // The stack grows downwards, in steps of 16 bytes.
  const words = stack - 16;
  engine.stackRestore(words);
  engine._GetUserIdAndSecContext(words, words + 4);
  const context = new DataView(engine.HEAPU8.buffer).getUint32(words + 4, true);
  engine.stackRestore(stack);
  return context;
}
