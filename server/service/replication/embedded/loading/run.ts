/**
 * Runs scripts in the embedded database. Each script has its own transaction and each statement runs separately, so that a
 * failing statement does not affect the others. Failed statements are tried again at the end, when everything else exists.
 */
import { readScript } from '../../../../engine/ddl/script.ts';
import { quoteName } from '../../../../engine/sql/names.ts';
import { outOfMemory, releaseLocks } from '../database/advisoryLocks.ts';
import { type FatalPlace, otherPlaces } from './places.ts';
import { toPlainTable } from './plainTable.ts';
import { type Runnable, remedyFor } from './remedies.ts';
import { isSetting } from './statements.ts';
import { type LoadStep, type SkipReason, toLoadStep } from './step.ts';

/** The database, during a turn of the service. */
export interface LoadTarget {
  exec(sql: string): Promise<unknown>;
  /** Runs the service's own statements with the rights of a superuser. */
  execAsOwner(sql: string): Promise<unknown>;
  /** Runs `COPY … FROM STDIN`. */
  copy(sql: string, rows: string): Promise<unknown>;
}

export interface Script {
  /** The name for users: the path in the project. */
  readonly name: string;
  readonly text: string;
}

/** A step of a script that was not run. */
export interface SkippedStep {
  readonly script: string;
  /** The offset in the script. */
  readonly start: number;
  /** The line number, beginning with 1. */
  readonly line: number;
  /** The statement as it should have been run. */
  readonly statement: string;
  readonly reason: Exclude<SkipReason, 'none'> | 'failed' | 'plain' | FatalPlace['reason'];
  /** The database's SQLSTATE, after a failure. */
  readonly code?: string;
  /** The database's message after a failure, or the reason why the statement ended the database. */
  readonly message?: string;
}

/** The result of an include. */
export type IncludeResult =
  | { readonly kind: 'script'; readonly script: Script }
  /** The file does not exist; the message explains that. */
  | { readonly kind: 'none'; readonly message: string };

export interface LoadParts {
  readonly target: LoadTarget;
  /** Reads a file that a script includes. */
  readonly include: (path: string, from: 'script' | 'start', script: string) => IncludeResult;
  /** Called before each statement, because it may be the last one if the database does not survive it. */
  readonly begins: (script: string, start: number) => void;
  /** Returns the places at which the database did not survive the script before. */
  readonly fatal: (script: string, start: number) => readonly FatalPlace[];
  /** Whether the statement has already run. */
  readonly isDone: (script: string, start: number) => boolean;
  /** Runs in the transaction of a script, at its end. */
  readonly applied: (script: string, skipped: readonly SkippedStep[]) => Promise<void>;
  /** Runs in the transaction of a statement that failed before and now succeeds, or at least creates a plain table. */
  readonly mended: (step: SkippedStep, how: 'whole' | 'plain') => Promise<void>;
}

/** @param earlier statements that failed before, and may succeed after these scripts */
export async function runScripts(
  scripts: readonly Script[],
  earlier: readonly SkippedStep[],
  parts: LoadParts,
): Promise<void> {
  const failed = earlier.map((skipped) => ({ step: asRun(skipped), skipped }));
  for (const script of scripts) failed.push(...(await runOne(script, parts)));
  const left = await untilNothingChanges(failed.filter(mayBeMended), parts);
  const isLeft = (failure: Failure): boolean => left.includes(failure) || !mayBeMended(failure);
  const plain = await makePlain(failed.filter(isLeft), parts);
  if (plain.length > 0)
    await untilNothingChanges(
      left.filter((failure) => !plain.includes(failure)),
      parts,
    );
}

async function untilNothingChanges(
  failures: readonly Failure[],
  parts: LoadParts,
): Promise<readonly Failure[]> {
  let left = failures;
  for (let before = Number.POSITIVE_INFINITY; left.length > 0 && left.length < before; ) {
    before = left.length;
    left = await again(left, parts);
  }
  return left;
}

interface Failure {
  readonly step: Runnable;
  readonly skipped: SkippedStep;
}

