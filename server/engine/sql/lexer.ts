/** Splits a text into tokens. It never fails: a character with which no token can start becomes a token of kind `unknown`. */
import { char, isDigit, isPair, isWideSpace, isWordPart, isWordStart } from './characters.ts';
import { readEscapeString, readQuotedWord, readString } from './quoted.ts';
import type { Token, TokenKind } from './token.ts';
import { readUnreadable } from './unreadable.ts';

interface LexResult {
  /** The tokens, without white space and comments. The last one is of kind `end`. */
  readonly tokens: readonly Token[];
  /** The first block comment with unreadable content. */
  readonly comment?: UnreadableComment;
}

/**
 * An unreadable block comment. The reference also reads tokens inside block comments, so an apostrophe stops it there as it does
 * elsewhere.
 */
export interface UnreadableComment {
  /** The number of tokens before the comment. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

export function tokenize(text: string): LexResult {
  const tokens: Token[] = [];
  let comment: UnreadableComment | undefined;
  let at = skipBlank(text, 0);
  while (at < text.length) {
    if (isPair(text, at, char.slash, char.star)) {
      const { end, readable } = readComment(text, at);
      if (!readable) comment ??= { at: tokens.length, start: at, end };
      at = end;
    } else {
      const token = readToken(text, at);
      tokens.push(token);
      at = token.end;
    }
    at = skipBlank(text, at);
  }
  tokens.push({ kind: 'end', text: '', start: text.length, end: text.length });
  return { tokens, ...(comment && { comment }) };
}

/** Skips white space and line comments. */
function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === char.space || (code >= char.tab && code <= char.carriageReturn) || isWideSpace(code)) at++;
    else if (code === char.minus && text.charCodeAt(at + 1) === char.minus) at = endOfLine(text, at + 2);
    else break;
  }
  return at;
}

function endOfLine(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === char.newline || code === char.carriageReturn) break;
    at++;
  }
  return at;
}

/** Reads a block comment. Block comments nest, and an unclosed one extends to the end. */
function readComment(text: string, start: number): { end: number; readable: boolean } {
  let depth = 1;
  let at = skipBlank(text, start + 2);
  while (at < text.length) {
    if (isPair(text, at, char.slash, char.star)) {
      depth++;
      at += 2;
    } else if (isPair(text, at, char.star, char.slash)) {
      at += 2;
      if (--depth === 0) break;
    } else {
      const token = readToken(text, at);
      if (token.kind === 'unknown') return { end: behind(text, '*/', at), readable: false };
      at = token.end;
    }
    at = skipBlank(text, at);
  }
  return { end: Math.min(at, text.length), readable: true };
}

function behind(text: string, closing: string, from: number): number {
  const at = text.indexOf(closing, from);
  return at < 0 ? text.length : at + closing.length;
}

function readToken(text: string, start: number): Token {
  const code = text.charCodeAt(start);
  if (isWordStart(code)) {
    if ((code === 69 || code === 101) && text.charCodeAt(start + 1) === char.quote) {
      return readEscapeString(text, start);
    }
    return readWord(text, start);
  }
  if (code === char.quote) return readString(text, start);
  if (code === char.doubleQuote) return readQuotedWord(text, start);
  if (startsNumber(text, code === char.minus ? start + 1 : start)) return readNumber(text, start);
  if (code === char.dollar && isDigit(text.charCodeAt(start + 1))) return readParameter(text, start);
  return readSymbol(text, start);
}

function startsNumber(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isDigit(code) || (code === char.dot && isDigit(text.charCodeAt(at + 1)));
}

function readWord(text: string, start: number): Token {
  let at = start;
  let capitals = false;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (!isWordPart(code)) break;
    if (code <= 90 && code >= 65) capitals = true;
    at++;
  }
  const written = text.slice(start, at);
  return { kind: 'word', text: capitals ? written.toLowerCase() : written, start, end: at };
}

function readNumber(text: string, start: number): Token {
  let at = endOfDigits(text, text.charCodeAt(start) === char.minus ? start + 1 : start);
  let kind: TokenKind = 'integer';
  if (text.charCodeAt(at) === char.dot) {
    kind = 'real';
    at = endOfDigits(text, at + 1);
  }
  return { kind, text: text.slice(start, at), start, end: at };
}

function endOfDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function readParameter(text: string, start: number): Token {
  const end = endOfDigits(text, start + 1);
  return { kind: 'parameter', text: text.slice(start, end), start, end };
}

const symbols = (
  '% & && ( ) * */ + , - -> ->> . / : :: ; < << <= <> <@ = > >= >> ? ?& ?| @> [ ] ^ | || ' +
  '!= !~ !~* !~~ !~~* # #- #>> ~ ~* ~~ ~~*'
).split(' ');

/** The symbols that start with a character of this code, longest first, so that `->>` is not read as `->`. */
const symbolsByCode: readonly (readonly string[])[] = Array.from({ length: 128 }, (_, code) =>
  symbols.filter((symbol) => symbol.charCodeAt(0) === code).sort((a, b) => b.length - a.length),
);

function readSymbol(text: string, start: number): Token {
  for (const symbol of symbolsByCode[text.charCodeAt(start)] ?? []) {
    if (symbol.length === 1 || text.startsWith(symbol, start)) {
      return { kind: 'symbol', text: symbol, start, end: start + symbol.length };
    }
  }
  return readUnreadable(text, start);
}
