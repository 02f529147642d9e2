/** Brings the embedded database to where the project's scripts are; what is left out is kept in its ledger. */

import { readDdl } from '../../../engine/ddl/read.ts';
import { positionsIn } from '../../../engine/index.ts';
import type { SchemaPath } from '../../config/settings.ts';
import type { Log } from '../../ground/log.ts';
import type { DatabaseProcess } from './child.ts';
import type { HashedScript, Query, StatementPlace } from './database/protocol.ts';
import { readLedger, type SkippedStatement } from './ledger.ts';
import type { SkippedStep } from './loading/run.ts';
import { buildsOnSupabase } from './loading/supabase.ts';
import { readProjectScripts } from './projectScripts.ts';

export interface ProjectLoading {
  readonly database: DatabaseProcess;
  readonly schema: readonly SchemaPath[];
  /** Statements that never ended. */
  readonly endless: readonly StatementPlace[];
  /** The scripts that are there were run before there was a ledger. */
  readonly isOld: boolean;
  readonly log: Log;
}

/** Returns the scripts that were run. */
export async function loadProject(loading: ProjectLoading): Promise<readonly string[]> {
  const { database, schema, endless, isOld, log } = loading;
  const query = (sql: string, parameters: Query['parameters'] = []) =>
    database.ask({ kind: 'query', sql, parameters });
  const scripts = await readProjectScripts(schema);
  if (isOld) {
    await query(REMEMBER, [JSON.stringify(scripts.map(({ name, hash }) => ({ name, hash })))]);
    return [];
  }
  const { pending } = await readLedger(query, scripts);
  if (pending.length === 0) return [];
  const { rows } = await query(IS_SUPABASE);
  const host = rows.length > 0 || pending.some(({ text }) => buildsOnSupabase(text)) ? 'supabase' : 'plain';
  const { skipped = [] } = await database.load({
    kind: 'load',
    scripts: pending,
    host,
    includes: [],
    leaveOut: endless,
  });
  const described = describeSkipped(skipped, pending);
  await query(KEEP, [JSON.stringify(described)]);
  const names = pending.map(({ name }) => name);
  log.write('info', `The embedded database has run ${count(names.length, 'script')} of the project.`, {
    ...(described.length > 0 && { skipped: described.length }),
  });
  return names;
}

const REMEMBER = `INSERT INTO headwater.script (name, hash)
  SELECT name, hash FROM json_to_recordset($1) AS given (name text, hash text) ON CONFLICT DO NOTHING`;
const IS_SUPABASE = `SELECT FROM pg_namespace WHERE nspname = 'supabase_migrations'`;
const KEEP = `INSERT INTO headwater.skipped SELECT * FROM json_populate_recordset(NULL::headwater.skipped, $1)`;

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

export function describeSkipped(
  steps: readonly SkippedStep[],
  scripts: readonly HashedScript[],
): readonly SkippedStatement[] {
  const texts = new Map(scripts.map(({ name, text }) => [name, text]));
  return steps.map(({ script, start, end, reason, code, message }) => {
    const text = texts.get(script) ?? '';
    const statement = text.slice(start, end);
    return {
      script,
      line: positionsIn(text)(start).line + 1,
      statement: statement.slice(0, LONGEST_EXCERPT).replace(/\s+/g, ' '),
      reason,
      ...(code !== undefined && { code }),
      ...(message !== undefined && { message }),
      tables: tablesIn(statement),
    };
  });
}

/** Characters. */
const LONGEST_EXCERPT = 200;

function tablesIn(statement: string): readonly string[] {
  return readDdl(statement).flatMap((read) =>
    read.kind === 'create table' || read.kind === 'create view' || read.kind === 'alter table'
      ? [`${read.name.schema ?? 'public'}.${read.name.name}`]
      : [],
  );
}