interface Outcome {
  readonly skipped: readonly SkippedStep[];
  readonly failed: readonly Failure[];
}

function asRun({ statement }: SkippedStep): Runnable {
  return { kind: 'run', sql: statement };
}

/**
 * Runs a script. A script that cannot be committed is skipped entirely. If the database did not survive its end before, deferred
 * triggers run with their statements, so that the cause is known.
 */
async function runOne(script: Script, parts: LoadParts): Promise<readonly Failure[]> {
  const whole = { script: script.name, start: 0, line: 1, statement: '' } as const;
  const [once, again] = parts.fatal(script.name, otherPlaces.end);
  if (again !== undefined) {
    await transact(parts.target, () => parts.applied(script.name, [{ ...whole, ...howItEnded(again) }]));
    return [];
  }
  try {
    const transacting = once === undefined ? within : transactAtOnce;
    return await transacting(parts.target, async () => {
      const { skipped, failed } = await runScript(script, parts, []);
      parts.begins(script.name, otherPlaces.end);
      await parts.target.exec(reset);
      await parts.applied(script.name, [...skipped, ...failed.map((failure) => failure.skipped)]);
      return failed;
    });
  } catch (error) {
    const problem = problemOf(error);
    if (problem.code === undefined) throw error;
    await transact(parts.target, () =>
      parts.applied(script.name, [{ ...whole, reason: 'failed', ...problem }]),
    );
    return [];
  }
}

/**
 * Whether a failed statement may succeed at the end. A missing object may exist by then, if only the project's own tool knows the
 * right order. Statements that remove something are not tried again, because they would remove later objects.
 */
function mayBeMended({ skipped: { statement, code = '' } }: Failure): boolean {
  return (
    isMissing.test(code) && (creates.test(statement) || (makes.test(statement) && !takes.test(statement)))
  );
}

/**
 * Whether the code means that an object is missing: a table, a column, a function, a type, a schema or a referenced key. `55P04`:
 * a value of an enum, which can only be used after the transaction that adds it.
 */
const isMissing = /^(?:42P01|42703|42883|42704|3F000|23503|55P04)$/;
const creates = /^\s*create\b/i;
const makes = /^\s*(?:alter|insert|copy|comment|grant|do)\b/i;
const takes = /\b(?:drop|rename|truncate|delete\s+from)\b/i;

/** @param including the scripts that include this one */
async function runScript(script: Script, parts: LoadParts, including: readonly string[]): Promise<Outcome> {
  const { target, include, begins } = parts;
  const skipped: SkippedStep[] = [];
  const failed: Failure[] = [];
  const lineOf = lineCounter(script.text);
  let rows: Insertion[] = [];
  const insertRows = async (): Promise<void> => {
    const insertions = rows;
    rows = [];
    failed.push(...(await insertAll(insertions, parts)));
  };
  let isInTransaction = false;
  /** The savepoints of the script, in order. */
  let savepoints: readonly string[] = [];
  for (const found of readScript(script.text)) {
    const step = toLoadStep(script.text, found);
    if (parts.isDone(script.name, found.start) && !(step.kind === 'run' && isSetting(step.sql))) continue;
    const place = {
      script: script.name,
      start: found.start,
      line: lineOf(found.start),
      statement: step.kind === 'run' ? step.sql : script.text.slice(found.start, found.end),
    };
    const [fatal] = parts.fatal(script.name, found.start);
    if (fatal !== undefined) {
      skipped.push({ ...place, ...howItEnded(fatal) });
      continue;
    }
    if (
      step.kind === 'run' &&
      isInsertion(step.sql) &&
      parts.fatal(script.name, otherPlaces.rows).length === 0
    ) {
      rows.push({ step, place });
      if (rows.length >= rowsAtOnce || step.sql.length > longestInsertion) await insertRows();
      continue;
    }
    await insertRows();
    begins(script.name, found.start);
    switch (step.kind) {
      case 'skip':
        if (step.reason !== 'none') skipped.push({ ...place, reason: step.reason });
        break;
      case 'transaction':
        if (isInTransaction !== (step.action === 'begin')) await target.exec(transaction[step.action]);
        isInTransaction = step.action === 'begin';
        savepoints = [];
        break;
      case 'savepoint': {
        const at = savepoints.lastIndexOf(step.name);
        if (step.action !== 'set' && at < 0) {
          const message = `There is no savepoint ${step.name}.`;
          skipped.push({ ...place, reason: 'failed', message });
          break;
        }
        await target.exec(`${savepoint[step.action]} ${quoteName(step.name)}`);
        const kept = { set: savepoints.length, release: at, rollback: at + 1 }[step.action];
        savepoints = [...savepoints.slice(0, kept), ...(step.action === 'set' ? [step.name] : [])];
        break;
      }
      case 'include': {
        const included = include(step.path, step.from, script.name);
        const around = [...including, script.name];
        if (included.kind === 'none') skipped.push({ ...place, reason: 'files', message: included.message });
        else if (around.includes(included.script.name))
          skipped.push({ ...place, reason: 'files', message: `${included.script.name} includes itself.` });
        else {
          const inner = await runScript(included.script, parts, around);
          skipped.push(...inner.skipped);
          failed.push(...inner.failed);
        }
        break;
      }
      default: {
        const problem = await attempt(step, target);
        if (problem) failed.push({ step, skipped: { ...place, reason: 'failed', ...problem } });
      }
    }
  }
  await insertRows();
  return { skipped, failed };
}

