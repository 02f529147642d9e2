/** Parses type names, as in `x::text`, `CAST(x AS varchar(10))` and `date '2024-01-01'`. */
import type { Expr, TypeName } from '../ast.ts';
import type { Token } from '../token.ts';
import {
  advance,
  atSymbol,
  type Cursor,
  expectSymbol,
  expectWord,
  isName,
  isPlainWord,
  isSymbol,
  isWord,
  peek,
  reportUnexpected,
  spanFrom,
  takeSymbol,
  takeWord,
} from './cursor.ts';
import { parseLiteral } from './primary.ts';

/** Parses a type that cannot be followed by an index, so `[` must be part of it. */
export function parseClosedType(p: Cursor): TypeName {
  const type = parseType(p);
  const isComplete = type.array && isWord(peek(p, -1), 'array');
  if (!isComplete && takeSymbol(p, '[')) {
    reportUnexpected(p, 'closing bracket');
  }
  return type;
}

export function parseType(p: Cursor): TypeName {
  const { start } = p.token;
  if (!startsType(p.token)) {
    reportUnexpected(p, 'type');
    return { text: '', array: false, span: { start, end: start } };
  }
  const text = parseTypeName(p);
  parseLength(p);
  const zone = isTimeType(text) ? parseTimeZone(p) : '';
  if (zone) parseLength(p);
  const array = parseArraySuffix(p);
  return { text: text + zone, array, span: spanFrom(p, start) };
}

function startsType(token: Token): boolean {
  return isName(token) || isWord(token, 'precision') || isWord(token, 'current_schema');
}

function parseTypeName(p: Cursor): string {
  const first = advance(p);
  if (takeSymbol(p, '.')) {
    if (isTypeOfSchema(p.token)) return advance(p).text;
    reportUnexpected(p, 'type');
    return first.text;
  }
  const second = secondWord(first);
  return second && takeWord(p, second) ? `${first.text} ${second}` : first.text;
}

/** Whether a token is a type name after a schema. Any word is allowed there, except one. */
function isTypeOfSchema(token: Token): boolean {
  return token.kind === 'quoted' || (token.kind === 'word' && token.text !== 'precision');
}

/** Returns the second word of a type that has two words. */
function secondWord(first: Token): string | undefined {
  if (first.kind !== 'word') return undefined;
  if (first.text === 'double') return 'precision';
  return first.text === 'character' || first.text === 'bit' ? 'varying' : undefined;
}

/** Parses `(10)` or `(10, 2)`. */
function parseLength(p: Cursor): void {
  if (!takeSymbol(p, '(')) return;
  do {
    if (p.token.kind === 'integer') advance(p);
    else reportUnexpected(p, 'length');
  } while (takeSymbol(p, ','));
  expectSymbol(p, ')', 'closing parenthesis');
}

function isTimeType(text: string): boolean {
  return text === 'timestamp' || text === 'time';
}

function parseTimeZone(p: Cursor): string {
  if (!isTimeZone(p, 0)) return '';
  const word = advance(p).text;
  expectWord(p, 'time', 'time zone');
  expectWord(p, 'zone', 'time zone');
  return ` ${word} time zone`;
}

/** Whether a time zone follows. WITHOUT on its own may be an alias, but not if a further word follows. */
function isTimeZone(p: Cursor, ahead: number): boolean {
  const token = peek(p, ahead);
  return isWord(token, 'with') || (isWord(token, 'without') && isPlainWord(peek(p, ahead + 1)));
}

function parseArraySuffix(p: Cursor): boolean {
  if (takeWord(p, 'array')) return true;
  const { at } = p;
  while (atSymbol(p, '[') && isSymbol(peek(p), ']')) {
    advance(p);
    advance(p);
  }
  return p.at > at;
}

/**
 * Whether a type followed by a string starts here, or at least something that cannot be anything else. A name, a call such as
 * `f(1)`, and a column with an index start in the same way.
 */
export function isTypedLiteral(p: Cursor): boolean {
  const next = peek(p);
  if (next.kind === 'string') return true;
  let ahead = 1;
  if (isSymbol(next, '.')) {
    if (!isTypeOfSchema(peek(p, 2))) return false;
    ahead = 3;
  } else if (next.kind === 'word') {
    if (next.text === 'precision' && isWord(p.token, 'double')) return true;
    if (next.text === 'varying' && secondWord(p.token) === 'varying') ahead = 2;
  }
  if (isSymbol(peek(p, ahead), '(')) {
    ahead = behindLength(p, ahead);
    if (ahead === 0) return false;
  }
  const end = peek(p, ahead);
  if (end.kind === 'string' || isWord(end, 'array')) return true;
  if (isSymbol(end, '[')) return isSymbol(peek(p, ahead + 1), ']');
  return p.token.kind === 'word' && isTimeType(p.token.text) && !isSymbol(next, '.') && isTimeZone(p, ahead);
}

/** Returns the distance to the token after `(1, 2)`; 0 if the parentheses contain something else. */
function behindLength(p: Cursor, ahead: number): number {
  let at = ahead;
  do {
    if (peek(p, at + 1).kind !== 'integer') return 0;
    at += 2;
  } while (isSymbol(peek(p, at), ','));
  return isSymbol(peek(p, at), ')') ? at + 1 : 0;
}

/** Parses a typed literal such as `text 'a'`. */
export function parseTypedLiteral(p: Cursor): Expr {
  const { start } = p.token;
  const type = parseClosedType(p);
  if (p.token.kind !== 'string') {
    reportUnexpected(p, 'text after a type');
    return { kind: 'unreadable', span: spanFrom(p, start) };
  }
  const operand = parseLiteral(p);
  return { kind: 'cast', operand, type, span: { start, end: operand.span.end } };
}
