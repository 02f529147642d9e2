/**
 * Runs scripts in the embedded database, each in a transaction of its own and each statement for itself: one that
 * cannot be run costs no other. What failed is tried again at the end, when everything else is there.
 */
import { readScript } from '../../../../engine/ddl/script.ts';
import { remedyFor } from './remedies.ts';
import { type LoadStep, type SkipReason, toLoadStep } from './step.ts';

/** The database, in a turn that is ours alone. */
export interface LoadTarget {
  exec(sql: string): Promise<unknown>;
  /** `COPY` from a blob. */
  copy(sql: string, rows: string): Promise<unknown>;
}

export interface Script {
  /** What people call it: its path in the project. */
  readonly name: string;
  readonly text: string;
}

/** A step of a script that was not run. */
export interface SkippedStep {
  readonly script: string;
  /** Offsets into the script. */
  readonly start: number;
  readonly end: number;
  readonly reason: Exclude<SkipReason, 'none'> | 'failed' | 'timeout';
  /** Of a failure: the database's SQLSTATE and sentence. */
  readonly code?: string;
  readonly message?: string;
}

export interface LoadParts {
  readonly target: LoadTarget;
  /** Statements that set what each script begins with, such as a search path; may be empty. */
  readonly settings: string;
  /** Reads a file that a script includes; undefined if there is none, or none that it may read. */
  readonly include: (path: string, from: 'script' | 'start', script: string) => Promise<Script | undefined>;
  /** Called before each statement: none may follow if it never ends. */
  readonly begins: (script: string, start: number) => void;
  /** Whether it never ended before. */
  readonly isEndless: (script: string, start: number) => boolean;
  /** Runs in the transaction of a script, at its end. */
  readonly applied: (script: string) => Promise<void>;
}

export async function runScripts(
  scripts: readonly Script[],
  parts: LoadParts,
): Promise<readonly SkippedStep[]> {
  const skipped: SkippedStep[] = [];
  let failed: Failure[] = [];
  for (const script of scripts) {
    const found = await within(parts, async () => {
      const outcome = await runScript(script, parts, []);
      await parts.applied(script.name);
      return outcome;
    });
    skipped.push(...found.skipped);
    failed.push(...found.failed);
  }
  for (let left = Number.POSITIVE_INFINITY; failed.length > 0 && failed.length < left; ) {
    left = failed.length;
    failed = await again(failed, parts);
  }
  const all = [...skipped, ...failed.map(({ skipped: statement }) => statement)];
  const order = new Map(scripts.map(({ name }, index) => [name, index]));
  return all.sort((a, b) => (order.get(a.script) ?? 0) - (order.get(b.script) ?? 0) || a.start - b.start);
}

interface Failure {
  readonly step: Runnable;
  readonly skipped: SkippedStep;
}

type Runnable = Extract<LoadStep, { kind: 'run' | 'copy' | 'extension' }>;

interface Outcome {
  readonly skipped: readonly SkippedStep[];
  readonly failed: readonly Failure[];
}

/** @param including the scripts that brought this one here */
async function runScript(script: Script, parts: LoadParts, including: readonly string[]): Promise<Outcome> {
  const { target, include, begins } = parts;
  const skipped: SkippedStep[] = [];
  const failed: Failure[] = [];
  let isInTransaction = false;
  for (const found of readScript(script.text)) {
    const step = toLoadStep(script.text, found);
    const place = { script: script.name, start: found.start, end: found.end };
    if (parts.isEndless(script.name, found.start)) {
      skipped.push({ ...place, reason: 'timeout' });
      continue;
    }
    begins(script.name, found.start);
    switch (step.kind) {
      case 'skip':
        if (step.reason !== 'none') skipped.push({ ...place, reason: step.reason });
        break;
      case 'transaction':
        if (isInTransaction !== (step.action === 'begin')) await target.exec(transaction[step.action]);
        isInTransaction = step.action === 'begin';
        break;
      case 'include': {
        const next = await include(step.path, step.from, script.name);
        if (next === undefined || [...including, script.name].includes(next.name))
          skipped.push({ ...place, reason: 'psql' });
        else {
          const inner = await runScript(next, parts, [...including, script.name]);
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
  return { skipped, failed };
}

/** A transaction of the script is a savepoint in ours. */
const transaction = {
  begin: 'SAVEPOINT headwater_script',
  commit: 'RELEASE headwater_script',
  rollback: 'ROLLBACK TO headwater_script; RELEASE headwater_script',
};

interface Problem {
  readonly code?: string;
  readonly message: string;
}

/** Undefined if it was run, possibly after what it missed was made. */
async function attempt(step: Runnable, target: LoadTarget): Promise<Problem | undefined> {
  for (const tried = new Set<string>(); ; ) {
    const problem = await run(step, target);
    const remedy = problem && remedyFor(step, problem);
    if (!remedy || tried.has(remedy.sql)) return problem;
    tried.add(remedy.sql);
    const failure = await run({ kind: 'run', sql: remedy.sql }, target);
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
    const { code, message } = error as { code?: unknown; message: string };
    return { message, ...(typeof code === 'string' && { code }) };
  }
}

async function again(failures: readonly Failure[], parts: LoadParts): Promise<Failure[]> {
  return within(parts, async () => {
    const left: Failure[] = [];
    for (const failure of failures) {
      const { script, start } = failure.skipped;
      parts.begins(script, start);
      if (parts.isEndless(script, start) || (await attempt(failure.step, parts.target))) left.push(failure);
    }
    return left;
  });
}

/**
 * In a transaction, after which nothing is left of what a script sets for its session. Constraints are checked where
 * the script wants it, but all at once if something would be wrong in the end: then the statement is known that is.
 */
async function within<T>(parts: LoadParts, work: () => Promise<T>): Promise<T> {
  try {
    return await transact(parts, '', work);
  } catch (error) {
    if (!/^23/.test(String((error as { code?: unknown }).code))) throw error;
    return transact(parts, 'SET CONSTRAINTS ALL IMMEDIATE;', work);
  }
}

async function transact<T>(
  { target, settings }: LoadParts,
  constraints: string,
  work: () => Promise<T>,
): Promise<T> {
  await target.exec(`BEGIN; ${constraints} ${settings}`);
  try {
    const result = await work();
    await target.exec('SET CONSTRAINTS ALL IMMEDIATE; RESET ROLE; RESET ALL; COMMIT');
    return result;
  } catch (error) {
    await target.exec('ROLLBACK; RESET ROLE; RESET ALL');
    throw error;
  }
}
