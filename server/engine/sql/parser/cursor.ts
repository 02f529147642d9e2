/** The position of the parser in the tokens, and the problems so far. */
import type { Span } from '../../text/span.ts';
import type { Name, SyntaxFix, SyntaxProblem } from '../ast.ts';
import { tokenize, type UnreadableComment } from '../lexer.ts';
import type { Token } from '../token.ts';
import { nameKeywords, reservedWords } from '../words.ts';
import type { Expectation } from './expectations.ts';
import { describe } from './problems.ts';
import { meantAsName } from './situation.ts';

/** The maximum nesting of expressions and statements. Every level takes about six stack frames here and as many in later stages. */
const deepest = 250;

/** The maximum number of problems. A longer list would not be read, and the limit keeps the work for hopeless texts linear. */
const mostProblems = 20;

export interface Cursor {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly comment: UnreadableComment | undefined;
  readonly problems: SyntaxProblem[];
  /** The index of the token at which the first problem was found. */
  firstWrong: number;
  /** The index of the next token. */
  at: number;
  /** The next token. */
  token: Token;
  /**
   * Whether a problem was found and no safe place has been reached since then, so that further problems may be its consequences.
   */
  confused: boolean;
  depth: number;
  /** The index of the token after the last expression that was read. */
  exprEnd: number;
  /** The number of missing closing parentheses. */
  unclosed: number;
  /** The index of an ALL that may also be a function, which makes the reference give up; -1 if there is none. */
  ambiguous: number;
}

export function openCursor(text: string): Cursor {
  const { tokens, comment } = tokenize(text);
  const token = tokens[0] as Token;
  return {
    text,
    tokens,
    comment,
    problems: [],
    firstWrong: -1,
    at: 0,
    token,
    confused: false,
    depth: 0,
    exprEnd: -1,
    unclosed: 0,
    ambiguous: -1,
  };
}

/** Consumes the next token. The token at the end is never consumed. */
export function advance(p: Cursor): Token {
  const taken = p.token;
  if (p.at + 1 < p.tokens.length) p.token = p.tokens[++p.at] as Token;
  return taken;
}

/** Returns the token after the next one, or one further ahead. */
export function peek(p: Cursor, ahead = 1): Token {
  return (p.tokens[p.at + ahead] ?? p.tokens[p.tokens.length - 1]) as Token;
}

export function isWord(token: Token, word: string): boolean {
  return token.text === word && token.kind === 'word';
}

