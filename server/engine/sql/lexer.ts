/** Text to tokens. Never fails: what no token can start with becomes one of kind `unknown`, as long as seems meant. */

export type TokenKind =
  | 'word'
  | 'quoted'
  | 'string'
  | 'integer'
  | 'real'
  | 'parameter'
  | 'symbol'
  /** `$$text$$`, which nothing accepts. */
  | 'dollar'
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
const atSign = 64;
const backslash = 92;

export interface Lexed {
  /** The last is of kind `end`. White space and comments are left out. */
  readonly tokens: readonly Token[];
  /** The first block comment that holds something unreadable. */
  readonly comment?: UnreadableComment;
}

/**
 * The reference reads tokens inside of block comments, too, so that an apostrophe stops it there as anywhere else.
 */
export interface UnreadableComment {
  /** How many tokens stand before it. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

export function tokenize(text: string): Lexed {
  const tokens: Token[] = [];
  let comment: UnreadableComment | undefined;
  let at = skipBlank(text, 0);
  while (at < text.length) {
    if (isPair(text, at, slash, star)) {
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

function isPair(text: string, at: number, first: number, second: number): boolean {
  return text.charCodeAt(at) === first && text.charCodeAt(at + 1) === second;
}

/** Skips white space and line comments. */
function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === space || (code >= tab && code <= carriageReturn) || isWideSpace(code)) at++;
    else if (code === minus && text.charCodeAt(at + 1) === minus) at = endOfLine(text, at + 2);
    else break;
  }
  return at;
}

/** The white space of Unicode, as JavaScript counts it. */
function isWideSpace(code: number): boolean {
  if (code < 0xa0) return false;
  if (code >= 0x2000 && code <= 0x200a) return true;
  return wideSpaces.has(code);
}

const wideSpaces: ReadonlySet<number> = new Set([
  0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff,
]);

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
function readComment(text: string, start: number): { end: number; readable: boolean } {
  let depth = 1;
  let at = skipBlank(text, start + 2);
  while (at < text.length) {
    if (isPair(text, at, slash, star)) {
      depth++;
      at += 2;
    } else if (isPair(text, at, star, slash)) {
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
    if ((code === 69 || code === 101) && text.charCodeAt(start + 1) === quote) {
      return readEscapeString(text, start);
    }
    return readWord(text, start);
  }
  if (code === quote) return readString(text, start);
  if (code === doubleQuote) return readQuotedWord(text, start);
  if (startsNumber(text, code === minus ? start + 1 : start)) return readNumber(text, start);
  if (code === dollar && isDigit(text.charCodeAt(start + 1))) return readParameter(text, start);
  return readSymbol(text, start);
}

function startsNumber(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return isDigit(code) || (code === dot && isDigit(text.charCodeAt(at + 1)));
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isWordStart(code: number): boolean {
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

/**
 * Doubled quotes inside are accepted and stay doubled; the reference keeps them, too. Without a closing quote, the
 * first quote of the last pair closes the name.
 */
function readQuotedWord(text: string, start: number): Token {
  const { end, lastPair, starred } = findClosing(text, start, doubleQuote);
  const closing = end < text.length && !starred ? end : lastPair;
  if (closing <= start + 1) return unknown(text, start, Math.min(end + 1, text.length));
  return { kind: 'quoted', text: text.slice(start + 1, closing), start, end: closing + 1 };
}

function readString(text: string, start: number): Token {
  const { end, lastPair } = findClosing(text, start, quote);
  const closing = end < text.length ? end : lastPair;
  if (closing < 0) return unknown(text, start, text.length);
  const raw = text.slice(start + 1, closing);
  return { kind: 'string', text: lastPair < 0 ? raw : raw.replaceAll("''", "'"), start, end: closing + 1 };
}

interface Closing {
  /** Where the closing quote is, or the length of the text. */
  readonly end: number;
  /** Where the last doubled quote before it is, or before the first star; -1 if there is none. */
  readonly lastPair: number;
  /** There is a star, which no name may contain. */
  readonly starred: boolean;
}

function findClosing(text: string, start: number, mark: number): Closing {
  let lastPair = -1;
  let starred = false;
  let end = start + 1;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === star && mark === doubleQuote) starred = true;
    else if (code === mark) {
      if (text.charCodeAt(end + 1) !== mark) break;
      if (!starred) lastPair = end;
      end++;
    }
    end++;
  }
  return { end: Math.min(end, text.length), lastPair, starred };
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  '\\': '\\',
};

/** An empty one, and one with an escape that is not known, is `unknown`. */
function readEscapeString(text: string, start: number): Token {
  let at = start + 2;
  let value = '';
  let known = !isPair(text, at - 1, quote, quote) || text.charCodeAt(at + 1) === quote;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      if (text.charCodeAt(at + 1) !== quote) {
        return known ? { kind: 'string', text: value, start, end: at + 1 } : unknown(text, start, at + 1);
      }
      value += "'";
      at += 2;
    } else if (code === backslash) {
      const escaped = escapes[text.charAt(at + 1)];
      if (escaped === undefined) known = false;
      value += escaped ?? '';
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
  return readUnknown(text, start);
}

function readUnknown(text: string, start: number): Token {
  const code = text.charCodeAt(start);
  if (code === dollar && text.charCodeAt(start + 1) === dollar) {
    const end = text.indexOf('$$', start + 2);
    if (end >= 0) return { kind: 'dollar', text: text.slice(start, end + 2), start, end: end + 2 };
  }
  const closing = closingQuotes[text.charAt(start)];
  if (closing !== undefined) return unknown(text, start, endOfQuoted(text, start + 1, closing));
  if (code === dollar || code === atSign) return unknown(text, start, endOfParameter(text, start + 1));
  return unknown(text, start, isLetter(code) ? endOfLetters(text, start) : start + 1);
}

/** Quotes and brackets of other languages, with the characters that close them. */
const closingQuotes: Readonly<Record<string, string>> = {
  '`': '`',
  '‘': '’‘',
  '’': '’',
  '“': '”“',
  '”': '”',
  '„': '“”',
  '«': '»',
  '{': '}',
};

/** Longer names do not exist; the limit keeps the work linear. */
const longestQuoted = 100;

/** Behind the closing character, if there is one in the line. */
function endOfQuoted(text: string, from: number, closing: string): number {
  const last = Math.min(text.length, from + longestQuoted);
  for (let end = from; end < last && text.charCodeAt(end) !== newline; end++) {
    if (closing.includes(text.charAt(end))) return text.startsWith('}}', end) ? end + 2 : end + 1;
  }
  return from;
}

/** `@name`, `${name}` */
function endOfParameter(text: string, from: number): number {
  return text.startsWith('{', from) ? endOfQuoted(text, from, '}') : endOfLetters(text, from);
}

/** ASCII is left out; so are the blanks, dashes and signs of Unicode that look like ASCII ones. */
function isLetter(code: number): boolean {
  if (code < 0xc0) return false;
  return !(code >= 0x2000 && code <= 0x2bff) && !(code >= 0x3000 && code <= 0x3004) && code !== 0xfeff;
}

function endOfLetters(text: string, from: number): number {
  let end = from;
  while (end < text.length && (isLetter(text.charCodeAt(end)) || isWordPart(text.charCodeAt(end)))) end++;
  return end;
}

function unknown(text: string, start: number, end: number): Token {
  return { kind: 'unknown', text: text.slice(start, end), start, end };
}
