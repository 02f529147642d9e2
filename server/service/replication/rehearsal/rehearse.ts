/**
 * Predicts which tables are copied again because of SQL files that are not run yet. The scripts of the project, and then the
 * pending ones, run in a temporary database. The tables before and after are compared as replication compares them, so a
 * prediction and its consequence have one table of rules (`rows/tableShape.ts`).
 */
import { readScript } from '../../../engine/ddl/script.ts';
import { matchesTable } from '../../../engine/plan/evaluate/patterns.ts';
import type { TablePattern } from '../../../engine/plan/plan.ts';
import type { SchemaPath } from '../../config/settings.ts';
import type { StoredTable } from '../../storage/storage.ts';
import type { DatabaseProcess } from '../embedded/child.ts';
import type { HashedScript } from '../embedded/database/protocol.ts';
import type { Script, SkippedStep } from '../embedded/loading/run.ts';
import { readSkippedSteps } from '../embedded/scripts/ledgerTables.ts';
import { readProjectScripts, toSeedScript } from '../embedded/scripts/projectScripts.ts';
import { whySkipped } from '../embedded/seeds/refused.ts';
import { findTables, toTableInfo } from '../embedded/tables.ts';
import {
  inTemporaryDatabase,
  prepareScripts,
  type ScriptCare,
  type TemporaryLimits,
  temporaryLimits,
} from '../embedded/temporary.ts';
import { reasonToCopy } from '../rows/tableShape.ts';
import { newTable, resolveTable } from '../rows/tables.ts';
import type { TableInfo } from '../source.ts';

export interface RehearsalQuestion {
  /** The scripts of the project. Those that are also pending do not run before the others. */
  readonly schema: readonly SchemaPath[];
  /** The SQL files to predict, in the order in which they run. A name is the path in the project. */
  readonly pending: readonly Script[];
  /** The tables that the sync config reads. */
  readonly patterns: readonly TablePattern[];
}

export type RehearsalAnswer =
  | Rehearsal
  /** There is no prediction. The reason is a sentence. */
  | { readonly kind: 'failed'; readonly reason: string };

export interface Rehearsal {
  readonly kind: 'judged';
  readonly tables: readonly RehearsedTable[];
  readonly remarks: readonly Remark[];
}

export interface RehearsedTable {
  /** The name as the config or the database writes it, with its schema. */
  readonly schema: string;
  readonly name: string;
  /**
   * `copied again`: all rows are read again; `new`: the table is copied for the first time; `nothing`: the stored rows stay as
   * they are; `gone`: the scripts drop or rename the table; `unknown`: there is no prediction.
   */
  readonly outcome: 'copied again' | 'new' | 'nothing' | 'gone' | 'unknown';
  /** The end of a sentence after "because". */
  readonly reason?: string;
}

/** A statement of a pending script, or several consecutive ones that change rows. */
export interface Remark {
  readonly script: string;
  /** The line number of the first statement, beginning with 1. */
  readonly line: number;
  /** The line number of the last statement. Absent: there is only one. */
  readonly lastLine?: number;
  /** The number of statements. Absent: 1. */
  readonly statements?: number;
  /**
   * `not run`: the statement failed or cannot run here; `rows`: it changes rows, which are sent individually as usual; `code`:
   * it runs code, which may act differently on the rows of the real database; `publishing`: it changes which tables a server publishes.
   */
  readonly kind: 'not run' | 'rows' | 'code' | 'publishing';
  /** The reason why it was not run, as a sentence. */
  readonly message?: string;
}

/** Rejects only when the signal is aborted. */
export async function rehearse(
  question: RehearsalQuestion,
  signal: AbortSignal,
  limits: TemporaryLimits = temporaryLimits,
): Promise<RehearsalAnswer> {
  const { scripts, includes, problems } = await readProjectScripts(question.schema);
  const [problem] = problems;
  if (problem !== undefined) return { kind: 'failed', reason: problem };
  const pending = question.pending.map(({ name, text }) => toSeedScript({ path: name, text }));
  const names = new Set(pending.map(({ name }) => name));
  const plan = {
    before: scripts.filter(({ name }) => !names.has(name)),
    pending,
    includes,
    patterns: question.patterns,
  };
  const outcome = await inTemporaryDatabase(
    (database, fatal) => compare(plan, database, { fatal, longest: limits.longest }),
    limits,
    signal,
  );
  switch (outcome.kind) {
    case 'answer':
      return outcome.answer;
    case 'fatal':
      return { kind: 'failed', reason: outcome.message };
    case 'none':
      return { kind: 'failed', reason: noDatabase };
  }
}

const noDatabase = 'The temporary database has ended. It may need more memory than is available.';

interface Plan {
  readonly before: readonly HashedScript[];
  readonly pending: readonly HashedScript[];
  readonly includes: readonly Script[];
  readonly patterns: readonly TablePattern[];
}

