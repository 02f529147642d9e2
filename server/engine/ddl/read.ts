/**
 * Reads the statements of a migration that create, change or drop tables. Others are skipped. A statement that cannot be read, but
 * may be about tables, is unclear, because an unknown part of a source is not an error.
 */
import { append } from '../ground/append.ts';
import { triggerEvents } from '../model/catalog.ts';
import { readAlterTable } from './alterTable.ts';
import { beginningOf, readCode, readCommand, readOtherCreate, readRoutine } from './code.ts';
import { readLiteral, readLiterals } from './constraints.ts';
import { readCreateTable } from './createTable.ts';
import { readCreateView } from './createView.ts';
import {
  type DdlCursor,
  isKeyword,
  readList,
  readName,
  readParentheses,
  take,
  takeSign,
  tokenAhead,
} from './cursor.ts';
import type { DdlToken } from './lexer.ts';
import { readScript } from './script.ts';
import type { DdlName, DdlStatement } from './statement.ts';

/** Returns the statements in reading order. */
export function readDdl(text: string): readonly DdlStatement[] {
  const statements: DdlStatement[] = [];
  for (const step of readScript(text)) {
    if (step.kind === 'command') append(statements, readCommand(step));
    const statement = step.kind === 'statement' ? readStatement(text, step.tokens) : undefined;
    if (statement) statements.push(statement);
  }
  return statements;
}

/** Returns undefined for a statement that is not about tables. */
function readStatement(text: string, tokens: readonly DdlToken[]): DdlStatement | undefined {
  const c: DdlCursor = { tokens, at: 0 };
  if (take(c, 'create')) return readCreate(text, c);
  if (take(c, 'alter', 'table')) return readAlterTable(c) ?? { kind: 'unclear', span: beginningOf(c) };
  const code = readCode(c);
  if (code !== undefined) return code;
  if (take(c, 'alter', 'type')) return readAlterType(c);
  if (take(c, 'alter', 'publication')) return readPublication(c);
  if (take(c, 'comment', 'on', 'table')) return usesTables([readName(c)]);
  if (take(c, 'truncate')) return readTruncate(c);
  if (take(c, 'drop')) return readDrop(c);
  if (take(c, 'rename', 'table')) return readRename(c);
  if (take(c, 'set')) return readSearchPath(c);
  return undefined;
}

/** Words between CREATE and the kind of the created object. */
const adjectives = [
  ...['or', 'replace', 'global', 'local', 'unlogged', 'foreign', 'materialized', 'recursive'],
  ...['unique', 'constraint'],
];
/** Objects that belong to a table, whose name follows ON. */
const belongings = ['index', 'policy'];

function readCreate(text: string, c: DdlCursor): DdlStatement | undefined {
  const start = c.at;
  while (adjectives.some((word) => take(c, word)));
  const has = (word: string) => c.tokens.slice(start, c.at).some((token) => isKeyword(token, word));
  // Temporary tables disappear at the end of the session and are never synced.
  if (take(c, 'temporary') || take(c, 'temp')) return undefined;
  if (take(c, 'table')) {
    const form = has('unlogged') ? 'unlogged table' : has('foreign') ? 'foreign table' : undefined;
    return readCreateTable(c, form) ?? { kind: 'unclear', span: beginningOf(c) };
  }
  if (take(c, 'function') || take(c, 'procedure')) return readRoutine(c);
  if (take(c, 'schema')) return readOtherCreate(c, 'schema');
  if (take(c, 'event', 'trigger')) return readOtherCreate(c, 'event trigger');
  if (take(c, 'view')) return readCreateView(text, c, has('materialized') ? 'materialized view' : 'view');
  if (take(c, 'type')) return readCreateType(c);
  if (take(c, 'trigger')) return readTrigger(c);
  if (belongings.some((word) => take(c, word))) return readOwner(c);
  if (take(c, 'publication')) return readPublication(c);
  if (!take(c, 'domain')) return undefined;
  const domain = readName(c);
  return domain && { kind: 'create type', name: domain.name, form: 'domain' };
}

/** Reads the table in `CREATE INDEX … ON ONLY lists (id)` or `CREATE POLICY "own rows" ON lists …`. */
function readOwner(c: DdlCursor): DdlStatement | undefined {
  while (tokenAhead(c) && !take(c, 'on')) c.at += 1;
  take(c, 'only');
  return usesTables([readName(c)]);
}

