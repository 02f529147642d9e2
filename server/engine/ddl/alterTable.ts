import { endOfType, readColumn, typeText } from './column.ts';
import { foreignKeyIn, readDefault } from './constraints.ts';
import { isConstraint } from './createTable.ts';
import {
  type DdlCursor,
  isIdentifier,
  isKeyword,
  isSign,
  readList,
  readName,
  readParentheses,
  take,
  tokenAhead,
} from './cursor.ts';
import type { DdlToken } from './lexer.ts';
import type { Change, DdlStatement } from './statement.ts';

/** Reads the statement after `ALTER TABLE`. */
export function readAlterTable(c: DdlCursor): DdlStatement | undefined {
  take(c, 'if', 'exists');
  take(c, 'only');
  const name = readName(c);
  if (!name) return undefined;
  return { kind: 'alter table', name, changes: readList(c).flatMap(readChange) };
}

function readChange(tokens: readonly DdlToken[]): Change[] {
  const c: DdlCursor = { tokens, at: 0 };
  if (take(c, 'add')) return readAdd(c);
  if (take(c, 'drop')) return readDrop(c);
  if (take(c, 'rename')) return readRename(c);
  if (take(c, 'alter')) return readAlterColumn(c);
  if (take(c, 'modify')) return readModify(c);
  if (take(c, 'change')) return readChangeColumn(c);
  if (take(c, 'enable', 'row', 'level', 'security')) return [{ kind: 'row security', isOn: true }];
  if (take(c, 'disable', 'row', 'level', 'security')) return [{ kind: 'row security', isOn: false }];
  if (take(c, 'set', 'logged')) return [{ kind: 'logged', isOn: true }];
  if (take(c, 'set', 'unlogged')) return [{ kind: 'logged', isOn: false }];
  if (take(c, 'attach', 'partition')) return [{ kind: 'attach partition' }];
  if (take(c, 'set', 'schema')) {
    const schema = readName(c);
    return schema ? [{ kind: 'set schema', schema: schema.name }] : [];
  }
  return [];
}

/** Reads a column, or several columns in parentheses. */
function readAdd(c: DdlCursor): Change[] {
  const named = take(c, 'column');
  take(c, 'if', 'not', 'exists');
  if (isSign(tokenAhead(c), '(')) return readParentheses(c).flatMap(readAdded);
  const rest = c.tokens.slice(c.at);
  const isOther = isConstraint(rest) || isKeyword(rest[0], 'partition');
  if (isOther && !named) return foreignKeyIn(rest);
  return readAdded(rest);
}

function readAdded(tokens: readonly DdlToken[]): Change[] {
  const column = readColumn(tokens);
  return column ? [{ kind: 'add', column }] : [];
}

const constraints = [
  'constraint',
  'primary',
  'unique',
  'foreign',
  'check',
  'exclude',
  'index',
  'key',
  'partition',
];

function readDrop(c: DdlCursor): Change[] {
  const named = take(c, 'column');
  if (!named && take(c, 'constraint')) {
    take(c, 'if', 'exists');
    const name = readName(c)?.name;
    return name === undefined ? [] : [{ kind: 'drop constraint', name }];
  }
  take(c, 'if', 'exists');
  if (!named && constraints.some((word) => take(c, word))) return [];
  const column = readName(c);
  return column ? [{ kind: 'drop', column: column.name }] : [];
}

function readRename(c: DdlCursor): Change[] {
  if (take(c, 'constraint') || take(c, 'index') || take(c, 'key')) return [];
  if (take(c, 'to') || take(c, 'as')) {
    const to = readName(c);
    return to ? [{ kind: 'rename table', to: to.name, span: to.span }] : [];
  }
  take(c, 'column');
  const column = readName(c);
  const to = take(c, 'to') ? readName(c) : undefined;
  return column && to ? [{ kind: 'rename', column: column.name, to: to.name, span: to.span }] : [];
}

function readAlterColumn(c: DdlCursor): Change[] {
  take(c, 'column');
  const column = readName(c)?.name;
  if (column === undefined) return [];
  if (take(c, 'set', 'not', 'null')) return [{ kind: 'nullable', column, nullable: false }];
  if (take(c, 'drop', 'not', 'null')) return [{ kind: 'nullable', column, nullable: true }];
  if (take(c, 'drop', 'default')) return [{ kind: 'default', column }];
  if (take(c, 'set', 'default')) return [{ kind: 'default', column, ...readDefault(c.tokens.slice(c.at)) }];
  if (take(c, 'add', 'generated')) return [{ kind: 'default', column, default: 'computed' }];
  if (!take(c, 'set', 'data', 'type') && !take(c, 'type')) return [];
  const rest = c.tokens.slice(c.at);
  return [{ kind: 'retype', column, type: typeText(rest.slice(0, endOfType(rest))) }];
}

/** Reads MySQL's MODIFY, which repeats the entire column definition. */
function readModify(c: DdlCursor): Change[] {
  take(c, 'column');
  const by = readColumn(c.tokens.slice(c.at));
  return by ? [{ kind: 'replace', column: by.name, by }] : [];
}

/** Reads MySQL's CHANGE, which also contains the new name. */
function readChangeColumn(c: DdlCursor): Change[] {
  take(c, 'column');
  const old = tokenAhead(c);
  const by = readColumn(c.tokens.slice(c.at + 1));
  return isIdentifier(old) && by ? [{ kind: 'replace', column: old.text, by }] : [];
}
