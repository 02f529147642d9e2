/** What was run in the embedded database, kept inside of it: scripts by name and hash, and statements left out. */
import type { HashedScript } from './database/protocol.ts';
import type { EmbeddedDatabase } from './database.ts';

export const INSTALL_LEDGER = `
CREATE TABLE IF NOT EXISTS headwater.script (
  name text PRIMARY KEY, hash text NOT NULL, applied timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE IF NOT EXISTS headwater.skipped (
  script text NOT NULL, line integer NOT NULL, statement text NOT NULL, reason text NOT NULL,
  code text, message text, tables text[] NOT NULL
);
`;

/** A statement that was left out when its script was run. */
export interface SkippedStatement {
  readonly script: string;
  /** Counted from 1. */
  readonly line: number;
  /** Its beginning. */
  readonly statement: string;
  /** `timeout`: it took too long. */
  readonly reason: 'failed' | 'server' | 'files' | 'psql' | 'timeout';
  /** Of a failure: the database's SQLSTATE and sentence. */
  readonly code?: string;
  readonly message?: string;
  /** Those that it makes or changes, as `schema.name`. */
  readonly tables: readonly string[];
}

/** The scripts of the project beside those that were run. */
export interface ScriptState {
  readonly applied: number;
  /** Their files have other contents by now. */
  readonly changed: readonly string[];
  /** Their files are gone. */
  readonly removed: readonly string[];
  readonly skipped: readonly SkippedStatement[];
}

export interface Ledger {
  readonly pending: readonly HashedScript[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export async function readLedger(
  query: EmbeddedDatabase['query'],
  scripts: readonly HashedScript[],
): Promise<Ledger> {
  const { rows } = await query('SELECT name, hash FROM headwater.script');
  const applied = new Map(rows.map(([name, hash]) => [name as string, hash]));
  const named = new Set(scripts.map(({ name }) => name));
  return {
    pending: scripts.filter(({ name }) => !applied.has(name)),
    changed: scripts
      .filter(({ name, hash }) => applied.has(name) && applied.get(name) !== hash)
      .map(({ name }) => name),
    removed: [...applied.keys()].filter((name) => !named.has(name)),
  };
}

export async function readSkipped(query: EmbeddedDatabase['query']): Promise<readonly SkippedStatement[]> {
  const { rows } = await query(
    `SELECT row_to_json(skipped) FROM headwater.skipped ORDER BY script, line, statement`,
  );
  return rows.map(([row]) => JSON.parse(row as string) as SkippedStatement);
}
