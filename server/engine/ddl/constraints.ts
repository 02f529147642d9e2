/** Reads constraints on the values of a column: the column to which they refer, and the allowed strings. */
import {
  type DdlCursor,
  isIdentifier,
  isKeyword,
  isSign,
  readName,
  readParentheses,
  take,
} from './cursor.ts';
import type { DdlToken } from './lexer.ts';
import type { DdlKey, DdlReference } from './statement.ts';

/** Finds `REFERENCES app.users (id)` anywhere in the tokens. */
export function referenceIn(tokens: readonly DdlToken[]): DdlReference | undefined {
  const at = tokens.findIndex((token) => isKeyword(token, 'references'));
  if (at < 0) return undefined;
  const c: DdlCursor = { tokens, at: at + 1 };
  const table = readName(c);
  if (!table) return undefined;
  const [[first] = [], second] = readParentheses(c);
  return { table, ...(isIdentifier(first) && second === undefined && { column: first.text }) };
}

/** Reads `CONSTRAINT name FOREIGN KEY (list_id) REFERENCES lists (id)`, if the key has only one column, as most keys do. */
export function foreignKeyIn(tokens: readonly DdlToken[]): DdlKey[] {
  const at = tokens.findIndex(
    (token, index) => isKeyword(token, 'foreign') && isKeyword(tokens[index + 1], 'key'),
  );
  if (at < 0) return [];
  const c: DdlCursor = { tokens, at: at + 2 };
  const [[column] = [], second] = readParentheses(c);
  const references = referenceIn(tokens.slice(c.at));
  return isIdentifier(column) && second === undefined && references
    ? [{ column: column.text, references }]
    : [];
}

/** Reads the values in `CHECK (status IN ('open', 'done'))` for this column. */
export function listedValues(column: string, tokens: readonly DdlToken[]): readonly string[] | undefined {
  const at = tokens.findIndex((token) => isKeyword(token, 'check'));
  const [inside = []] = at < 0 ? [] : readParentheses({ tokens, at: at + 1 });
  const c: DdlCursor = { tokens: inside, at: 0 };
  const name = readName(c);
  if (name?.name !== column || !take(c, 'in')) return undefined;
  return readLiterals(c);
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
