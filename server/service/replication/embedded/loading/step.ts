/** Decides from the first words of a statement how the embedded database handles it. */
import type { DdlToken } from '../../../../engine/ddl/lexer.ts';
import type { ScriptStep } from '../../../../engine/ddl/script.ts';

export type LoadStep =
  | { readonly kind: 'run'; readonly sql: string }
  /** Runs `COPY … FROM STDIN` with these rows. */
  | { readonly kind: 'copy'; readonly sql: string; readonly rows: string }
  | { readonly kind: 'transaction'; readonly action: 'begin' | 'commit' | 'rollback' }
  | { readonly kind: 'savepoint'; readonly action: 'set' | 'release' | 'rollback'; readonly name: string }
  | { readonly kind: 'extension'; readonly name: string; readonly schema?: string; readonly sql: string }
  /**
   * Includes another file. The path is as written, relative to the folder of this file or to the folder in which the script is
   * started.
   */
  | { readonly kind: 'include'; readonly path: string; readonly from: 'script' | 'start' }
  | { readonly kind: 'skip'; readonly reason: SkipReason };

/** `none`: the statement has no meaning here and can be ignored silently. */
export type SkipReason = 'none' | 'server' | 'files' | 'psql';

export function toLoadStep(text: string, step: ScriptStep): LoadStep {
  const sql = text.slice(step.start, step.end);
  switch (step.kind) {
    case 'command':
      return ofCommand(step.name, step.argument);
    case 'rows':
      return {
        kind: 'copy',
        sql,
        rows: text.slice(step.rows.start, step.rows.end),
      };
    case 'statement':
      return ofStatement(sql, step.tokens, step.start);
  }
}

/** The commands of psql that change the database. Other commands are not reported. */
const commandsThatMatter = /^(?:copy|gexec|g|gx)$/;

function ofCommand(name: string, argument: string): LoadStep {
  const path = argument.replace(/^'(.*)'$/, '$1');
  if (name === 'i' || name === 'include') return { kind: 'include', path, from: 'start' };
  if (name === 'ir' || name === 'include_relative') return { kind: 'include', path, from: 'script' };
  return { kind: 'skip', reason: commandsThatMatter.test(name) ? 'psql' : 'none' };
}

/**
 * Ignored statements. Some concern how a transaction runs, and the transaction here is ours. Others cannot be undone, such as
 * `SET SESSION AUTHORIZATION` in the only session of the database.
 */
const withoutEffect =
  /^(?:vacuum|analyze|checkpoint|cluster|pragma|use|prepare transaction|discard|set (?:local )?transaction|set session (?:characteristics|authorization)|comment on extension)\b/;

function ofStatement(sql: string, tokens: readonly DdlToken[], start: number): LoadStep {
  const words = tokens.slice(0, 6).map(({ kind, text }) => (kind === 'word' ? text : '_'));
  const [first = '', second = ''] = words;
  const beginning = words.join(' ');
  const action = transactionAction(beginning);
  if (action !== undefined) return { kind: 'transaction', action };
  const savepoint = savepointAction(beginning);
  const name = tokens.at(-1);
  if (savepoint !== undefined && name !== undefined && tokens.length > 1)
    return { kind: 'savepoint', action: savepoint, name: name.text };
  if (withoutEffect.test(beginning)) return { kind: 'skip', reason: 'none' };
  if (/^(?:(?:create|drop|alter) (?:database|tablespace|subscription|server)|alter system)\b/.test(beginning))
    return { kind: 'skip', reason: 'server' };
  if (first === 'copy') return { kind: 'skip', reason: 'files' };
  if (first === 'create' && second === 'extension') return ofExtension(sql, tokens);
  if (/^(?:create (?:unique )?index|drop index|reindex)\b/.test(beginning))
    return { kind: 'run', sql: withoutConcurrently(sql, tokens, start) };
  return { kind: 'run', sql };
}

function savepointAction(beginning: string): 'set' | 'release' | 'rollback' | undefined {
  if (/^savepoint\b/.test(beginning)) return 'set';
  if (/^release\b/.test(beginning)) return 'release';
  return /^(?:rollback|abort)\b/.test(beginning) ? 'rollback' : undefined;
}

function transactionAction(beginning: string): 'begin' | 'commit' | 'rollback' | undefined {
  if (/^(?:begin|start transaction)\b/.test(beginning)) return 'begin';
  if (/^(?:commit|end)\b/.test(beginning)) return 'commit';
  return /^(?:rollback|abort)\b(?!(?: transaction| work)? to\b)/.test(beginning) ? 'rollback' : undefined;
}

function ofExtension(sql: string, tokens: readonly DdlToken[]): LoadStep {
  const names = tokens.slice(2).filter(({ text }) => !/^(?:if|not|exists|with)$/.test(text));
  const [name, schemaWord, schema] = names;
  return {
    kind: 'extension',
    name: name?.text ?? '',
    ...(schemaWord?.text === 'schema' && schema && { schema: schema.text }),
    sql,
  };
}

/** Removes CONCURRENTLY. An index is created inside the transaction of its file, where it blocks nobody. */
function withoutConcurrently(sql: string, tokens: readonly DdlToken[], start: number): string {
  const found = tokens.slice(0, 6).find(({ kind, text }) => kind === 'word' && text === 'concurrently');
  return found ? sql.slice(0, found.start - start) + sql.slice(found.end - start) : sql;
}
