/** Runs scripts of the project in the database, in the world that they were written for. */
import { posix } from 'node:path';
import type { LoadScripts } from '../database/protocol.ts';
import { type LoadParts, type LoadTarget, runScripts, type SkippedStep } from './run.ts';
import { supabase, supabaseSettings } from './supabase.ts';

export async function loadScripts(
  target: LoadTarget,
  { scripts, host, includes, leaveOut }: LoadScripts,
  begins: LoadParts['begins'],
): Promise<readonly SkippedStep[]> {
  if (host === 'supabase') await setUpSupabase(target);
  const hashes = new Map(scripts.map(({ name, hash }) => [name, hash]));
  const files = new Map(includes.map((script) => [script.name, script]));
  return runScripts(scripts, {
    target,
    settings: host === 'supabase' ? supabaseSettings : '',
    begins,
    isEndless: (script, start) => leaveOut.some((place) => place.script === script && place.start === start),
    include: async (path, from, script) =>
      files.get(posix.normalize(from === 'script' ? posix.join(posix.dirname(script), path) : path)),
    applied: async (script) => {
      await target.exec(
        `INSERT INTO headwater.script (name, hash) VALUES (${literal(script)}, ${literal(hashes.get(script) ?? '')})
         ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, applied = now()`,
      );
    },
  });
}

/** Once: the role is its last trace to go. */
async function setUpSupabase(target: LoadTarget): Promise<void> {
  await target.exec('BEGIN');
  try {
    await target.exec(supabase);
    await target.exec('COMMIT');
  } catch (error) {
    await target.exec('ROLLBACK');
    // It is there already.
    if ((error as { code?: unknown }).code !== DUPLICATE_OBJECT) throw error;
  }
}

const DUPLICATE_OBJECT = '42710';

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
