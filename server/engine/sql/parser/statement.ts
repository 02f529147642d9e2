/** Parses SELECT up to WHERE, and UNION. Recognises and skips other statements. */
import { nearest } from '../../text/nearest.ts';
import type { Span } from '../../text/span.ts';
import type { Expr, FromItem, Select, SelectColumn, Statement } from '../ast.ts';
import type { Token } from '../token.ts';
import { isClauseEnd, parseRefused } from './clauses.ts';
import {
  advance,
  atSymbol,
  atWord,
  type Cursor,
  calm,
  enter,
  expectClosing,
  isName,
  isPlainWord,
  isSymbol,
  leave,
  peek,
  reportUnexpected,
  skipTo,
  spanFrom,
  spanOf,
  takeName,
  takeReservedName,
  takeSymbol,
  takeWord,
  unexpectedWord,
} from './cursor.ts';
import { parseCondition, parseItem, parseStarOrExpr } from './expression.ts';
import { isBehindMisspelt, parseFrom } from './from.ts';
import { parseOther } from './other.ts';

export function parseStatement(p: Cursor): Statement {
  const { start } = p.token;
  const statement = enter(p) ? parseUnion(p) : { kind: 'other' as const, what: '', span: spanFrom(p, start) };
  leave(p);
  return statement;
}

/** Whether a subquery can start here, after its parenthesis. */
export function startsStatement(p: Cursor, ahead = 0): boolean {
  const { kind, text } = peek(p, ahead);
  if (kind !== 'word') return false;
  return text === 'select' || text === 'with' || (text === 'values' && isSymbol(peek(p, ahead + 1), '('));
}

function parseUnion(p: Cursor): Statement {
  const { start } = p.token;
  const first = parseMember(p);
  if (!atWord(p, 'union')) return first;
  while (takeWord(p, 'union')) {
    calm(p);
    takeWord(p, 'all');
    parseMember(p);
  }
  return { kind: 'other', what: 'UNION', span: spanFrom(p, start) };
}

/** Parses one part of a UNION, or a statement without UNION. */
function parseMember(p: Cursor): Statement {
  if (atWord(p, 'select')) return parseSelect(p);
  if (atSymbol(p, '(')) return parseParenthesised(p);
  if (isPlainWord(p.token) && nearest(p.token.text, ['select'])) {
    unexpectedWord(p, 'statement');
    return parseSelect(p);
  }
  return parseOther(p);
}

/** Parses `(SELECT …) UNION …`. No other statement may start with a parenthesis. */
function parseParenthesised(p: Cursor): Statement {
  advance(p);
  const statement = parseStatement(p);
  expectClosing(p);
  if (!atWord(p, 'union')) reportUnexpected(p, 'union');
  return statement;
}

function parseSelect(p: Cursor): Select {
  const { start } = advance(p);
  const all = parseAll(p);
  const distinct = all ? undefined : parseDistinct(p);
  const columns = parseColumns(p);
  const from = parseFromClause(p);
  const where = parseWhereClause(p);
  const refused = parseRefused(p);
  return {
    kind: 'select',
    all,
    distinct,
    columns,
    from,
    where,
    refused,
    span: spanFrom(p, start),
  };
}

/** Parses ALL. `ALL (a)` may also be a call; `ALL ()` and `ALL (*)` cannot. */
function parseAll(p: Cursor): Span | undefined {
  if (!atWord(p, 'all')) return undefined;
  if (isSymbol(peek(p), '(')) {
    const isCall = isSymbol(peek(p, 2), ')') || (isSymbol(peek(p, 2), '*') && isSymbol(peek(p, 3), ')'));
    if (isCall) return undefined;
    p.ambiguous = p.at;
  }
  return spanOf(advance(p));
}

function parseDistinct(p: Cursor): Span | undefined {
  const distinct = takeWord(p, 'distinct');
  if (!distinct) return undefined;
  if (takeWord(p, 'on')) {
    if (takeSymbol(p, '(')) {
      do {
        calm(p);
        parseItem(p);
      } while (takeSymbol(p, ','));
      expectClosing(p);
    } else reportUnexpected(p, 'opening parenthesis');
  }
  return spanFrom(p, distinct.start);
}

function parseColumns(p: Cursor): SelectColumn[] {
  const columns: SelectColumn[] = [];
  if (isClauseEnd(p.token)) return columns;
  do {
    calm(p);
    columns.push(parseColumn(p));
    if (!isColumnEnd(p.token) && !isMisspelt(p, 'from')) {
      reportUnexpected(p, 'end of column');
      skipTo(p, isColumnEnd);
    }
  } while (takeSymbol(p, ','));
  return columns;
}

function isColumnEnd(token: Token): boolean {
  return isSymbol(token, ',') || isClauseEnd(token);
}

function parseColumn(p: Cursor): SelectColumn {
  const { start } = p.token;
  const expr = parseStarOrExpr(p);
  const as = takeWord(p, 'as');
  if (isName(p.token) && (as || !isMisspelt(p, 'from'))) {
    const alias = takeName(p);
    return { expr, alias, span: spanFrom(p, start) };
  }
  if (!as) p.exprEnd = p.at;
  else {
    reportUnexpected(p, 'alias');
    takeReservedName(p, 'alias');
  }
  return { expr, span: spanFrom(p, start) };
}

/**
 * Whether a word is a misspelt keyword, as in `FRM boats`: it is similar to the keyword and is followed by a name that could not
 * follow an alias.
 */
function isMisspelt(p: Cursor, clause: 'from'): boolean {
  return isPlainWord(p.token) && isName(peek(p)) && nearest(p.token.text, [clause]) !== undefined;
}

function parseFromClause(p: Cursor): FromItem[] {
  if (!atWord(p, 'from')) {
    if (!isMisspelt(p, 'from')) return [];
    reportUnexpected(p, 'end of column');
  }
  advance(p);
  calm(p);
  return parseFrom(p);
}

function parseWhereClause(p: Cursor): Expr | undefined {
  if (!takeWord(p, 'where') && !isBehindMisspelt(p, 'where')) return undefined;
  calm(p);
  const where = parseCondition(p, isClauseEnd);
  return where;
}