export function isSymbol(token: Token, symbol: string): boolean {
  return token.text === symbol && token.kind === 'symbol';
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

export function expectWord(p: Cursor, word: string, expecting: Expectation): void {
  if (isWord(p.token, word)) advance(p);
  else if (reservedWords.has(word)) reportUnexpected(p, expecting);
  else unexpectedWord(p, expecting);
}

export function expectSymbol(p: Cursor, symbol: string, expecting: Expectation): void {
  if (isSymbol(p.token, symbol)) advance(p);
  else reportUnexpected(p, expecting);
}

/** Consumes `)`. If it is missing, a later one belongs here. */
export function expectClosing(p: Cursor): void {
  if (isSymbol(p.token, ')')) advance(p);
  else {
    reportUnexpected(p, 'closing parenthesis');
    p.unclosed++;
  }
}

/** Whether a token can be a name: any quoted word, or a word that is not reserved. */
export function isName(token: Token): boolean {
  return token.kind === 'quoted' || isPlainWord(token);
}

export function isPlainWord(token: Token): boolean {
  return token.kind === 'word' && !reservedWords.has(token.text);
}

export function takeName(p: Cursor): Name {
  const token = advance(p);
  const quoted = token.kind === 'quoted';
  const folded = !quoted && !p.text.startsWith(token.text, token.start);
  return { text: token.text, quoted, folded, span: spanOf(token) };
}

export function spanOf(token: Token): Span {
  return { start: token.start, end: token.end };
}

/** Returns the span from a start to the end of the last consumed token. */
export function spanFrom(p: Cursor, start: number): Span {
  const end = p.at === 0 ? start : (p.tokens[p.at - 1] as Token).end;
  return { start, end: Math.max(end, start) };
}

/** Reports that the next token is not allowed here. Does so only once until a safe place is reached. */
export function reportUnexpected(p: Cursor, expecting: Expectation): void {
  if (p.at === p.exprEnd) unexpectedWord(p, expecting);
  else reportProblem(p, p.at, expecting);
}

/** Reports the same for the token after the next one. The next token alone would be allowed if the right token followed it. */
export function unexpectedBehind(p: Cursor, expecting: Expectation): void {
  reportProblem(p, Math.min(p.at + 1, p.tokens.length - 1), expecting);
}

/** Consumes a reserved word in place of a name, so that the rest is read as if the word had quotes. */
export function takeReservedName(p: Cursor, expecting: Expectation): void {
  if (meantAsName({ text: p.text, tokens: p.tokens, wrong: p.at, expecting })) advance(p);
}

/**
 * Reports a token where an unreserved word is allowed, such as AT or BETWEEN after an expression. The reference distinguishes words
 * only after reading them, so it stops at the token after a wrong one.
 */
export function unexpectedWord(p: Cursor, expecting: Expectation): void {
  const isKnown = nameKeywords.has(p.token.text) || !isPlainWord(p.token);
  reportProblem(p, isKnown ? p.at : p.at + 1, expecting);
}

export function reportProblem(p: Cursor, at: number, expecting: Expectation): void {
  if (p.confused || isHopeless(p)) return;
  p.confused = true;
  const wrong = Math.min(p.at, at);
  const description = describe({ text: p.text, tokens: p.tokens, wrong, expecting });
  const span = placeOf(p, wrong, description.fix);
  if (p.problems.some((other) => other.span.start === span.start)) return;
  if (p.problems.length === 0) p.firstWrong = at;
  p.problems.push({ span, ...description });
}

/**
 * Returns the span of the problem: the text that the fix replaces, or the token that is not allowed. If the text ends too early, it
 * is the last word, because everything before may be correct.
 */
function placeOf(p: Cursor, at: number, fix: SyntaxFix | undefined): Span {
  if (fix !== undefined && fix.span.start < fix.span.end) return fix.span;
  const token = p.tokens[at] as Token;
  if (token.kind !== 'end') return spanOf(token);
  const last = p.tokens[at - 1];
  return last ? spanOf(last) : wholeText(p);
}

/** Whether there are so many problems that recovery is not worth the work. */
export function isHopeless(p: Cursor): boolean {
  return p.problems.length >= mostProblems;
}

export function wholeText(p: Cursor): Span {
  return { start: 0, end: p.text.trimEnd().length };
}

/** Marks a safe place, where something new starts, so that later problems are independent of earlier ones. */
export function calm(p: Cursor): void {
  p.confused = false;
}

/** Skips to a token that ends a part, including balanced brackets. Does not consume that token. */
export function skipTo(p: Cursor, isStop: (token: Token) => boolean): void {
  let open = 0;
  while (p.token.kind !== 'end') {
    const { kind, text } = p.token;
    if (open === 0 && isStop(p.token)) return;
    if (kind === 'symbol') {
      if (text === ';') return;
      if (text === '(' || text === '[') open++;
      else if ((text === ')' || text === ']') && --open < 0) return;
    }
    advance(p);
  }
}

export function skipToClosing(p: Cursor): void {
  skipTo(p, () => false);
}

/** Enters a nested level. Returns false if that is too deep, in which case the rest of the text is dropped. */
export function enter(p: Cursor): boolean {
  if (++p.depth <= deepest) return true;
  reportProblem(p, p.at, 'less depth');
  p.confused = true;
  p.at = p.tokens.length - 1;
  p.token = p.tokens[p.at] as Token;
  return false;
}

export function leave(p: Cursor): void {
  p.depth--;
}
