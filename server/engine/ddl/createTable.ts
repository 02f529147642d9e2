import { append } from '../ground/append.ts';
import { readColumn } from './column.ts';
import { foreignKeyIn, listedNames } from './constraints.ts';
import {
  type DdlCursor,
  isIdentifier,
  isKeyword,
  isSign,
  readName,
  readParentheses,
  take,
  tokenAhead,
} from './cursor.ts';
import type { DdlToken } from './lexer.ts';
import type { CreateTable, DdlColumn, DdlKey, DdlName } from './statement.ts';

/** Reads the statement after `CREATE TABLE`. */
export function readCreateTable(c: DdlCursor, form: CreateTable['form']): CreateTable | undefined {
  take(c, 'if', 'not', 'exists');
  const name = readName(c);
  if (!name) return undefined;
  const columns: DdlColumn[] = [];
  const primaryKey: string[] = [];
  const keys: DdlKey[] = [];
  const from: DdlName[] = [];
  const partitionOf = take(c, 'partition', 'of') ? readName(c) : undefined;
  if (partitionOf) from.push(partitionOf);
  // MySQL allows LIKE without parentheses.
  else if (take(c, 'like')) append(from, nameOf(c));
  for (const tokens of readParentheses(c)) {
    const inner: DdlCursor = { tokens, at: 0 };
    if (take(inner, 'like')) append(from, nameOf(inner));
    else if (isConstraint(tokens)) {
      append(primaryKey, primaryKeyOf(tokens));
      append(keys, foreignKeyIn(tokens));
    } else append(columns, columnOf(tokens));
  }
  if (take(c, 'inherits')) for (const tokens of readParentheses(c)) append(from, nameOf({ tokens, at: 0 }));
  const ownForm = isPartitioned(c) ? 'partitioned table' : form;
  const isOfQuery = c.tokens
    .slice(c.at)
    .some((token) => isKeyword(token, 'select') || isKeyword(token, 'as'));
  const isOfType = isKeyword(tokenAhead(c), 'of');
  const open = isOfType || (isOfQuery && columns.length === 0);
  return {
    kind: 'create table',
    name,
    ...(ownForm && { form: ownForm }),
    ...(partitionOf && { partitionOf }),
    columns,
    primaryKey,
    keys,
    from,
    open,
  };
}

/**
 * Reads `PARTITION BY RANGE (day)` of PostgreSQL, where partitions are tables. MySQL lists or counts them in the same statement, and
 * the rows stay in the table.
 */
function isPartitioned(c: DdlCursor): boolean {
  if (!take(c, 'partition', 'by') || !(take(c, 'range') || take(c, 'list') || take(c, 'hash'))) return false;
  const key = readParentheses(c);
  return key.length > 0 && !isSign(tokenAhead(c), '(') && !isKeyword(tokenAhead(c), 'partitions');
}

function nameOf(c: DdlCursor): DdlName[] {
  const name = readName(c);
  return name ? [name] : [];
}

function columnOf(tokens: readonly DdlToken[]): DdlColumn[] {
  const column = readColumn(tokens);
  return column ? [column] : [];
}

/** Words that cannot be column names without quotes. */
const reserved = ['constraint', 'primary', 'unique', 'foreign', 'check', 'exclude'];
/** Words with which MySQL declares an index. In other dialects, they can be column names. */
const ofIndexes = ['key', 'index', 'fulltext', 'spatial', 'period'];

/** Whether an item of a table is a constraint or index rather than a column. */
export function isConstraint([first, second, third, fourth]: readonly DdlToken[]): boolean {
  if (first?.kind !== 'word') return false;
  if (reserved.includes(first.text)) return true;
  if (!ofIndexes.includes(first.text)) return false;
  const listed = isSign(second, '(') ? third : isSign(third, '(') ? fourth : undefined;
  return (
    isIdentifier(listed) || isKeyword(second, 'key') || isKeyword(second, 'index') || isKeyword(second, 'for')
  );
}

/** Returns the columns of a primary key, which cannot be NULL. */
function primaryKeyOf(tokens: readonly DdlToken[]): readonly string[] {
  const at = tokens.findIndex(
    (token, index) => isKeyword(token, 'primary') && isKeyword(tokens[index + 1], 'key'),
  );
  const open = tokens.findIndex((token, index) => index > at && isSign(token, '('));
  if (at < 0 || open < 0) return [];
  return listedNames({ tokens, at: open });
}
