/** Parses the clauses after WHERE, which every edition rejects. */
import { cover, type Span } from '../../text/span.ts';
import type { RefusedClause } from '../ast.ts';
import type { Token } from '../token.ts';
import {
  advance,
  atWord,
  type Cursor,
  calm,
  expectWord,
  isWord,
  peek,
  reportUnexpected,
  skipTo,
  spanFrom,
  takeSymbol,
  takeWord,
} from './cursor.ts';
import { parseExpr, parseItem, parseStarOrExpr, startsValue } from './expression.ts';

const clauseWords: ReadonlySet<string> = new Set(
  'from where group having order limit offset fetch for union'.split(' '),
);

/** Whether a clause certainly ends before this token. */
export function isClauseEnd(token: Token): boolean {
  if (token.kind === 'word') return clauseWords.has(token.text);
  if (token.kind === 'symbol') return token.text === ')' || token.text === ']' || token.text === ';';
  return token.kind === 'end';
}

export function parseRefused(p: Cursor): RefusedClause[] {
  const refused: RefusedClause[] = [];
  if (atWord(p, 'group')) {
    refused.push(parseClause(p, 'GROUP BY', parseGroupBy));
    if (atWord(p, 'having')) refused.push(parseClause(p, 'HAVING', parseHaving));
  }
  if (atWord(p, 'order')) refused.push(parseClause(p, 'ORDER BY', parseOrderBy));
  const limit = parseLimits(p);
  if (limit) refused.push(limit);
  if (atWord(p, 'for')) {
    refused.push(parseClause(p, 'FOR', parseLockMode));
    if (atWord(p, 'skip')) refused.push(parseClause(p, 'SKIP LOCKED', parseLocked));
    else if (atWord(p, 'nowait')) refused.push(parseClause(p, 'NOWAIT', () => {}));
  }
  skipMisplaced(p);
  return refused;
}

function parseClause(
  p: Cursor,
  clause: RefusedClause['clause'],
  parseContent: (p: Cursor) => void,
): RefusedClause {
  calm(p);
  const { start } = advance(p);
  parseContent(p);
  if (!isClauseEnd(p.token) && !isWord(p.token, 'skip') && !isWord(p.token, 'nowait')) {
    reportUnexpected(p, 'end of clause');
    skipTo(p, isClauseEnd);
  }
  return { clause, span: spanFrom(p, start) };
}

function parseGroupBy(p: Cursor): void {
  expectWord(p, 'by', 'by');
  do {
    calm(p);
    parseItem(p);
  } while (takeSymbol(p, ','));
}

function parseHaving(p: Cursor): void {
  parseStarOrExpr(p);
}

function parseOrderBy(p: Cursor): void {
  expectWord(p, 'by', 'by');
  parseOrdering(p);
}

/** Parses the list after ORDER BY. */
export function parseOrdering(p: Cursor): Span {
  const { start } = p.token;
  do {
    calm(p);
    parseStarOrExpr(p);
    if (takeWord(p, 'asc') || takeWord(p, 'desc')) p.exprEnd = p.at;
    if (takeWord(p, 'nulls') && !takeWord(p, 'first')) expectWord(p, 'last', 'first or last');
  } while (takeSymbol(p, ','));
  return spanFrom(p, start);
}

/** Parses LIMIT, OFFSET and FETCH in any order and number. They are rejected as a single clause. */
function parseLimits(p: Cursor): RefusedClause | undefined {
  let all: RefusedClause | undefined;
  while (true) {
    const one = parseLimit(p);
    if (!one) return all;
    all = all ? { ...all, span: cover(all.span, one.span) } : one;
  }
}

function parseLimit(p: Cursor): RefusedClause | undefined {
  if (atWord(p, 'limit')) return parseClause(p, 'LIMIT', parseCount);
  if (atWord(p, 'offset')) return parseClause(p, 'OFFSET', parseOffset);
  if (atWord(p, 'fetch')) return parseClause(p, 'FETCH', parseFetch);
  return undefined;
}

function parseCount(p: Cursor): void {
  parseExpr(p);
}

function parseOffset(p: Cursor): void {
  parseExpr(p);
  if (!takeWord(p, 'rows')) takeWord(p, 'row');
}

/** Parses `FETCH FIRST 5 ROWS ONLY`. Without a number, `first` counts as the number. */
function parseFetch(p: Cursor): void {
  const isRow = isWord(peek(p), 'row') || isWord(peek(p), 'rows');
  const isNumber = (isRow && isWord(peek(p, 2), 'only')) || !startsValue(peek(p));
  if (!isNumber && !takeWord(p, 'first')) takeWord(p, 'next');
  parseExpr(p);
  if (!takeWord(p, 'row')) expectWord(p, 'rows', 'rows');
  expectWord(p, 'only', 'only');
}

function parseLockMode(p: Cursor): void {
  if (takeWord(p, 'no')) {
    expectWord(p, 'key', 'lock mode');
    expectWord(p, 'update', 'lock mode');
  } else if (takeWord(p, 'key')) expectWord(p, 'share', 'lock mode');
  else if (!takeWord(p, 'share')) expectWord(p, 'update', 'lock mode');
  p.exprEnd = p.at;
}

function parseLocked(p: Cursor): void {
  expectWord(p, 'locked', 'locked');
}

/** Skips a clause in the wrong place, such as WHERE after GROUP BY, or HAVING without GROUP BY. */
function skipMisplaced(p: Cursor): void {
  while (p.token.kind === 'word' && !atWord(p, 'union')) {
    reportUnexpected(p, 'end of statement');
    advance(p);
    skipTo(p, isClauseEnd);
  }
}
