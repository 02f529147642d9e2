/** Where the parser stands in the tokens, and what it has complained about so far. */
import type { Span } from '../span.ts';
import type { Name, SyntaxProblem } from './ast.ts';
import { type Token, tokenize } from './lexer.ts';
import { describe, type Expecting } from './problems.ts';
import { reservedWords } from './words.ts';

/** How deep brackets may nest. Every level costs a handful of stack frames, here and in later stages. */
const deepest = 250;

export interface Cursor {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly problems: SyntaxProblem[];
  /** Index of the token that comes next. */
  at: number;
  /** The token that comes next. */
  token: Token;
  /** A problem was found and no safe place has been reached since: whatever follows may be its echo. */
  confused: boolean;
  depth: number;
}

export function openCursor(text: string): Cursor {
  const tokens = tokenize(text);
  return { text, tokens, problems: [], at: 0, token: tokens[0] as Token, confused: false, depth: 0 };
}

export function advance(p: Cursor): Token {
  const taken = p.token;
  if (p.at + 1 < p.tokens.length) p.token = p.tokens[++p.at] as Token;
  return taken;
}

/** The token behind the next one, or one further. */
export function peek(p: Cursor, ahead = 1): Token {
  return p.tokens[Math.min(p.at + ahead, p.tokens.length - 1)] as Token;
}

export function isWord(token: Token, word: string): boolean {
  return token.kind === 'word' && token.text === word;
}

export function isSymbol(token: Token, symbol: string): boolean {
  return token.kind === 'symbol' && token.text === symbol;
}

export function atWord(p: Cursor, word: string): boolean {
  return isWord(p.token, word);
}

export function atSymbol(p: Cursor, symbol: string): boolean {
  return isSymbol(p.token, symbol);
}

export function takeWord(p: Cursor, word: string): Token | undefined {
  return isWord(p.token, word) ? advance(p) : undefined;
}

export function takeSymbol(p: Cursor, symbol: string): Token | undefined {
  return isSymbol(p.token, symbol) ? advance(p) : undefined;
}

/** Takes the word or complains that it is missing. */
export function expectWord(p: Cursor, word: string, expecting: Expecting): boolean {
  if (takeWord(p, word)) return true;
  unexpected(p, expecting);
  return false;
}

export function expectSymbol(p: Cursor, symbol: string, expecting: Expecting): boolean {
  if (takeSymbol(p, symbol)) return true;
  unexpected(p, expecting);
  return false;
}

/** Can stand as a name: any quoted word, and words that are not reserved. */
export function isName(token: Token): boolean {
  return token.kind === 'quoted' || (token.kind === 'word' && !reservedWords.has(token.text));
}

export function nameOf(p: Cursor, token: Token): Name {
  const quoted = token.kind === 'quoted';
  const folded = !quoted && !p.text.startsWith(token.text, token.start);
  return { text: token.text, quoted, folded, span: { start: token.start, end: token.end } };
}

export function previousEnd(p: Cursor): number {
  return p.at === 0 ? 0 : (p.tokens[p.at - 1] as Token).end;
}

/** From a start to the end of the last token that was taken. */
export function spanFrom(p: Cursor, start: number): Span {
  return { start, end: Math.max(start, previousEnd(p)) };
}

/** The next token cannot stand here. Says so once, until a safe place is reached. */
export function unexpected(p: Cursor, expecting: Expecting): void {
  if (p.confused) return;
  p.confused = true;
  const whole = p.token.kind === 'end' || p.token.kind === 'unknown';
  p.problems.push({
    span: whole ? wholeText(p.text) : { start: p.token.start, end: p.token.end },
    problem: describe(p.text, p.tokens, p.at, expecting),
  });
}

function wholeText(text: string): Span {
  return { start: 0, end: text.trimEnd().length };
}

/** A place where a new thing starts, so that what is wrong from here on is wrong by itself. */
export function calm(p: Cursor): void {
  p.confused = false;
}

/** Skips to a token that ends a part, over balanced brackets. Does not take it. */
export function skipTo(p: Cursor, isStop: (token: Token) => boolean): void {
  let open = 0;
  while (p.token.kind !== 'end') {
    if (open === 0 && isStop(p.token)) return;
    if (isSymbol(p.token, '(') || isSymbol(p.token, '[')) open++;
    else if (isSymbol(p.token, ')') || isSymbol(p.token, ']')) {
      if (open === 0) return;
      open--;
    } else if (isSymbol(p.token, ';')) return;
    advance(p);
  }
}

/** Enters a bracket or another level. False when that is too deep: then the rest of the text was dropped. */
export function enter(p: Cursor): boolean {
  if (++p.depth <= deepest) return true;
  unexpected(p, 'less depth');
  p.confused = true;
  p.at = p.tokens.length - 1;
  p.token = p.tokens[p.at] as Token;
  return false;
}

export function leave(p: Cursor): void {
  p.depth--;
}
