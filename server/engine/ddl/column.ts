/** Reads column definitions such as `id uuid primary key` and `"name" VARCHAR(20) NOT NULL DEFAULT ''`. */
import { defaultIn, listedValues, referenceIn } from './constraints.ts';
import { type DdlCursor, isIdentifier, isKeyword, isSign, tokenAhead } from './cursor.ts';
import type { DdlToken } from './lexer.ts';
import type { DdlColumn } from './statement.ts';

/** Words that end a type. */
const behindType: ReadonlySet<string> = new Set(
  `as auto_increment autoincrement check collate comment compression constraint default encode first foreign generated
  identity invisible key not null on primary references storage unique using visible after virtual`.split(
    /\s+/,
  ),
);

/** Returns undefined if the tokens do not begin with a name. */
export function readColumn(tokens: readonly DdlToken[]): DdlColumn | undefined {
  const [name, ...rest] = tokens;
  if (!isIdentifier(name)) return undefined;
  const end = endOfType(rest);
  const type = typeText(rest.slice(0, end));
  const { text, start } = name;
  const constraints = rest.slice(end);
  const [values, references] = [listedValues(text, constraints), referenceIn(constraints)];
  return {
    name: text,
    span: { start, end: name.end },
    ...(type !== '' && { type }),
    nullable: !isRequired(type, constraints),
    ...(constraints.some((token) => isKeyword(token, 'primary')) && { isPrimary: true as const }),
    ...defaultIn(type, constraints),
    ...(values && { values }),
    ...(references && { references }),
  };
}

/** Returns the number of tokens that belong to the type. */
export function endOfType(tokens: readonly DdlToken[]): number {
  let depth = 0;
  const end = tokens.findIndex((token) => {
    if (isSign(token, '(')) depth += 1;
    if (isSign(token, ')')) depth -= 1;
    return depth === 0 && token.kind === 'word' && behindType.has(token.text);
  });
  return end < 0 ? tokens.length : end;
}

/** Writes a type such as `numeric(10,2)`, `timestamp with time zone` or `text[]`, with blanks only between words and names. */
export function typeText(tokens: readonly DdlToken[]): string {
  return tokens.reduce((text, token, index) => {
    const before = tokens[index - 1];
    const glue = isIdentifier(token) && (isIdentifier(before) || isSign(before, ')')) ? ' ' : '';
    return text + glue + token.text;
  }, '');
}

function isRequired(type: string, constraints: readonly DdlToken[]): boolean {
  if (/serial$/.test(type)) return true;
  const c: DdlCursor = { tokens: constraints, at: 0 };
  for (; tokenAhead(c); c.at++) {
    const [token, next] = [tokenAhead(c), tokenAhead(c, 1)];
    if (isKeyword(token, 'not') && isKeyword(next, 'null')) return true;
    if (isKeyword(token, 'primary') && isKeyword(next, 'key')) return true;
    if (isKeyword(token, 'generated') && constraints.some((other) => isKeyword(other, 'identity')))
      return true;
  }
  return false;
}