async function compare(plan: Plan, database: DatabaseProcess, care: ScriptCare): Promise<Rehearsal> {
  const { before, pending, includes, patterns } = plan;
  const { query, run } = await prepareScripts(database, { scripts: [...before, ...pending], includes }, care);
  const tables = async (): Promise<readonly TableInfo[]> => {
    const found = await findTables({ query });
    return found.map(({ sourceId, description }) => toTableInfo(sourceId, description));
  };
  await run(before);
  const first = await tables();
  await run(pending);
  const skipped = await readSkippedSteps(query);
  const names = new Set(pending.map(({ name }) => name));
  const notRun = skipped.filter((step) => names.has(step.script) && !isHarmless(step));
  const judged = judge(patterns, first, await tables());
  return {
    kind: 'judged',
    tables: notRun.length === 0 ? judged : judged.map(withDoubt),
    remarks: [
      ...notRun.map((step) => ({
        script: step.script,
        line: step.line,
        kind: 'not run' as const,
        message: whySkipped(step, skipped, care.longest),
      })),
      ...pending.flatMap(remarksAbout),
    ],
  };
}

/** Returns the predictions for the tables that the patterns match, before or after the pending scripts. */
function judge(
  patterns: readonly TablePattern[],
  before: readonly TableInfo[],
  after: readonly TableInfo[],
): readonly RehearsedTable[] {
  const isRead = ({ schema, name }: TableInfo): boolean =>
    patterns.some((pattern) => matchesTable(pattern, { tag: pattern.tag, schema, name }));
  const stored = before.filter(isRead).map(
    (info): StoredTable => ({
      ...newTable(info),
      id: info.sourceId,
      copied: true,
    }),
  );
  const now = after.filter(isRead);
  const found = now.map((info) => consequenceFor(info, stored));
  const isLeft = ({ schema, name }: StoredTable): boolean =>
    !now.some((info) => info.schema === schema && info.name === name);
  const gone = stored
    .filter(isLeft)
    .map(({ schema, name }): RehearsedTable => ({ schema, name, outcome: 'gone' }));
  const known = [...found, ...gone];
  const unknown = patterns
    .filter(({ schema, name }) => !schema.wildcard && !name.wildcard)
    .map(({ schema, name }) => ({ schema: schema.text, name: name.text }))
    .filter(({ schema, name }) => !known.some((table) => table.schema === schema && table.name === name))
    .map((table): RehearsedTable => ({ ...table, outcome: 'unknown', reason: noScript }));
  return [...known, ...unknown];
}

const noScript = 'the SQL files that ran here do not create it.';

function consequenceFor(info: TableInfo, stored: readonly StoredTable[]): RehearsedTable {
  const { schema, name } = info;
  const { reused, dropped } = resolveTable(info, stored);
  if (reused === undefined && dropped.length === 0) return { schema, name, outcome: 'new' };
  const reason = reasonToCopy(info, reused);
  return reason === undefined
    ? { schema, name, outcome: 'nothing' }
    : { schema, name, outcome: 'copied again', reason };
}

/** Returns the prediction if statements were not run, which may change the table. */
function withDoubt(table: RehearsedTable): RehearsedTable {
  if (table.outcome !== 'nothing') return table;
  return { ...table, outcome: 'unknown', reason: 'a statement was not run here.' };
}

/** Whether the statement certainly changes no table. */
function isHarmless({ statement }: SkippedStep): boolean {
  return harmless.test(statement);
}

const harmless =
  /^\s*(?:\\|(?:grant|revoke|comment|set|reset|analyze|notify)\b|(?:create(?:\s+or\s+replace)?|alter|drop)\s+(?:policy|role|user|index|unique\s+index|function|procedure|trigger|view|extension|event\s+trigger|default\s+privileges)\b)/i;

/** Returns the statements whose effect depends on rows, or on the server. */
function remarksAbout({ name: script, text }: HashedScript): readonly Remark[] {
  const remarks: Remark[] = [];
  let [line, at] = [1, 0];
  for (const { start, end, kind: step } of readScript(text)) {
    for (; at < start; at += 1) if (text[at] === '\n') line += 1;
    const statement = text.slice(start, Math.min(end, start + longestBeginning));
    const kind = step === 'rows' ? 'rows' : step === 'statement' ? kindOf(statement) : undefined;
    const last = remarks.at(-1);
    if (kind === undefined) continue;
    // A dump has thousands of statements with rows.
    if (kind === 'rows' && last?.kind === 'rows')
      remarks[remarks.length - 1] = { ...last, lastLine: line, statements: (last.statements ?? 1) + 1 };
    else remarks.push({ script, line, kind });
  }
  return remarks;
}

/** The number of characters that identify the kind of a statement. */
const longestBeginning = 200;

function kindOf(statement: string): Remark['kind'] | undefined {
  if (/^(?:insert|update|delete|merge|copy|truncate)\b/i.test(statement)) return 'rows';
  if (/^(?:create|alter|drop)\s+publication\b/i.test(statement)) return 'publishing';
  if (/^select\s+(?:pg_catalog\.)?(?:set_config|setval)\s*\(/i.test(statement)) return undefined;
  return /^(?:do|call|select|with|execute)\b/i.test(statement) ? 'code' : undefined;
}
