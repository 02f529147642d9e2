/** SELECT and its clauses. All other statements are recognised and skipped. */
import type { Span } from '../span.ts';
import type { Column, Expr, FromItem, RefusedClause, Select, Statement } from './ast.ts';
import {
  advance,
  atSymbol,
  atWord,
  type Cursor,
  calm,
  enter,
  expectSymbol,
  expectWord,
  isName,
  isSymbol,
  isWord,
  leave,
  nameOf,
  peek,
  skipTo,
  spanFrom,
  takeSymbol,
  takeWord,
  unexpected,
} from './cursor.ts';
import { parseExpr } from './expression.ts';
import { parseFrom } from './from.ts';
import type { Token } from './lexer.ts';

export function parseStatement(p: Cursor): Statement {
  const start = p.token.start;
  if (!enter(p)) return { kind: 'other', what: '', span: spanFrom(p, start) };
  const statement = atWord(p, 'select') ? parseUnion(p) : parseOther(p);
  leave(p);
  return statement;
}

const otherStatements: ReadonlySet<string> = new Set([
  'alter',
  'begin',
  'comment',
  'commit',
  'create',
  'deallocate',
  'delete',
  'do',
  'drop',
  'insert',
  'prepare',
  'raise',
  'refresh',
  'rollback',
  'set',
  'show',
  'start',
  'tablespace',
  'truncate',
  'update',
  'values',
  'with',
]);

/** Can a statement start with this token? */
export function startsStatement(token: Token): boolean {
  return (
    token.kind === 'word' && (token.text === 'select' || token.text === 'values' || token.text === 'with')
  );
}

function parseOther(p: Cursor): Statement {
  const start = p.token.start;
  const what = p.token.text.toUpperCase();
  if (p.token.kind !== 'word' || !otherStatements.has(p.token.text)) unexpected(p, 'statement');
  skipTo(p, () => false);
  return { kind: 'other', what, span: spanFrom(p, start) };
}

function parseUnion(p: Cursor): Statement {
  const start = p.token.start;
  const first = parseSelect(p);
  if (!atWord(p, 'union')) return first;
  while (takeWord(p, 'union')) {
    calm(p);
    takeWord(p, 'all');
    if (atWord(p, 'select')) parseSelect(p);
    else skipTo(p, (token) => isWord(token, 'union'));
  }
  return { kind: 'other', what: 'UNION', span: spanFrom(p, start) };
}

function parseSelect(p: Cursor): Select {
  const start = advance(p).start;
  const distinct = parseDistinct(p);
  const columns = parseColumns(p);
  const from: FromItem[] = [];
  if (takeWord(p, 'from')) {
    calm(p);
    parseFrom(p, from);
  }
  endClause(p);
  let where: Expr | undefined;
  if (takeWord(p, 'where')) {
    calm(p);
    where = parseExpr(p);
  }
  endClause(p);
  const refused = parseRefused(p);
  return {
    kind: 'select',
    ...(distinct && { distinct }),
    columns,
    from,
    ...(where && { where }),
    refused,
    span: spanFrom(p, start),
  };
}

function parseDistinct(p: Cursor): Span | undefined {
  if (takeWord(p, 'all')) return undefined;
  const distinct = takeWord(p, 'distinct');
  if (!distinct) return undefined;
  if (takeWord(p, 'on')) {
    if (expectSymbol(p, '(', 'opening parenthesis')) {
      parseList(p);
      expectSymbol(p, ')', 'closing parenthesis');
    }
  }
  return spanFrom(p, distinct.start);
}

const clauseWords: ReadonlySet<string> = new Set([
  'from',
  'where',
  'group',
  'having',
  'order',
  'limit',
  'offset',
  'fetch',
  'for',
  'union',
]);

function isClauseEnd(token: Token): boolean {
  if (token.kind === 'end') return true;
  if (token.kind === 'symbol') return token.text === ')' || token.text === ';';
  return token.kind === 'word' && clauseWords.has(token.text);
}

/** After a clause: complains about what does not belong to it and goes to the next one. */
function endClause(p: Cursor): void {
  if (isClauseEnd(p.token)) return;
  unexpected(p, 'end of clause');
  skipTo(p, isClauseEnd);
}

function parseColumns(p: Cursor): Column[] {
  const columns: Column[] = [];
  if (isClauseEnd(p.token)) return columns;
  do {
    calm(p);
    columns.push(parseColumn(p));
    if (!atSymbol(p, ',') && !isClauseEnd(p.token)) {
      unexpected(p, 'end of clause');
      skipTo(p, (token) => isSymbol(token, ',') || isClauseEnd(token));
    }
  } while (takeSymbol(p, ','));
  return columns;
}

