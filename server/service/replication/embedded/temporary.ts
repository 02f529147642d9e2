/** A temporary database in memory, for questions about scripts of a project. Nothing that they do there remains. */
import { systemClock } from '../../ground/clock.ts';
import { silentLog } from '../../ground/log.ts';
import type { Clock } from '../../ground/world.ts';
import { type DatabaseProcess, startDatabase } from './child.ts';
import { type HashedScript, inMemory } from './database/protocol.ts';
import { describing } from './describing.ts';
import type { Script } from './loading/run.ts';
import { buildsOnSupabase } from './loading/supabaseTraces.ts';
import { FatalStatement, openFatalStatements } from './scripts/fatalStatements.ts';
import { type AskLedger, installLedger } from './scripts/ledgerTables.ts';

export interface TemporaryLimits {
  readonly clock: Clock;
  /** The time limit of one statement, in milliseconds. */
  readonly longest: number;
}

export const temporaryLimits: TemporaryLimits = { clock: systemClock, longest: 10_000 };

/** The statements that the database does not survive. It is started again without them. */
type FatalPlaces = ReturnType<typeof openFatalStatements>['places'];

type Outcome<T> =
  | { readonly kind: 'answer'; readonly answer: T }
  /** Too many statements end the database. */
  | { readonly kind: 'fatal'; readonly message: string }
  /** The process could not be started or has ended, possibly because of too little memory. */
  | { readonly kind: 'none' };

export interface ScriptCare {
  readonly fatal: FatalPlaces;
  /** The time limit of one statement, in milliseconds. */
  readonly longest: number;
}

/** Prepares a new database for all these scripts. A script runs only when it is passed to `run`. */
export async function prepareScripts(
  database: DatabaseProcess,
  { scripts, includes }: { readonly scripts: readonly HashedScript[]; readonly includes: readonly Script[] },
  { fatal, longest }: ScriptCare,
) {
  await database.ask({ kind: 'execute', sql: describing + installLedger });
  const host = scripts.some(({ text }) => buildsOnSupabase(text)) ? 'supabase' : 'plain';
  const load = { kind: 'load', includes, leaveOut: fatal, host, earlier: [] } as const;
  const query: AskLedger = (sql, parameters = []) =>
    database.ask({ kind: 'query', rights: 'owner', sql, parameters });
  return {
    query,
    run: (some: readonly HashedScript[]) => database.load({ ...load, scripts: some }, longest),
  };
}

/** The maximum number of statements that the database does not survive, because each of them requires a new database. */
const mostFatal = 4;

/** Does work in a new database. Rejects only when the signal is aborted. */
export async function inTemporaryDatabase<T>(
  work: (database: DatabaseProcess, fatal: FatalPlaces) => Promise<T>,
  { clock }: Pick<TemporaryLimits, 'clock'>,
  signal: AbortSignal,
): Promise<Outcome<T>> {
  const fatal = openFatalStatements();
  for (;;) {
    signal.throwIfAborted();
    try {
      const answer = await withDatabase((database) => work(database, fatal.places), clock, signal);
      return { kind: 'answer', answer };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof FatalStatement)) return { kind: 'none' };
      fatal.add(error);
      if (fatal.places.length > mostFatal) return { kind: 'fatal', message: error.message };
    }
  }
}

async function withDatabase<T>(
  work: (database: DatabaseProcess) => Promise<T>,
  clock: Clock,
  signal: AbortSignal,
): Promise<T> {
  const closing = new AbortController();
  const close = (): void => closing.abort();
  signal.addEventListener('abort', close);
  const world = { log: silentLog, clock };
  try {
    const database = await startDatabase(
      { folder: inMemory, password: '', content: 'new', closing: closing.signal },
      world,
    );
    try {
      return await work(database);
    } finally {
      await database.stop();
    }
  } finally {
    signal.removeEventListener('abort', close);
  }
}
