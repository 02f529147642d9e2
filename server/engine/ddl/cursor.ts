/** Reads the tokens of one statement from left to right. After the last token, the next one is `undefined`. */
import type { DdlToken } from './lexer.ts';
import type { DdlName } from './statement.ts';

export interface DdlCursor {
  readonly tokens: readonly DdlToken[];
  at: number;
}

export function tokenAhead({ tokens, at }: DdlCursor, ahead = 0): DdlToken | undefined {
  return tokens[at + ahead];
}

/** Moves past the words if all of them follow. */
export function take(c: DdlCursor, ...words: readonly string[]): boolean {
  const follow = words.every((word, index) => isKeyword(tokenAhead(c, index), word));
  if (follow) c.at += words.length;
  return follow;
}

export function takeSign(c: DdlCursor, symbol: string): boolean {
  const follows = isSign(tokenAhead(c), symbol);
  if (follows) c.at += 1;
  return follows;
}

export function isKeyword(token: DdlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text === word;
}

export function isSign(token: DdlToken | undefined, symbol: string): boolean {
  return token?.kind === 'symbol' && token.text === symbol;
}

export function isIdentifier(token: DdlToken | undefined): token is DdlToken {
  return token?.kind === 'word' || token?.kind === 'name';
}

/** Reads `name`, `schema.name` or `database.schema.name`. */
export function readName(c: DdlCursor): DdlName | undefined {
  let last = tokenAhead(c);
  if (!isIdentifier(last)) return undefined;
  c.at += 1;
  let schema: string | undefined;
  while (isSign(tokenAhead(c), '.')) {
    const next = tokenAhead(c, 1);
    if (!isIdentifier(next)) break;
    schema = last.text;
    last = next;
    c.at += 2;
  }
  const { text: name, start, end } = last;
  return { name, span: { start, end }, ...(schema !== undefined && { schema }) };
}

/** Reads the tokens in parentheses, split at commas, and moves past the closing parenthesis. */
export function readParentheses(c: DdlCursor): readonly (readonly DdlToken[])[] {
  if (!takeSign(c, '(')) return [];
  const items: DdlToken[][] = [[]];
  let depth = 1;
  for (let token = tokenAhead(c); token; token = tokenAhead(c)) {
    c.at += 1;
    if (isSign(token, '(')) depth += 1;
    if (isSign(token, ')')) depth -= 1;
    if (depth === 0) break;
    if (depth === 1 && isSign(token, ',')) items.push([]);
    else items.at(-1)?.push(token);
  }
  return items;
}

/** Reads the remaining tokens, split at commas outside parentheses. */
export function readList(c: DdlCursor): readonly (readonly DdlToken[])[] {
  const items: DdlToken[][] = [[]];
  let depth = 0;
  for (const token of c.tokens.slice(c.at)) {
    if (isSign(token, '(')) depth += 1;
    if (isSign(token, ')')) depth -= 1;
    if (depth === 0 && isSign(token, ',')) items.push([]);
    else items.at(-1)?.push(token);
  }
  c.at = c.tokens.length;
  return items;
}
