/** The statements of a script by what they say: comments and blanks between words do not count. */
import { createHash } from 'node:crypto';
import { readScript, type ScriptStep } from '../../../../engine/ddl/script.ts';
import { toLoadStep } from './step.ts';

export interface HashedStatement {
  /** Offset into the script. */
  readonly start: number;
  readonly hash: string;
}

/** Characters: a longer script is a dump, which nobody corrects by hand. */
const longestScript = 1_000_000;

/** Undefined for a dump, and for a script that includes others: what it says is not all in it. */
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

/** Digits: they tell the statements of one script apart. */
const hashLength = 16;

function wordsOf(text: string, step: ScriptStep): string {
  const written = text.slice(step.start, step.end);
  if (step.kind === 'rows') return `${written}\n${text.slice(step.rows.start, step.rows.end)}`;
  // Only the first words of a statement that moves rows are kept.
  if (step.kind === 'command' || step.tokens.at(-1)?.end !== step.end) return written;
  return step.tokens.map((token) => `${token.kind} ${token.text}`).join('\0');
}

/** Whether the statement applies to the following ones, so that it has to run again if only some of them run. */
export function isSetting(sql: string): boolean {
  return /^(?:set|reset)\b|^select\s+(?:pg_catalog\.)?set_config\s*\(/i.test(sql);
}
