/**
 * Recognises statements that may create, change or drop tables in a way that only a database can tell: they run code, include other
 * files, or are undone.
 */
import { type DdlCursor, isKeyword, isSign, readName, take, tokenAhead } from './cursor.ts';
import type { DdlToken } from './lexer.ts';
import type { ScriptStep } from './script.ts';
import type { DdlStatement, TriggerEffects } from './statement.ts';

/** Commands of `psql` that include files, run results as statements, or depend on conditions. */
const commands = /^(?:i|ir|include|include_relative|gexec|if|elif|else)$/;

export function readCommand({ name, start, end }: Extract<ScriptStep, { kind: 'command' }>): DdlStatement[] {
  return commands.test(name) ? [{ kind: 'unclear', span: { start, end } }] : [];
}

/** Returns undefined if the statement certainly runs no code. The cursor is at its first word. */
export function readCode(c: DdlCursor): DdlStatement | undefined {
  const [first] = c.tokens;
  if (first === undefined) return undefined;
  const span = beginningOf(c);
  if (take(c, 'do')) {
    const body = stringsIn(c.tokens);
    return changesTables.test(body)
      ? { kind: 'unclear', span }
      : { kind: 'run code', span, calls: callsIn(body) };
  }
  if (isKeyword(first, 'rollback') || isKeyword(first, 'import')) return { kind: 'unclear', span };
  if (isKeyword(first, 'alter')) return isUnreadAlter(c) ? { kind: 'unclear', span } : undefined;
  if (!['select', 'with', 'call', 'values'].some((word) => isKeyword(first, word))) return undefined;
  if (createsTable(c.tokens) || setsSearchPath(c.tokens)) return { kind: 'unclear', span };
  const calls = callsAmong(c.tokens);
  return calls.some((name) => changers.has(name))
    ? { kind: 'unclear', span }
    : { kind: 'run code', span, calls };
}

/** Reads the rest of `CREATE FUNCTION` or `CREATE PROCEDURE`. */
export function readRoutine(c: DdlCursor): DdlStatement | undefined {
  const name = readName(c);
  const body = stringsIn(c.tokens.slice(c.at));
  return (
    name && {
      kind: 'create routine',
      name: name.name,
      isUnclear: changesTables.test(body),
      calls: callsIn(body),
      effects: effectsOf(body),
    }
  );
}

function effectsOf(body: string): TriggerEffects {
  const code = body.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, '');
  return {
    fills: columnsFilledBy(code),
    writes: changesTables.test(code) ? 'any' : tablesWrittenBy(code),
    mayFail: /\braise\b(?!\s+(?:notice|info|log|warning|debug)\b)/i.test(code),
    maySkip: /\breturn\s+null\b/i.test(code),
  };
}

const writing =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?|update)\s+(?:only\s+)?(?:("[^"]+"|[\p{L}_][\p{L}\p{N}_$]*)\s*\.\s*)?("[^"]+"|[\p{L}_][\p{L}\p{N}_$]*)/giu;

function tablesWrittenBy(code: string): readonly { readonly schema?: string; readonly name: string }[] {
  const plain = (name: string): string => (name.startsWith('"') ? name.slice(1, -1) : name.toLowerCase());
  return [...code.matchAll(writing)].flatMap(([, schema, name = '']) =>
    // The word SET is not a name in `ON CONFLICT … DO UPDATE SET`.
    schema === undefined && plain(name) === 'set'
      ? []
      : [{ ...(schema !== undefined && { schema: plain(schema) }), name: plain(name) }],
  );
}

/** Returns all columns of the new row that the body of a trigger names, or `any` if it uses the entire row. */
function columnsFilledBy(body: string): readonly string[] | 'any' {
  const code = body.replace(/\breturn\s+(?:new|old|null)\s*;/gi, '');
  const uses = [...code.matchAll(/\bnew\b"?(?:\s*\.\s*"?([\p{L}_][\p{L}\p{N}_$]*))?|\breturn\b/giu)];
  const columns = uses.map(([, column]) => column);
  return columns.every((column) => column !== undefined) ? columns : 'any';
}

