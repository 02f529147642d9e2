/** Parses values: literals, columns, calls, lists, subqueries, CASE and CAST. */
import { cover } from '../../text/span.ts';
import type { Expr, List, Literal, LiteralValue, UnreadableSql } from '../ast.ts';
import type { Token } from '../token.ts';
import { callableWords, reservedWords, valueWords } from '../words.ts';
import { parseArguments, parseNamed, takeComma } from './calls.ts';
import {
  advance,
  atSymbol,
  atWord,
  type Cursor,
  calm,
  enter,
  expectClosing,
  expectSymbol,
  expectWord,
  isSymbol,
  leave,
  peek,
  reportUnexpected,
  spanFrom,
  spanOf,
  takeReservedName,
  takeSymbol,
  takeWord,
} from './cursor.ts';
import { parseExpr } from './expression.ts';
import { parseStatement, startsStatement } from './statement.ts';
import { isTypedLiteral, parseClosedType, parseTypedLiteral } from './types.ts';

export function parsePrimary(p: Cursor): Expr {
  const { token } = p;
  switch (token.kind) {
    case 'string':
    case 'integer':
    case 'real':
      return parseLiteral(p);
    case 'parameter':
      return { kind: 'parameter', text: token.text, span: spanOf(advance(p)) };
    case 'quoted':
      return parseNamed(p);
    case 'word':
      return parseWord(p, token);
    case 'symbol':
      if (token.text === '(') return parseParentheses(p);
      break;
    default:
  }
  reportUnexpected(p, 'value');
  return unreadable(p);
}

/** Returns an unreadable node without consuming a token. Its span is the empty place before the next token. */
export function unreadable(p: Cursor): UnreadableSql {
  return { kind: 'unreadable', span: { start: p.token.start, end: p.token.start } };
}

export function parseLiteral(p: Cursor): Literal {
  const token = advance(p);
  return { kind: 'literal', value: literalValue(token), span: spanOf(token) };
}

function literalValue(token: Token): LiteralValue {
  if (token.kind === 'string') return { type: 'text', value: token.text };
  if (token.kind === 'integer') return { type: 'integer', value: BigInt(token.text) };
  return { type: 'real', value: Number(token.text) };
}

function parseWord(p: Cursor, token: Token): Expr {
  if (!reservedWords.has(token.text)) return parseNamed(p);
  switch (token.text) {
    case 'true':
    case 'false':
      return wordLiteral(p, { type: 'boolean', value: token.text === 'true' });
    case 'null':
      return wordLiteral(p, { type: 'null' });
    case 'case':
      return parseCase(p);
    case 'cast':
      return parseCast(p);
    case 'array':
      return parseArray(p);
    case 'default':
      return { kind: 'keyword', word: token.text, span: spanOf(advance(p)) };
    case 'precision':
      return isSymbol(peek(p), '.') ? parseNamed(p) : parseTypedLiteral(p);
    default:
  }
  if (valueWords.has(token.text)) return parseValueWord(p, token);
  if (callableWords.has(token.text)) return parseCallableWord(p);
  reportUnexpected(p, 'value');
  takeReservedName(p, 'value');
  return { kind: 'unreadable', span: spanFrom(p, token.start) };
}

function wordLiteral(p: Cursor, value: LiteralValue): Literal {
  return { kind: 'literal', value, span: spanOf(advance(p)) };
}

function parseValueWord(p: Cursor, token: Token): Expr {
  if (isSymbol(peek(p), '(')) return parseNamed(p);
  if (token.text === 'current_schema' && (isSymbol(peek(p), '.') || isTypedLiteral(p))) return parseNamed(p);
  return { kind: 'keyword', word: token.text, span: spanOf(advance(p)) };
}

function parseCallableWord(p: Cursor): Expr {
  if (isSymbol(peek(p), '(')) return parseNamed(p);
  const { start } = advance(p);
  reportUnexpected(p, 'opening parenthesis');
  return { kind: 'unreadable', span: spanFrom(p, start) };
}

function parseParentheses(p: Cursor): Expr {
  const { start } = advance(p);
  if (startsStatement(p)) {
    const query = parseStatement(p);
    expectClosing(p);
    return { kind: 'subquery', query, span: query.span, outer: spanFrom(p, start) };
  }
  const items = atSymbol(p, ')') ? [] : parseArguments(p);
  const [first] = items;
  if (first === undefined) reportUnexpected(p, 'value in parentheses');
  else if (items.length === 1 && first.kind === 'star' && !first.table)
    reportUnexpected(p, 'more than a star');
  expectClosing(p);
  const outer = spanFrom(p, start);
  if (first === undefined) return { kind: 'unreadable', span: outer };
  if (items.length === 1) return { ...first, outer };
  const span = cover(first.outer ?? first.span, items.at(-1)?.outer ?? items.at(-1)?.span ?? first.span);
  return { kind: 'list', form: 'parentheses', items, span, outer };
}

/** Parses `ARRAY[…]` or `ARRAY(SELECT …)`. */
function parseArray(p: Cursor): Expr {
  const { start } = advance(p);
  if (atSymbol(p, '[')) return parseArrayItems(p, start);
  if (!takeSymbol(p, '(')) {
    reportUnexpected(p, 'opening bracket');
    return { kind: 'unreadable', span: spanFrom(p, start) };
  }
  const query = parseStatement(p);
  expectClosing(p);
  const subquery: Expr = { kind: 'subquery', query, span: query.span };
  return { kind: 'special', form: 'array', args: [subquery], span: spanFrom(p, start) };
}

/** Parses either values or, for more dimensions, nested lists in brackets. The two cannot be mixed. */
function parseArrayItems(p: Cursor, start: number): List {
  advance(p);
  const items = atSymbol(p, '[') ? parseInnerArrays(p) : parseArguments(p);
  expectSymbol(p, ']', 'closing bracket');
  return { kind: 'list', form: 'array', items, span: spanFrom(p, start) };
}

function parseInnerArrays(p: Cursor): List[] {
  const arrays: List[] = [];
  do {
    if (!atSymbol(p, '[')) reportUnexpected(p, 'opening bracket');
    else {
      if (enter(p)) arrays.push(parseArrayItems(p, p.token.start));
      leave(p);
    }
  } while (takeComma(p));
  return arrays;
}

function parseCast(p: Cursor): Expr {
  const { start } = advance(p);
  expectSymbol(p, '(', 'opening parenthesis');
  const operand = parseExpr(p);
  expectWord(p, 'as', 'as and type');
  const type = parseClosedType(p);
  expectClosing(p);
  return { kind: 'cast', operand, type, span: spanFrom(p, start) };
}

function parseCase(p: Cursor): Expr {
  const { start } = advance(p);
  const operand = atWord(p, 'when') || atWord(p, 'else') || atWord(p, 'end') ? undefined : parseExpr(p);
  const branches: { when: Expr; then: Expr }[] = [];
  while (takeWord(p, 'when')) {
    calm(p);
    const when = parseExpr(p);
    expectWord(p, 'then', 'result of WHEN');
    // biome-ignore lint/suspicious/noThenProperty: this is the word of the grammar, and a syntax tree is never awaited.
    branches.push({ when, then: parseExpr(p) });
  }
  const otherwise = takeWord(p, 'else') ? parseExpr(p) : undefined;
  expectWord(p, 'end', 'end of CASE');
  return { kind: 'case', operand, branches, otherwise, span: spanFrom(p, start) };
}
