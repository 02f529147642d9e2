/** Text to tokens. Never fails: what no token can start with becomes one of kind `unknown`. */

export type TokenKind =
  | 'word'
  | 'quoted'
  | 'string'
  | 'integer'
  | 'real'
  | 'parameter'
  | 'symbol'
  | 'unknown'
  | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** Words: folded to lower case. Quoted words and strings: the content. Others: as written. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const tab = 9;
const newline = 10;
const carriageReturn = 13;
const space = 32;
const doubleQuote = 34;
const dollar = 36;
const quote = 39;
const star = 42;
const minus = 45;
const dot = 46;
const slash = 47;
const backslash = 92;

/** All tokens of the text, the last of kind `end`. White space and comments are left out. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (true) {
    at = skipBlank(text, at);
    if (at >= text.length) break;
    const token = readToken(text, at);
    tokens.push(token);
    at = token.end;
  }
  tokens.push({ kind: 'end', text: '', start: text.length, end: text.length });
  return tokens;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === space || code === newline || code === tab || code === carriageReturn) at++;
    else if (code === minus && text.charCodeAt(at + 1) === minus) at = endOfLine(text, at + 2);
    else if (code === slash && text.charCodeAt(at + 1) === star) at = endOfComment(text, at + 2);
    else break;
  }
  return at;
}

function endOfLine(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === newline || code === carriageReturn) break;
    at++;
  }
  return at;
}

/** Block comments nest; one that is never closed reaches to the end. */
function endOfComment(text: string, from: number): number {
  let depth = 1;
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    const next = text.charCodeAt(at + 1);
    if (code === star && next === slash) {
      at += 2;
      if (--depth === 0) return at;
    } else if (code === slash && next === star) {
      at += 2;
      depth++;
    } else at++;
  }
  return at;
}

function readToken(text: string, start: number): Token {
  const code = text.charCodeAt(start);
  if (isWordStart(code)) {
    if ((code === 69 || code === 101) && text.charCodeAt(start + 1) === quote) {
      return readEscapeString(text, start);
    }
    return readWord(text, start);
  }
  if (isDigit(code)) return readNumber(text, start);
  if (code === quote) return readString(text, start);
  if (code === doubleQuote) return readQuotedWord(text, start);
  if (code === minus && isDigit(text.charCodeAt(start + 1))) return readNumber(text, start);
  if (code === dot && isDigit(text.charCodeAt(start + 1))) return readNumber(text, start);
  if (code === dollar && isDigit(text.charCodeAt(start + 1))) return readParameter(text, start);
  return readSymbol(text, start);
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isWordStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

function isWordPart(code: number): boolean {
  return isWordStart(code) || isDigit(code);
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

/** Doubled quotes inside are accepted and stay doubled; the reference keeps them, too. */
function readQuotedWord(text: string, start: number): Token {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === doubleQuote) {
      if (text.charCodeAt(at + 1) !== doubleQuote) break;
      at++;
    } else if (code === star) break;
    at++;
  }
  const closed = text.charCodeAt(at) === doubleQuote;
  if (!closed || at === start + 1) return unknown(text, start, closed ? at + 1 : start + 1);
  return { kind: 'quoted', text: text.slice(start + 1, at), start, end: at + 1 };
}

function readString(text: string, start: number): Token {
  let at = start + 1;
  let doubled = false;
  while (at < text.length) {
    if (text.charCodeAt(at) === quote) {
      if (text.charCodeAt(at + 1) !== quote) {
        const raw = text.slice(start + 1, at);
        return { kind: 'string', text: doubled ? raw.replaceAll("''", "'") : raw, start, end: at + 1 };
      }
      doubled = true;
      at++;
    }
    at++;
  }
  return unknown(text, start, text.length);
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '\\': '\\',
};

function readEscapeString(text: string, start: number): Token {
  let at = start + 2;
  let value = '';
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      if (text.charCodeAt(at + 1) !== quote) return { kind: 'string', text: value, start, end: at + 1 };
      value += "'";
      at += 2;
    } else if (code === backslash) {
      const escaped = escapes[text.charAt(at + 1)];
      if (escaped === undefined) return unknown(text, at, at + 2);
      value += escaped;
      at += 2;
    } else {
      value += text.charAt(at);
      at++;
    }
  }
  return unknown(text, start, text.length);
}

function readNumber(text: string, start: number): Token {
  let at = endOfDigits(text, text.charCodeAt(start) === minus ? start + 1 : start);
  let kind: TokenKind = 'integer';
  if (text.charCodeAt(at) === dot) {
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

/** The symbols that start with a character of this code; longest first, so that `->>` is not read as `->`. */
const symbolsByCode: readonly (readonly string[])[] = Array.from({ length: 128 }, (_, code) =>
  symbols.filter((symbol) => symbol.charCodeAt(0) === code).sort((a, b) => b.length - a.length),
);

function readSymbol(text: string, start: number): Token {
  for (const symbol of symbolsByCode[text.charCodeAt(start)] ?? []) {
    if (symbol.length === 1 || text.startsWith(symbol, start)) {
      return { kind: 'symbol', text: symbol, start, end: start + symbol.length };
    }
  }
  return unknown(text, start, start + 1);
}

function unknown(text: string, start: number, end: number): Token {
  return { kind: 'unknown', text: text.slice(start, end), start, end };
}
