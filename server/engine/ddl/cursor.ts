/** Reads the tokens of one statement from left to right. Behind the last one there is `undefined`. */
import type { DdlToken } from './lexer.ts';
import type { DdlName } from './statement.ts';

export interface Cursor {
  readonly tokens: readonly DdlToken[];
  at: number;
}

export function peek({ tokens, at }: Cursor, ahead = 0): DdlToken | undefined {
  return tokens[at + ahead];
}

/** Takes these words if they all follow. */
export function take(c: Cursor, ...words: readonly string[]): boolean {
  const follow = words.every((word, index) => isWord(peek(c, index), word));
  if (follow) c.at += words.length;
  return follow;
}

export function takeSymbol(c: Cursor, symbol: string): boolean {
  const follows = isSymbol(peek(c), symbol);
  if (follows) c.at += 1;
  return follows;
}

export function isWord(token: DdlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text === word;
}

export function isSymbol(token: DdlToken | undefined, symbol: string): boolean {
  return token?.kind === 'symbol' && token.text === symbol;
}

export function isName(token: DdlToken | undefined): token is DdlToken {
  return token?.kind === 'word' || token?.kind === 'name';
}

/** `name`, `schema.name` or `database.schema.name`. */
export function readName(c: Cursor): DdlName | undefined {
  let last = peek(c);
  if (!isName(last)) return undefined;
  c.at += 1;
  let schema: string | undefined;
  while (isSymbol(peek(c), '.')) {
    const next = peek(c, 1);
    if (!isName(next)) break;
    schema = last.text;
    last = next;
    c.at += 2;
  }
  const { text: name, start, end } = last;
  return { name, span: { start, end }, ...(schema !== undefined && { schema }) };
}

/** What stands between the parenthesis here and its partner, cut at the commas. Moves behind it. */
export function readParentheses(c: Cursor): readonly (readonly DdlToken[])[] {
  if (!takeSymbol(c, '(')) return [];
  const items: DdlToken[][] = [[]];
  let depth = 1;
  for (let token = peek(c); token; token = peek(c)) {
    c.at += 1;
    if (isSymbol(token, '(')) depth += 1;
    if (isSymbol(token, ')')) depth -= 1;
    if (depth === 0) break;
    if (depth === 1 && isSymbol(token, ',')) items.push([]);
    else items.at(-1)?.push(token);
  }
  return items;
}

/** The rest, cut at the commas outside of parentheses. */
export function readList(c: Cursor): readonly (readonly DdlToken[])[] {
  const items: DdlToken[][] = [[]];
  let depth = 0;
  for (const token of c.tokens.slice(c.at)) {
    if (isSymbol(token, '(')) depth += 1;
    if (isSymbol(token, ')')) depth -= 1;
    if (depth === 0 && isSymbol(token, ',')) items.push([]);
    else items.at(-1)?.push(token);
  }
  c.at = c.tokens.length;
  return items;
}
