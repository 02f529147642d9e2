/**
 * The ledger of the scripts that ran in the embedded database. It is stored in the database and contains names, hashes and
 * skipped statements.
 */
import { readDdl } from '../../../../engine/ddl/read.ts';
import type { Change, DdlName, DdlStatement } from '../../../../engine/ddl/statement.ts';
import { isSeed } from '../../../../engine/project/histories.ts';
import type { ScriptReport, SkippedStatement, SkippedTable } from '../../source.ts';
import type { HashedScript } from '../database/protocol.ts';
import type { FatalPlace } from '../loading/places.ts';
import type { SkippedStep } from '../loading/run.ts';
import type { HashedStatement } from '../loading/statements.ts';
import { continuationOf, type KnownStatement } from './corrections.ts';
import { type AskLedger, readSkippedSteps } from './ledgerTables.ts';
import { movesOf } from './moves.ts';

/** The result of comparing the project's scripts with the ledger. */
interface Ledger extends Pick<ScriptReport, 'applied' | 'changed' | 'removed'> {
  /** The scripts to run, in the order of the project. */
  readonly pending: readonly HashedScript[];
  /** Their statements that the database did not survive when the scripts had another text. */
  readonly fatal: readonly FatalPlace[];
}

export async function readLedger(ask: AskLedger, scripts: readonly HashedScript[]): Promise<Ledger> {
  const skipped = await readSkippedSteps(ask);
  const { rows } = await ask(
    `SELECT name, hash, statements FROM headwater.script WHERE kind = 'schema' ORDER BY name`,
  );
  const known = new Map(rows.map(([name, hash, statements]) => [name as string, { hash, statements }]));
  const pending: HashedScript[] = [];
  const fatal: FatalPlace[] = [];
  const changed: string[] = [];
  for (const script of scripts) {
    const { name, text, hash } = script;
    const before = known.get(name);
    if (before === undefined) pending.push(script);
    if (before === undefined || before.hash === hash) continue;
    const left = skipped.filter((step) => step.script === name);
    const statements = statementsIn(before.statements ?? null, left);
    const rest = statements && continuationOf(text, statements.known);
    if (rest === undefined) changed.push(name);
    else {
      pending.push({ ...script, done: rest.done });
      const places = rest.fatal.map(({ start, hash }) => ({ start, ...statements?.fatal.get(hash) }));
      fatal.push(...places.map(({ reason = 'timeout', ...place }) => ({ ...place, script: name, reason })));
    }
  }
  const names = new Set(scripts.map(({ name }) => name));
  return {
    applied: known.size,
    pending,
    fatal,
    changed,
    // Seeds are not reported as removed, because they run only on request and are not needed afterwards.
    removed: [...known.keys()].filter((name) => !names.has(name) && !isSeed(name)),
  };
}

/** Updates the names of scripts that have been moved or renamed. */
export async function followMoves(ask: AskLedger, scripts: readonly HashedScript[]): Promise<void> {
  const { rows } = await ask(`SELECT name, hash FROM headwater.script WHERE kind = 'schema' ORDER BY name`);
  const known = rows.map(([name, hash]) => ({ name: name as string, hash: hash as string }));
  const before = new Set(known.map(({ name }) => name));
  const now = new Set(scripts.map(({ name }) => name));
  const missed = known.filter(({ name }) => !now.has(name));
  const unknown = scripts.filter(({ name }) => !before.has(name));
  for (const { from, to } of movesOf(missed, unknown)) {
    await ask('UPDATE headwater.skipped SET script = $1 WHERE script = $2', [to, from]);
    await ask('UPDATE headwater.script SET name = $1 WHERE name = $2', [to, from]);
  }
}

interface RunStatements {
  readonly known: readonly KnownStatement[];
  /** The reasons why the database did not survive some statements, by their hash. */
  readonly fatal: ReadonlyMap<string, Pick<FatalPlace, 'reason' | 'message'>>;
}

/** Returns undefined if it is unknown which statements were run. */
function statementsIn(json: string | null, skipped: readonly SkippedStep[]): RunStatements | undefined {
  if (json === null || skipped.some(({ reason }) => reason === 'plain')) return undefined;
  const becameNothing = skipped.some(({ statement }) => statement === '');
  const steps = new Map(skipped.map((step) => [step.start, step]));
  const fatal = new Map<string, Pick<FatalPlace, 'reason' | 'message'>>();
  const known = (JSON.parse(json) as readonly HashedStatement[]).map(({ start, hash }): KnownStatement => {
    const step = steps.get(start);
    if (step?.reason === 'timeout' || step?.reason === 'ended') {
      fatal.set(hash, { reason: step.reason, ...(step.message !== undefined && { message: step.message }) });
      return { hash, became: 'fatal' };
    }
    return { hash, became: becameNothing || step !== undefined ? 'left out' : 'run' };
  });
  return { known, fatal };
}

/** Adds scripts that were run before there was a ledger. */
export async function rememberScripts(ask: AskLedger, scripts: readonly HashedScript[]): Promise<void> {
  await ask(
    `INSERT INTO headwater.script (name, hash, kind)
     SELECT name, hash, kind FROM json_to_recordset($1) AS given (name text, hash text, kind text)`,
    [JSON.stringify(scripts.map(({ name, hash, kind }) => ({ name, hash, kind })))],
  );
}

/** Describes a skipped step, including the objects that its statement would have created. */
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

/** Returns the table. A name without a schema normally refers to `public`. */
function tableOf({ schema = 'public', name }: DdlName): SkippedTable {
  return { schema, name };
}
