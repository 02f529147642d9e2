/** The situation in which the parser stopped, as input for messages. */
import type { SyntaxFix } from '../ast.ts';
import type { Token } from '../token.ts';
import { reservedWords } from '../words.ts';
import type { Expectation } from './expectations.ts';

export interface SyntaxSituation {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** The index of the wrong token. */
  readonly wrong: number;
  /** The part that the parser expected. */
  readonly expecting: Expectation;
}

/** Returns the wrong token, or one at an offset before or after it. */
export function tokenAt(s: SyntaxSituation, offset = 0): Token {
  const index = s.wrong + offset;
  if (index < 0) return { kind: 'end', text: '', start: 0, end: 0 };
  return s.tokens[Math.min(index, s.tokens.length - 1)] as Token;
}

/** Returns the source text of the tokens. */
export function sourceText(s: SyntaxSituation, from = 0, to = from): string {
  return s.text.slice(tokenAt(s, from).start, tokenAt(s, to).end);
}

export function is(s: SyntaxSituation, text: string, offset = 0): boolean {
  const token = tokenAt(s, offset);
  return token.text === text && (token.kind === 'symbol' || token.kind === 'word');
}

/** Whether there is nothing between the wrong token and the previous one. */
export function isGlued(s: SyntaxSituation, offset = 0): boolean {
  return tokenAt(s, offset - 1).end === tokenAt(s, offset).start;
}

export function isReserved(s: SyntaxSituation, offset = 0): boolean {
  const token = tokenAt(s, offset);
  return token.kind === 'word' && reservedWords.has(token.text);
}

const clauseFollowers: Readonly<Record<string, readonly string[]>> = {
  group: ['by'],
  order: ['by'],
  for: ['update', 'share', 'no', 'key'],
  fetch: ['first', 'next'],
  union: ['all', 'select'],
};

/** Whether a clause starts here. Without its second word, `order` may also be intended as a name. */
export function startsClause(s: SyntaxSituation): boolean {
  const { kind, text } = tokenAt(s);
  if (kind !== 'word') return false;
  const followers = clauseFollowers[text];
  if (followers) return followers.some((word) => is(s, word, 1));
  return /^(from|where|having|limit|offset)$/.test(text) && !/^(,|from|end|)$/.test(tokenAt(s, 1).text);
}

export function endsPart(s: SyntaxSituation): boolean {
  return tokenAt(s).kind === 'end' || is(s, ')') || is(s, ']') || is(s, ';') || startsClause(s);
}

/** Whether a reserved word is used as a name. */
export function meantAsName(s: SyntaxSituation): boolean {
  if (!isReserved(s) || startsClause(s)) return false;
  if (s.expecting === 'value') return endsName(s) || is(s, '.', -1);
  const { text } = tokenAt(s);
  return namePlaces.has(s.expecting) && !connectingWords.has(text);
}

const namePlaces: ReadonlySet<Expectation> = new Set([
  'alias',
  'name',
  'column of a table',
  'table',
  'table of a schema',
]);

const connectingWords: ReadonlySet<string> = new Set(
  'and as cross full in inner is join lateral natural not on only or outer select tablesample using'.split(
    ' ',
  ),
);

/** Whether the token can follow a column. */
export function endsName(s: SyntaxSituation, offset = 0): boolean {
  const { kind, text } = tokenAt(s, offset + 1);
  if (kind === 'end') return true;
  return kind === 'symbol'
    ? text !== '(' && text !== '*'
    : /^(from|where|is|in|as|and|or|asc|desc)$/.test(text);
}

/** Returns the parentheses that are open before the wrong token. */
export function openParentheses(s: SyntaxSituation): Token[] {
  const open: Token[] = [];
  for (const token of s.tokens.slice(0, s.wrong)) {
    if (token.kind !== 'symbol') continue;
    if (token.text === '(') open.push(token);
    else if (token.text === ')') open.pop();
    else if (token.text === ';') open.length = 0;
  }
  return open;
}

export function replacementFix(
  s: SyntaxSituation,
  title: string,
  text: string,
  from = 0,
  to = from,
): SyntaxFix {
  return { title, span: { start: tokenAt(s, from).start, end: tokenAt(s, to).end }, text };
}

/** Returns a fix that inserts text after the token before the wrong one. */
export function insertionFix(s: SyntaxSituation, title: string, text: string): SyntaxFix {
  const { end } = tokenAt(s, -1);
  return { title, span: { start: end, end }, text };
}

export function quotationFix(s: SyntaxSituation, offset = 0): SyntaxFix {
  return replacementFix(s, 'Quote the name', `"${tokenAt(s, offset).text}"`, offset);
}

/** Returns a part of the text that is short enough for a message. */
export function excerptOf(source: string): string {
  return source.length > 40 ? `${source.slice(0, 39)}…` : source;
}
