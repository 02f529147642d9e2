/** Identifies the statements of a script by their content. Comments and whitespace between words do not matter. */
import { createHash } from 'node:crypto';
import { readScript, type ScriptStep } from '../../../../engine/ddl/script.ts';
import { toLoadStep } from './step.ts';

export interface HashedStatement {
  /** The offset in the script. */
  readonly start: number;
  readonly hash: string;
}

/** The maximum length in characters. A longer script is a dump, which nobody edits. */
const longestScript = 1_000_000;

/** Returns undefined for a dump, and for a script that includes others, because its content is not only in its text. */
export function hashStatements(text: string): readonly HashedStatement[] | undefined {
  if (text.length > longestScript) return undefined;
  const found: HashedStatement[] = [];
  for (const step of readScript(text)) {
    if (toLoadStep(text, step).kind === 'include') return undefined;
    const hash = createHash('sha256').update(wordsOf(text, step)).digest('hex').slice(0, hashLength);
    found.push({ start: step.start, hash });
  }
  return found;
}

/** The number of hexadecimal digits, which is enough to distinguish the statements of one script. */
const hashLength = 16;

function wordsOf(text: string, step: ScriptStep): string {
  const written = text.slice(step.start, step.end);
  if (step.kind === 'rows') return `${written}\n${text.slice(step.rows.start, step.rows.end)}`;
  // The tokens of a statement with rows only cover its beginning, so its text is used instead.
  if (step.kind === 'command' || step.tokens.at(-1)?.end !== step.end) return written;
  return step.tokens.map((token) => `${token.kind} ${token.text}`).join('\0');
}

/** Whether the statement applies to the following ones, so that it must run again if only some of them run. */
export function isSetting(sql: string): boolean {
  return /^(?:set|reset)\b|^select\s+(?:pg_catalog\.)?set_config\s*\(/i.test(sql);
}