interface Insertion {
  readonly step: Extract<LoadStep, { kind: 'run' }>;
  readonly place: Omit<SkippedStep, 'reason'>;
}

function isInsertion(sql: string): boolean {
  return /^insert\b/i.test(sql);
}

function howItEnded({ reason, message }: FatalPlace): Pick<SkippedStep, 'reason' | 'message'> {
  return { reason, ...(message !== undefined && { message }) };
}

/** The number of INSERT statements that run together. Dumps have hundreds of thousands of them, with one row each. */
const rowsAtOnce = 200;
/** The maximum length of an INSERT that runs together with others, in characters. */
const longestInsertion = 100_000;

/** Runs the INSERT statements together, or one by one if one of them fails. */
async function insertAll(
  insertions: readonly Insertion[],
  { target, begins }: LoadParts,
): Promise<readonly Failure[]> {
  const [first] = insertions;
  if (first === undefined) return [];
  if (insertions.length > 1) {
    begins(first.place.script, otherPlaces.rows);
    const sql = insertions.map(({ step }) => step.sql).join(';\n');
    if ((await run({ kind: 'run', sql }, target)) === undefined) return [];
  }
  const failed: Failure[] = [];
  for (const { step, place } of insertions) {
    begins(place.script, place.start);
    const problem = await attempt(step, target);
    if (problem) failed.push({ step, skipped: { ...place, reason: 'failed', ...problem } });
  }
  return failed;
}

/** Returns a function that finds the lines of increasing offsets. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1;
  let at = 0;
  return (offset) => {
    for (let next = text.indexOf('\n', at); next >= 0 && next < offset; next = text.indexOf('\n', at)) {
      line += 1;
      at = next + 1;
    }
    return line;
  };
}

/** A transaction of a script becomes a savepoint in ours. */
const transaction = {
  begin: 'SAVEPOINT headwater_script',
  commit: 'RELEASE headwater_script',
  rollback: 'ROLLBACK TO headwater_script; RELEASE headwater_script',
};

/** The script's own savepoints are set outside of ours, because the end of ours would also end them. */
const savepoint = { set: 'SAVEPOINT', release: 'RELEASE', rollback: 'ROLLBACK TO' };

interface Problem {
  readonly code?: string;
  readonly message: string;
}

/** Returns undefined if the step ran, possibly after a missing object was created. */
async function attempt(step: Runnable, target: LoadTarget): Promise<Problem | undefined> {
  for (const tried = new Set<string>(); ; ) {
    const problem = await run(step, target);
    const remedy = problem && remedyFor(step, problem);
    if (!remedy || tried.has(remedy.sql)) return problem;
    tried.add(remedy.sql);
    const exec = remedy.rights === 'owner' ? target.execAsOwner : target.exec;
    const failure = await run({ kind: 'run', sql: remedy.sql }, { ...target, exec });
    if (failure) return problem;
    if (remedy.kind === 'replaces') return undefined;
  }
}

