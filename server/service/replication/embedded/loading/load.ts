/**
 * Runs scripts of the project in the database, in the environment that they were written for, and updates the database's ledger.
 */
import { posix } from 'node:path';
import { readPath } from '../../../../shared/uri.ts';
import type { LoadScripts } from '../database/protocol.ts';
import { type IncludeResult, type LoadParts, type LoadTarget, runScripts, type SkippedStep } from './run.ts';
import { hashStatements } from './statements.ts';
import { supabase } from './supabase.ts';

export async function loadScripts(
  target: LoadTarget,
  { scripts, host, includes, leaveOut, earlier }: LoadScripts,
  begins: LoadParts['begins'],
): Promise<void> {
  if (host === 'supabase') await setUpSupabase(target);
  const byName = new Map(scripts.map((script) => [script.name, script]));
  const files = new Map(includes.map((script) => [script.name, script]));
  const include: LoadParts['include'] = (path, from, script): IncludeResult => {
    const name = readPath(path);
    const beside = posix.join(posix.dirname(script), name);
    const found = (from === 'start' ? files.get(posix.normalize(name)) : undefined) ?? files.get(beside);
    if (found === undefined) return { kind: 'none', message: `${path} is not a file of the project.` };
    return { kind: 'script', script: found };
  };
  const done = new Map(scripts.map((script) => [script.name, new Set(script.done)]));
  await runScripts(scripts, earlier, {
    target,
    begins,
    include,
    isDone: (script, start) => done.get(script)?.has(start) === true,
    fatal: (script, start) => leaveOut.filter((place) => place.script === script && place.start === start),
    async applied(script, skipped) {
      const { hash = '', kind = 'schema', text = '' } = byName.get(script) ?? {};
      const statements = hashStatements(text);
      const values = [script, hash, kind, statements && JSON.stringify(statements)];
      await target.execAsOwner(
        `DELETE FROM headwater.skipped WHERE script = ${literal(script)};
         INSERT INTO headwater.script (name, hash, kind, statements) VALUES (${values.map(literal).join(', ')})
         ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, statements = excluded.statements, applied = now()`,
      );
      for (const step of skipped) await target.execAsOwner(insertionOf(step));
    },
    async mended({ script, start }, how) {
      const what =
        how === 'whole' ? 'DELETE FROM headwater.skipped' : `UPDATE headwater.skipped SET reason = 'plain'`;
      await target.execAsOwner(`${what} WHERE script = ${literal(script)} AND start_offset = ${start}`);
    },
  });
}

/** Sets up the objects of Supabase, once, because roles remain afterwards. */
async function setUpSupabase(target: LoadTarget): Promise<void> {
  await target.exec('BEGIN');
  try {
    await target.exec(supabase);
    await target.exec('COMMIT');
  } catch (error) {
    await target.exec('ROLLBACK');
    if ((error as { readonly code?: unknown }).code !== duplicateObject) throw error;
  }
}

const duplicateObject = '42710';

/** The number of characters of a statement that are stored. A longer statement probably inserts rows. */
const longestStatement = 10_000;

/** Returns SQL that records a skipped step. If a file is included twice, each of its statements occurs twice. */
function insertionOf({ script, start, line, statement, reason, code, message }: SkippedStep): string {
  const values = [script, start, line, statement.slice(0, longestStatement), reason, code, message];
  return `INSERT INTO headwater.skipped (script, start_offset, line, statement, reason, code, message)
    VALUES (${values.map(literal).join(', ')}) ON CONFLICT DO NOTHING`;
}

function literal(value: string | number | undefined): string {
  if (value === undefined) return 'NULL';
  // A file may contain characters that are not allowed in texts of the database.
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''").replaceAll('\0', '')}'`;
}