/** Reads `CREATE TRIGGER fill BEFORE INSERT OR UPDATE ON lists … EXECUTE FUNCTION fill_list()`. */
function readTrigger(c: DdlCursor): DdlStatement | undefined {
  const trigger = readName(c)?.name;
  const isBefore = take(c, 'before');
  const isAfter = !isBefore && take(c, 'after');
  const start = c.at;
  while (tokenAhead(c) && !take(c, 'on')) c.at += 1;
  const moments = c.tokens.slice(start, c.at);
  const events = triggerEvents.filter((event) => moments.some((token) => isKeyword(token, event)));
  const name = readName(c);
  if (trigger === undefined || name === undefined || !(isBefore || isAfter) || events.length === 0)
    return usesTables([name]);
  while (tokenAhead(c) && !take(c, 'execute')) c.at += 1;
  take(c, 'function') || take(c, 'procedure');
  const routine = readName(c)?.name;
  const args = readParentheses(c).flatMap(([token]) => readLiteral(token) ?? []);
  return { kind: 'trigger', name, trigger, isBefore, events, routine, args };
}

/** Reads `DROP TRIGGER IF EXISTS fill ON lists`. */
function readDropTrigger(c: DdlCursor): DdlStatement | undefined {
  take(c, 'if', 'exists');
  const trigger = readName(c)?.name;
  const name = take(c, 'on') ? readName(c) : undefined;
  return trigger !== undefined && name ? { kind: 'drop trigger', name, trigger } : undefined;
}

/** Reads `CREATE PUBLICATION p FOR TABLE a, b` and `ALTER PUBLICATION p ADD TABLE a`. */
function readPublication(c: DdlCursor): DdlStatement | undefined {
  readName(c);
  const names = take(c, 'for', 'table') || take(c, 'add', 'table') || take(c, 'set', 'table');
  return names ? usesTables(readNames(c)) : undefined;
}

function readTruncate(c: DdlCursor): DdlStatement {
  take(c, 'table');
  return usesTables(readNames(c));
}

function usesTables(names: readonly (DdlName | undefined)[]): DdlStatement {
  return { kind: 'use tables', names: names.filter((name) => name !== undefined) };
}

function readCreateType(c: DdlCursor): DdlStatement | undefined {
  const type = readName(c);
  const values = take(c, 'as', 'enum') ? readLiterals(c) : undefined;
  return type && { kind: 'create type', name: type.name, form: 'text', ...(values && { values }) };
}

/** Reads `ALTER TYPE state ADD VALUE 'late'`, `… RENAME VALUE 'late' TO 'overdue'` and `… RENAME TO states`. */
function readAlterType(c: DdlCursor): DdlStatement | undefined {
  const type = readName(c);
  if (type && take(c, 'rename', 'to')) {
    const to = readName(c);
    return to && { kind: 'rename type', name: type.name, to: to.name };
  }
  if (type && take(c, 'rename', 'value')) c.at += 2;
  else if (!type || !take(c, 'add', 'value')) return undefined;
  take(c, 'if', 'not', 'exists');
  const value = readLiteral(tokenAhead(c));
  return value === undefined ? undefined : { kind: 'add enum value', name: type.name, value };
}

function readDrop(c: DdlCursor): DdlStatement | undefined {
  take(c, 'materialized') || take(c, 'foreign');
  if (take(c, 'trigger')) return readDropTrigger(c);
  const isTable = take(c, 'table') || take(c, 'view');
  if (!isTable && !take(c, 'schema')) return undefined;
  take(c, 'if', 'exists');
  const names = readNames(c);
  return isTable
    ? { kind: 'drop table', names }
    : { kind: 'drop schema', names: names.map(({ name }) => name) };
}

function readNames(c: DdlCursor): DdlName[] {
  return readList(c).flatMap((tokens) => {
    const each: DdlCursor = { tokens, at: 0 };
    take(each, 'only');
    return readName(each) ?? [];
  });
}

/** Reads MySQL's `RENAME TABLE a TO b`. If it renames several tables, only the first one is read. */
function readRename(c: DdlCursor): DdlStatement | undefined {
  const name = readName(c);
  const to = take(c, 'to') ? readName(c) : undefined;
  return name && to && { kind: 'rename table', name, to };
}

/** Reads `SET search_path TO app, public`. */
function readSearchPath(c: DdlCursor): DdlStatement | undefined {
  take(c, 'session') || take(c, 'local');
  if (!take(c, 'search_path') || !(take(c, 'to') || takeSign(c, '='))) return undefined;
  const first = tokenAhead(c);
  const schema = first?.kind === 'string' ? first.text.slice(1, -1) : first?.text;
  return { kind: 'search path', ...(schema && schema !== 'default' && { schema }) };
}
