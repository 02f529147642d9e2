/** What was run in the embedded database, kept inside of it: scripts by name and hash, and statements left out. */
import { readDdl } from '../../../../engine/ddl/read.ts';
import type { Change, DdlName, DdlStatement } from '../../../../engine/ddl/statement.ts';
import { isSeed } from '../../../../engine/project/histories.ts';
import type { ScriptReport, SkippedStatement, SkippedTable } from '../../source.ts';
import type { Answer, HashedScript, Query } from '../database/protocol.ts';
import type { SkippedStep } from '../loading/run.ts';

export const installLedger = `
CREATE TABLE IF NOT EXISTS headwater.script (
  name text PRIMARY KEY, hash text NOT NULL, kind text NOT NULL, applied timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE IF NOT EXISTS headwater.skipped (
  script text NOT NULL, start_offset integer NOT NULL, line integer NOT NULL, statement text NOT NULL,
  reason text NOT NULL, code text, message text, PRIMARY KEY (script, start_offset)
);
`;

export type AskLedger = (sql: string, parameters?: Query['parameters']) => Promise<Answer>;

/** The scripts of the project beside those that were run. */
interface Ledger extends Pick<ScriptReport, 'applied' | 'changed' | 'removed'> {
  readonly pending: readonly HashedScript[];
}

export async function readLedger(ask: AskLedger, scripts: readonly HashedScript[]): Promise<Ledger> {
  const { rows } = await ask(`SELECT name, hash FROM headwater.script WHERE kind = 'schema' ORDER BY name`);
  const hashes = new Map(rows.map(([name, hash]) => [name as string, hash]));
  const named = new Set(scripts.map(({ name }) => name));
  return {
    applied: hashes.size,
    pending: scripts.filter(({ name }) => !hashes.has(name)),
    changed: scripts
      .filter(({ name, hash }) => hashes.has(name) && hashes.get(name) !== hash)
      .map(({ name }) => name),
    // Rows to begin with are named when they are wanted, and nobody misses their file afterwards.
    removed: [...hashes.keys()].filter((name) => !named.has(name) && !isSeed(name)),
  };
}

/** For scripts that were run before there was a ledger. */
export async function rememberScripts(ask: AskLedger, scripts: readonly HashedScript[]): Promise<void> {
  await ask(
    `INSERT INTO headwater.script (name, hash, kind)
     SELECT name, hash, kind FROM json_to_recordset($1) AS given (name text, hash text, kind text)`,
    [JSON.stringify(scripts.map(({ name, hash, kind }) => ({ name, hash, kind })))],
  );
}

export async function readSkippedSteps(ask: AskLedger): Promise<readonly SkippedStep[]> {
  const { rows } = await ask(
    `SELECT json_strip_nulls(json_build_object('script', script, 'start', start_offset, 'line', line,
       'statement', statement, 'reason', reason, 'code', code, 'message', message))
     FROM headwater.skipped ORDER BY script, start_offset`,
  );
  return rows.map(([row]) => JSON.parse(row as string) as SkippedStep);
}

/** With what its statement would have made. */
export function describeSkipped({ start: _, ...step }: SkippedStep): SkippedStatement {
  const effects = readDdl(step.statement).map(effectOf);
  return {
    ...step,
    makes: effects.flatMap(({ makes = [] }) => makes),
    adds: effects.flatMap(({ adds = [] }) => adds),
  };
}

type Effect = Partial<Pick<SkippedStatement, 'makes' | 'adds'>>;

function effectOf(statement: DdlStatement): Effect {
  switch (statement.kind) {
    case 'create table':
      return { makes: [tableOf(statement.name)] };
    case 'rename table':
      return { makes: [tableOf(statement.to)] };
    case 'alter table':
      return effectOfChanges(tableOf(statement.name), statement.changes);
    default:
      return {};
  }
}

function effectOfChanges(table: SkippedTable, changes: readonly Change[]): Effect {
  const makes: SkippedTable[] = [];
  const adds: (SkippedTable & { readonly column: string })[] = [];
  for (const change of changes) {
    if (change.kind === 'add') adds.push({ ...table, column: change.column.name });
    if (change.kind === 'rename') adds.push({ ...table, column: change.to });
    if (change.kind === 'rename table') makes.push({ ...table, name: change.to });
    if (change.kind === 'set schema') makes.push({ ...table, schema: change.schema });
  }
  return { makes, adds };
}

/** Mostly nothing else is meant where no schema is named. */
function tableOf({ schema = 'public', name }: DdlName): SkippedTable {
  return { schema, name };
}
