/** The tables of the ledger: creates them, and reads the skipped statements. */
import type { Answer, Query } from '../database/protocol.ts';
import type { SkippedStep } from '../loading/run.ts';

export const installLedger = `
CREATE TABLE IF NOT EXISTS headwater.script (
  name text PRIMARY KEY, hash text NOT NULL, kind text NOT NULL, applied timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE IF NOT EXISTS headwater.skipped (
  script text NOT NULL, start_offset integer NOT NULL, line integer NOT NULL, statement text NOT NULL,
  reason text NOT NULL, code text, message text, PRIMARY KEY (script, start_offset)
);
ALTER TABLE headwater.script ADD COLUMN IF NOT EXISTS statements json;
`;

export type AskLedger = (sql: string, parameters?: Query['parameters']) => Promise<Answer>;

export async function readSkippedSteps(ask: AskLedger): Promise<readonly SkippedStep[]> {
  const { rows } = await ask(
    `SELECT json_strip_nulls(json_build_object('script', script, 'start', start_offset, 'line', line,
       'statement', statement, 'reason', reason, 'code', code, 'message', message))
     FROM headwater.skipped ORDER BY script, start_offset`,
  );
  return rows.map(([row]) => JSON.parse(row as string) as SkippedStep);
}
