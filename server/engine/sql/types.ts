/** Type names, as in `x::text`, `CAST(x AS varchar(10))` and `text 'a'`. */
import type { Expr, TypeName } from './ast.ts';
import {
  advance,
  atSymbol,
  atWord,
  type Cursor,
  expectSymbol,
  isName,
  isSymbol,
  isWord,
  peek,
  skipTo,
  spanFrom,
  takeSymbol,
  takeWord,
  unexpected,
} from './cursor.ts';

export function parseType(p: Cursor): TypeName {
  const { start } = p.token;
  if (!isName(p.token)) {
    unexpected(p, 'type');
    return { text: '', array: false, span: { start, end: start } };
  }
  let text = advance(p).text;
  if (takeSymbol(p, '.')) {
    if (isName(p.token)) text = advance(p).text;
    else unexpected(p, 'type');
  }
  if (text === 'double' && takeWord(p, 'precision')) text = 'double precision';
  if (text === 'character' && takeWord(p, 'varying')) text = 'character varying';
  if (atSymbol(p, '(')) {
    advance(p);
    skipTo(p, () => false);
    expectSymbol(p, ')', 'closing parenthesis');
  }
  if (text === 'timestamp' || text === 'time') text += parseTimeZone(p);
  let array = false;
  while (atSymbol(p, '[') && isSymbol(peek(p), ']')) {
    advance(p);
    advance(p);
    array = true;
  }
  return { text, array, span: spanFrom(p, start) };
}

function parseTimeZone(p: Cursor): string {
  const found =
    (atWord(p, 'with') || atWord(p, 'without')) && isWord(peek(p), 'time') && isWord(peek(p, 2), 'zone');
  if (!found) return '';
  const word = advance(p).text;
  advance(p);
  advance(p);
  return ` ${word} time zone`;
}

/** `text 'a'`, if that is what stands here. */
export function parseTypedLiteral(p: Cursor): Expr | undefined {
  if (peek(p).kind !== 'string') return undefined;
  const { start } = p.token;
  const type = parseType(p);
  const token = advance(p);
  return {
    kind: 'cast',
    operand: {
      kind: 'literal',
      value: { type: 'text', value: token.text },
      span: { start: token.start, end: token.end },
    },
    type,
    span: spanFrom(p, start),
  };
}
