/** Updates the embedded database with the project's scripts. Skipped statements are recorded in its ledger. */
import type { SchemaPath } from '../../../config/settings.ts';
import type { Log } from '../../../ground/log.ts';
import type { ScriptReport, ScriptRun } from '../../source.ts';
import type { DatabaseProcess } from '../child.ts';
import type { FatalPlace } from '../loading/places.ts';
import type { SkippedStep } from '../loading/run.ts';
import { buildsOnSupabase } from '../loading/supabaseTraces.ts';
import { lostRowsIn } from '../seeds/refused.ts';
import { followMoves, readLedger, rememberScripts } from './ledger.ts';
import { type AskLedger, readSkippedSteps } from './ledgerTables.ts';
import { readProjectScripts, readSeeds, schemaFailure } from './projectScripts.ts';

interface ProjectLoading {
  readonly database: DatabaseProcess;
  readonly schema: readonly SchemaPath[];
  /** The statements that the database did not survive. */
  readonly fatal: readonly FatalPlace[];
  /** `old`: the scripts of the database ran before there was a ledger. */
  readonly age: 'old' | 'new';
  /** `seeds`: initial rows are also created, once. */
  readonly rows: 'seeds' | 'none';
  /** Whether skipped statements are tried again, even if no script is new. */
  readonly leftOut: 'as it is' | 'once more';
  readonly log: Log;
  readonly onRun: (run: ScriptRun) => void;
}

/** The scripts that the database contains, and those that it lacks. */
export type ProjectState = Omit<ScriptReport, 'skipped'>;

/** Fails if no script has ever run, and none can be read. */
export async function loadProject(loading: ProjectLoading): Promise<ProjectState> {
  const { database, schema, age, fatal, rows, leftOut, log, onRun } = loading;
  const ask: AskLedger = (sql, parameters = []) =>
    database.ask({ kind: 'query', rights: 'owner', sql, parameters });
  const { scripts, includes, problems } = await readProjectScripts(schema);
  if (age === 'old') await rememberScripts(ask, scripts);
  await followMoves(ask, scripts);
  const { pending, fatal: stillFatal, ...before } = await readLedger(ask, scripts);
  if (before.applied === 0 && problems.length > 0) throw schemaFailure(problems);
  for (const problem of problems) log.write('warn', `A part of the schema is left out: ${problem}`);
  const seeds = rows === 'seeds' ? await readSeeds(schema) : [];
  const toRun = [...pending, ...seeds];
  const known = await readSkippedSteps(ask);
  const isTried = leftOut === 'once more' && known.some(maySucceedLater);
  if (toRun.length > 0 || fatal.length > 0 || isTried) {
    const host = (await isSupabase(ask)) || toRun.some(({ text }) => buildsOnSupabase(text));
    await database.load({
      kind: 'load',
      scripts: toRun,
      includes,
      leaveOut: [...fatal, ...stillFatal],
      host: host ? 'supabase' : 'plain',
      earlier: known.filter(maySucceedLater).filter((step) => !isIn(toRun)(step)),
    });
    const skipped = (await readSkippedSteps(ask)).filter(isIn(toRun));
    if (toRun.length > 0)
      onRun({
        scripts: toRun.map(({ name }) => name),
        skipped: skipped.map(({ statement }) => kindOf(statement)),
        lostRows: lostRowsIn(skipped),
      });
  }
  return {
    ...before,
    applied: before.applied + pending.filter(({ done }) => done === undefined).length,
    // If a folder cannot be read, nothing is known about its files.
    removed: problems.length > 0 ? [] : before.removed,
    problems,
  };
}

async function isSupabase(ask: AskLedger): Promise<boolean> {
  const { rows } = await ask(`SELECT FROM pg_namespace WHERE nspname = 'supabase_migrations'`);
  return rows.length > 0;
}

/** Whether a later script may create what the statement needs. Rows are not tried again, because nobody expects them by then. */
function maySucceedLater({ reason, statement }: SkippedStep): boolean {
  return reason === 'failed' && /^\s*(?:create|alter|comment)\b/i.test(statement);
}

function isIn(scripts: readonly { readonly name: string }[]): (step: SkippedStep) => boolean {
  const names = new Set(scripts.map(({ name }) => name));
  return ({ script }) => names.has(script);
}

function kindOf(statement: string): string {
  const words = statement.toLowerCase().match(/^\s*(\\?[a-z_!]+)(?:\s+([a-z_]+))?/);
  const [, first = 'other', second] = words ?? [];
  return second !== undefined && /^(?:create|alter|drop|comment)$/.test(first) ? `${first} ${second}` : first;
}