function parseColumn(p: Cursor): Column {
  const start = p.token.start;
  const expr = parseExpr(p);
  if (takeWord(p, 'as')) {
    if (isName(p.token)) {
      const alias = nameOf(p, advance(p));
      return { expr, alias, span: spanFrom(p, start) };
    }
    unexpected(p, 'name');
  } else if (isName(p.token)) {
    const alias = nameOf(p, advance(p));
    return { expr, alias, span: spanFrom(p, start) };
  }
  return { expr, span: spanFrom(p, start) };
}

/** Expressions with commas between them, for clauses whose content nobody reads. */
function parseList(p: Cursor): Expr[] {
  const list: Expr[] = [];
  do {
    calm(p);
    list.push(parseExpr(p));
  } while (takeSymbol(p, ','));
  return list;
}

function parseRefused(p: Cursor): RefusedClause[] {
  const refused: RefusedClause[] = [];
  if (atWord(p, 'group')) {
    refused.push(parseClause(p, 'GROUP BY', parseGroupBy));
    endClause(p);
    if (atWord(p, 'having')) refused.push(parseClause(p, 'HAVING', parseOne));
    endClause(p);
  }
  if (atWord(p, 'order')) refused.push(parseClause(p, 'ORDER BY', parseOrderBy));
  while (true) {
    endClause(p);
    if (atWord(p, 'limit')) refused.push(parseClause(p, 'LIMIT', parseOne));
    else if (atWord(p, 'offset')) refused.push(parseClause(p, 'OFFSET', parseOffset));
    else if (atWord(p, 'fetch')) refused.push(parseClause(p, 'FETCH', parseFetch));
    else break;
  }
  if (atWord(p, 'for')) {
    refused.push(parseClause(p, 'FOR', parseFor));
    if (atWord(p, 'skip')) refused.push(parseClause(p, 'SKIP LOCKED', parseLock));
    else if (atWord(p, 'nowait')) refused.push(parseClause(p, 'NOWAIT', parseLock));
  }
  while (!isClauseEnd(p.token) || atClauseWord(p)) {
    if (atWord(p, 'union')) break;
    unexpected(p, 'end of statement');
    advance(p);
    skipTo(p, isClauseEnd);
  }
  return refused;
}

function atClauseWord(p: Cursor): boolean {
  return p.token.kind === 'word' && clauseWords.has(p.token.text);
}

/** Reads the first word of a clause and then its content, which gives the mark. */
function parseClause(
  p: Cursor,
  clause: RefusedClause['clause'],
  parseContent: (p: Cursor) => Span,
): RefusedClause {
  calm(p);
  const { start } = advance(p);
  const mark = parseContent(p);
  return { clause, span: spanFrom(p, start), mark };
}

function parseOne(p: Cursor): Span {
  return parseExpr(p).span;
}

function parseGroupBy(p: Cursor): Span {
  expectWord(p, 'by', 'by');
  const { start } = p.token;
  parseList(p);
  return spanFrom(p, start);
}

function parseOrderBy(p: Cursor): Span {
  expectWord(p, 'by', 'by');
  const { start } = p.token;
  do {
    calm(p);
    parseExpr(p);
    if (!takeWord(p, 'asc')) takeWord(p, 'desc');
    if (takeWord(p, 'nulls')) advance(p);
  } while (takeSymbol(p, ','));
  return spanFrom(p, start);
}

function parseOffset(p: Cursor): Span {
  const mark = parseOne(p);
  if (!takeWord(p, 'rows')) takeWord(p, 'row');
  return mark;
}

function parseFetch(p: Cursor): Span {
  if (!takeWord(p, 'first')) takeWord(p, 'next');
  const mark = parseOne(p);
  if (!takeWord(p, 'rows')) takeWord(p, 'row');
  takeWord(p, 'only');
  return mark;
}

function parseFor(p: Cursor): Span {
  const { start } = p.token;
  while (p.token.kind === 'word' && !isClauseEnd(p.token) && !atWord(p, 'skip') && !atWord(p, 'nowait')) {
    advance(p);
  }
  return spanFrom(p, start);
}

function parseLock(p: Cursor): Span {
  takeWord(p, 'locked');
  return spanFrom(p, peek(p, 0).start);
}
