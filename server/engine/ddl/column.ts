/** The definition of a column: `id uuid primary key`, `"name" VARCHAR(20) NOT NULL DEFAULT ''`. */
import { type Cursor, isName, isSymbol, isWord, peek } from './cursor.ts';
import type { DdlToken } from './lexer.ts';
import type { DdlColumn } from './statement.ts';

/** Words that end a type. */
const behindType: ReadonlySet<string> = new Set(
  `as auto_increment autoincrement check collate comment compression constraint default encode first foreign generated
  identity invisible key not null on primary references storage unique using visible after virtual`.split(
    /\s+/,
  ),
);

/** Undefined if it does not begin with a name. */
export function readColumn(tokens: readonly DdlToken[]): DdlColumn | undefined {
  const [name, ...rest] = tokens;
  if (!isName(name)) return undefined;
  const end = endOfType(rest);
  const type = typeText(rest.slice(0, end));
  const { text, start } = name;
  return {
    name: text,
    span: { start, end: name.end },
    ...(type !== '' && { type }),
    nullable: !isRequired(type, rest.slice(end)),
  };
}

/** How many of the tokens are those of a type. */
export function endOfType(tokens: readonly DdlToken[]): number {
  let depth = 0;
  const end = tokens.findIndex((token) => {
    if (isSymbol(token, '(')) depth += 1;
    if (isSymbol(token, ')')) depth -= 1;
    return depth === 0 && token.kind === 'word' && behindType.has(token.text);
  });
  return end < 0 ? tokens.length : end;
}

/** `numeric(10,2)`, `timestamp with time zone`, `text[]`: a blank between words and names only. */
export function typeText(tokens: readonly DdlToken[]): string {
  return tokens.reduce((text, token, index) => {
    const before = tokens[index - 1];
    const glue = isName(token) && (isName(before) || isSymbol(before, ')')) ? ' ' : '';
    return text + glue + token.text;
  }, '');
}

function isRequired(type: string, constraints: readonly DdlToken[]): boolean {
  if (/serial$/.test(type)) return true;
  const c: Cursor = { tokens: constraints, at: 0 };
  for (; peek(c); c.at++) {
    const [token, next] = [peek(c), peek(c, 1)];
    if (isWord(token, 'not') && isWord(next, 'null')) return true;
    if (isWord(token, 'primary') && isWord(next, 'key')) return true;
    if (isWord(token, 'generated') && constraints.some((other) => isWord(other, 'identity'))) return true;
  }
  return false;
}
