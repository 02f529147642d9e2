/** Reads constraints on the values of a column: the column to which they refer, and the allowed strings. */

import type { ColumnDefault } from '../model/catalog.ts';
import {
  type DdlCursor,
  isIdentifier,
  isKeyword,
  isSign,
  readName,
  readParentheses,
  take,
} from './cursor.ts';
import { type DdlToken, nextDdlToken } from './lexer.ts';
import type { DdlKey, DdlReference } from './statement.ts';

/** Finds `REFERENCES app.users (id)` anywhere in the tokens. */
export function referenceIn(tokens: readonly DdlToken[]): DdlReference | undefined {
  const at = tokens.findIndex((token) => isKeyword(token, 'references'));
  if (at < 0) return undefined;
  const c: DdlCursor = { tokens, at: at + 1 };
  const table = readName(c);
  if (!table) return undefined;
  const [[first] = [], second] = readParentheses(c);
  while (c.at < tokens.length && !take(c, 'on', 'delete')) c.at += 1;
  const onDelete = deletions.find((action) => take(c, ...action.split(' '))) ?? 'refuse';
  return {
    table,
    ...(isIdentifier(first) && second === undefined && { column: first.text }),
    onDelete,
  };
}

/** The actions that allow the deletion of a row to which others refer. */
const deletions = ['cascade', 'set null', 'set default'] as const;

/** Reads `CONSTRAINT name FOREIGN KEY (list_id) REFERENCES lists (id)`. A key of several columns must name those of the other table. */
export function foreignKeyIn(tokens: readonly DdlToken[]): DdlKey[] {
  const at = tokens.findIndex(
    (token, index) => isKeyword(token, 'foreign') && isKeyword(tokens[index + 1], 'key'),
  );
  if (at < 0) return [];
  const c: DdlCursor = { tokens, at: at + 2 };
  const columns = listedNames(c);
  const rest = tokens.slice(c.at);
  const references = referenceIn(rest);
  const [column, second] = columns;
  if (column === undefined || references === undefined) return [];
  if (second === undefined) return [{ kind: 'key', column, references }];
  const other: DdlCursor = { tokens: rest, at: 0 };
  while (!take(other, 'references')) other.at += 1;
  readName(other);
  const parentColumns = listedNames(other);
  const { table, onDelete } = references;
  return onDelete !== undefined && parentColumns.length === columns.length
    ? [{ kind: 'composite key', columns, table, parentColumns, onDelete }]
    : [];
}

/** Reads names in parentheses. */
export function listedNames(c: DdlCursor): readonly string[] {
  return readParentheses(c).flatMap(([name]) => (isIdentifier(name) ? [name.text] : []));
}

/** Reads `DEFAULT 'draft'::status`, an identity, a generated column or a serial type. */
export function defaultIn(
  type: string,
  constraints: readonly DdlToken[],
): { readonly default?: ColumnDefault } {
  const isComputed = ['generated', 'auto_increment', 'autoincrement', 'identity', 'as'].some((word) =>
    constraints.some((token) => isKeyword(token, word)),
  );
  if (isComputed || /serial\d?$/.test(type)) return { default: 'computed' };
  const at = constraints.findIndex(
    (token, index) => isKeyword(token, 'default') && !isKeyword(constraints[index - 1], 'set'),
  );
  return at < 0 ? {} : readDefault(constraints.slice(at + 1));
}

/** Reads an expression as the database writes it. */
export function readDefaultText(expression: string): { readonly default?: ColumnDefault } {
  const tokens: DdlToken[] = [];
  for (let token = nextDdlToken(expression, 0); token; token = nextDdlToken(expression, token.end))
    tokens.push(token);
  return readDefault(tokens);
}

/** Reads the expression after DEFAULT. */
export function readDefault(tokens: readonly DdlToken[]): { readonly default?: ColumnDefault } {
  const isNegative = isSign(tokens[0], '-');
  const [first, next, ...more] = isNegative ? tokens.slice(1) : tokens;
  if (isSign(first, '(')) {
    const inner = readParentheses({ tokens, at: 0 });
    return inner.length === 1 ? readDefault(inner[0] ?? []) : { default: 'computed' };
  }
  const isCast =
    isSign(next, '::') && more.every(({ kind, text }) => kind !== 'symbol' || /^[.()[\],]$/.test(text));
  if (next?.kind === 'symbol' && !isCast) return { default: 'computed' };
  if (isKeyword(first, 'null')) return {};
  const constant =
    first?.kind === 'number' || isKeyword(first, 'true') || isKeyword(first, 'false')
      ? `${isNegative ? '-' : ''}${first?.text}`
      : readLiteral(first);
  return { default: constant === undefined ? 'computed' : { constant } };
}

/** Reads the values in `CHECK (status IN ('open', 'done'))` for this column. */
export function listedValues(column: string, tokens: readonly DdlToken[]): readonly string[] | undefined {
  const at = tokens.findIndex((token) => isKeyword(token, 'check'));
  const [inside = []] = at < 0 ? [] : readParentheses({ tokens, at: at + 1 });
  const c: DdlCursor = { tokens: inside, at: 0 };
  const name = readName(c);
  if (name?.name !== column || !take(c, 'in')) return undefined;
  const values = readLiterals(c);
  // A condition that continues may allow other values.
  return c.at === inside.length ? values : undefined;
}

/** Reads a list of strings such as `('open', 'done')`. */
export function readLiterals(c: DdlCursor): readonly string[] | undefined {
  if (!isSign(c.tokens[c.at], '(')) return undefined;
  const items = readParentheses(c).map(([token, more]) =>
    more === undefined ? readLiteral(token) : undefined,
  );
  return items.every((item) => item !== undefined) ? items : undefined;
}

export function readLiteral(token: DdlToken | undefined): string | undefined {
  if (token?.kind !== 'string' || !/^'[\s\S]*'$/.test(token.text)) return undefined;
  return token.text.slice(1, -1).replaceAll("''", "'");
}