async function run(step: Runnable, target: LoadTarget): Promise<Problem | undefined> {
  try {
    await target.exec('SAVEPOINT headwater_statement');
    await (step.kind === 'copy' ? target.copy(step.sql, step.rows) : target.exec(step.sql));
    await target.exec('RELEASE headwater_statement');
    return undefined;
  } catch (error) {
    await target.exec('ROLLBACK TO headwater_statement; RELEASE headwater_statement');
    const problem = problemOf(error);
    if (problem.code === outOfMemory) await target.exec(releaseLocks);
    return problem;
  }
}

function problemOf(error: unknown): Problem {
  const { code, message } = error as { readonly code?: unknown; readonly message: string };
  return { message, ...(typeof code === 'string' && { code }) };
}

/** Creates plain versions of tables that cannot be created as written. Returns the failures that this has solved. */
async function makePlain(failures: readonly Failure[], parts: LoadParts): Promise<readonly Failure[]> {
  const made: Failure[] = [];
  for (const failure of failures) {
    const { skipped } = failure;
    const sql = skipped.code === duplicateTable ? undefined : toPlainTable(skipped.statement);
    if (sql === undefined || parts.fatal(skipped.script, skipped.start).length > 0) continue;
    parts.begins(skipped.script, skipped.start);
    // A referenced object may just have been created.
    if (made.length > 0 && (await mend(failure.step, skipped, 'whole', parts))) continue;
    if (await mend({ kind: 'run', sql }, skipped, 'plain', parts)) made.push(failure);
  }
  return made;
}

const duplicateTable = '42P07';

/** Tries a step again in a separate transaction, so that a fatal statement does not affect the others. */
async function mend(
  step: Runnable,
  skipped: SkippedStep,
  how: 'whole' | 'plain',
  parts: LoadParts,
): Promise<boolean> {
  try {
    return await within(parts.target, async () => {
      if (await attempt(step, parts.target)) return false;
      await parts.target.exec(reset);
      await parts.mended(skipped, how);
      return true;
    });
  } catch (error) {
    if (problemOf(error).code === undefined) throw error;
    return false;
  }
}

async function again(failures: readonly Failure[], parts: LoadParts): Promise<Failure[]> {
  const left: Failure[] = [];
  for (const failure of failures) {
    const { skipped } = failure;
    if (parts.fatal(skipped.script, skipped.start).length > 0) continue;
    parts.begins(skipped.script, skipped.start);
    if (!(await mend(failure.step, skipped, 'whole', parts))) left.push(failure);
  }
  return left;
}

/** Resets the role and the settings of a script. */
const reset = 'RESET ROLE; reset ALL';

/**
 * Runs work in a transaction, after which no session settings of a script remain. Constraints are checked when the script wants
 * it. If a check fails at the end, the work runs again with immediate checks, which show the failing statement.
 */
async function within<T>(target: LoadTarget, work: () => Promise<T>): Promise<T> {
  try {
    return await transact(target, work);
  } catch (error) {
    if (!/^23/.test(String((error as { code?: unknown }).code))) throw error;
    return transactAtOnce(target, work);
  }
}

function transactAtOnce<T>(target: LoadTarget, work: () => Promise<T>): Promise<T> {
  return transact(target, work, 'BEGIN; SET CONSTRAINTS ALL IMMEDIATE');
}

async function transact<T>(target: LoadTarget, work: () => Promise<T>, begin = 'BEGIN'): Promise<T> {
  await target.exec(begin);
  try {
    const result = await work();
    await target.exec(`SET CONSTRAINTS ALL IMMEDIATE; ${reset}; COMMIT`);
    return result;
  } catch (error) {
    await target.exec(`ROLLBACK; ${reset}`);
    throw error;
  }
}