/** Reads the rest of `CREATE SCHEMA`, which may contain statements for tables, or of `CREATE EVENT TRIGGER`. */
export function readOtherCreate(c: DdlCursor, kind: 'schema' | 'event trigger'): DdlStatement | undefined {
  const span = beginningOf(c);
  const rest = c.tokens.slice(c.at);
  if (kind === 'schema')
    return rest.some((token) => isKeyword(token, 'create')) ? { kind: 'unclear', span } : undefined;
  return { kind: 'run code', span, calls: callsAmong(rest) };
}

export function beginningOf({ tokens: [first] }: DdlCursor): {
  readonly start: number;
  readonly end: number;
} {
  return { start: first?.start ?? 0, end: first?.end ?? 0 };
}

/** Functions of extensions that add columns. */
const changers: ReadonlySet<string> = new Set([
  'addgeometrycolumn',
  'addrastercolumns',
  'dropgeometrycolumn',
]);

/** Words in the body of a routine that change tables, columns or the values of enums, or run SQL that is made at run time. */
const changesTables =
  /\b(?:create|alter|drop)\s+(?:or\s+replace\s+)?(?:(?:global|local|unlogged|foreign|materialized|recursive)\s+)*(?:table|view|schema|extension)\b|\badd\s+value\b|\bimport\s+foreign\b|\bexecute\b(?!\s+(?:on|function|procedure)\b)|\bsearch_path\b/i;

function stringsIn(tokens: readonly DdlToken[]): string {
  return tokens.flatMap(({ kind, text }) => (kind === 'string' ? text : [])).join(' ');
}

/** Returns the names in front of parentheses, in lower case. */
function callsAmong(tokens: readonly DdlToken[]): readonly string[] {
  return tokens.flatMap((token, index) =>
    token.kind !== 'symbol' && isSign(tokens[index + 1], '(') ? [token.text.toLowerCase()] : [],
  );
}

function callsIn(body: string): readonly string[] {
  return [
    ...new Set(
      [...body.matchAll(/([\p{L}_][\p{L}\p{N}_$]*)"?\s*\(/gu)].map(([, name = '']) => name.toLowerCase()),
    ),
  ];
}

/** Whether a query has INTO outside of parentheses, so that its result becomes a table. Temporary tables are never synced. */
function createsTable(tokens: readonly DdlToken[]): boolean {
  let depth = 0;
  return tokens.some((token, index) => {
    if (isSign(token, '(')) depth += 1;
    if (isSign(token, ')')) depth -= 1;
    const before = tokens[index - 1];
    const after = tokens[index + 1];
    return (
      depth === 0 &&
      isKeyword(token, 'into') &&
      !isKeyword(before, 'insert') &&
      !isKeyword(before, 'merge') &&
      !isKeyword(after, 'temp') &&
      !isKeyword(after, 'temporary')
    );
  });
}

/** Whether `set_config` changes the search path to something other than nothing, which dumps do. */
function setsSearchPath(tokens: readonly DdlToken[]): boolean {
  const at = tokens.findIndex(({ kind, text }) => kind === 'string' && /^'search_path'$/i.test(text));
  const value = tokens[at + 2];
  return at >= 0 && !(value?.kind === 'string' && value.text === "''");
}

/** Whether ALTER changes tables through something other than a table, for example through a schema or a view. */
function isUnreadAlter({ tokens }: DdlCursor): boolean {
  const [, kind] = tokens;
  if (!['schema', 'view', 'materialized', 'foreign'].some((word) => isKeyword(kind, word))) return false;
  if (isKeyword(kind, 'foreign') && !isKeyword(tokenAhead({ tokens, at: 2 }), 'table')) return false;
  return tokens
    .slice(2)
    .some((token) => ['rename', 'schema', 'add', 'drop'].some((word) => isKeyword(token, word)));
}
