/** Parses expressions with operators by precedence climbing over a single table of levels. */
import type { Span } from '../../text/span.ts';
import type { Expr } from '../ast.ts';
import type { Token } from '../token.ts';
import { callableWords, valueWords } from '../words.ts';
import {
  advance,
  atWord,
  type Cursor,
  calm,
  enter,
  expectClosing,
  expectSymbol,
  expectWord,
  isHopeless,
  isName,
  isPlainWord,
  isSymbol,
  isWord,
  leave,
  peek,
  reportUnexpected,
  skipTo,
  spanFrom,
  spanOf,
  takeWord,
} from './cursor.ts';
import { parseLiteral, parsePrimary, unreadable } from './primary.ts';
import { parseStatement, startsStatement } from './statement.ts';
import { parseType } from './types.ts';

/** The levels from loosest to tightest. Binary operators of the same level are left-associative. */
const level = {
  or: 1,
  and: 2,
  not: 3,
  equality: 4,
  is: 5,
  comparison: 6,
  between: 7,
  bits: 8,
  like: 9,
  in: 10,
  sum: 11,
  product: 12,
  power: 13,
  sign: 14,
  timeZone: 15,
  index: 16,
  member: 17,
} as const;

const symbolLevels: ReadonlyMap<string, number> = new Map([
  ...levelOf('= != <>', level.equality),
  ...levelOf('< > <= >= @> <@ ? ?| ?& ~ !~ ~* !~* << >> #>> &&', level.comparison),
  ...levelOf('| & #', level.bits),
  ...levelOf('~~ !~~ ~~* !~~*', level.like),
  ...levelOf('+ - || #-', level.sum),
  ...levelOf('* / %', level.product),
  ...levelOf('^', level.power),
  ...levelOf('[', level.index),
  ...levelOf('-> ->> ::', level.member),
]);

function levelOf(symbols: string, symbolLevel: number): [string, number][] {
  return symbols.split(' ').map((symbol) => [symbol, symbolLevel]);
}

export function parseExpr(p: Cursor): Expr {
  return parseLevel(p, level.or);
}

/** Parses an expression, or `*` on its own. */
export function parseStarOrExpr(p: Cursor): Expr {
  if (!isSymbol(p.token, '*')) return parseExpr(p);
  return { kind: 'star', span: spanOf(advance(p)) };
}

/** Parses an item of a list: an expression, `*`, or a subquery without its own parentheses. */
export function parseItem(p: Cursor): Expr {
  if (!startsStatement(p) || isWord(p.token, 'values')) return parseStarOrExpr(p);
  const query = parseStatement(p);
  return { kind: 'subquery', query, span: query.span };
}

/** Parses an entire condition. Skips an unreadable part up to the next AND or OR, and continues there. */
export function parseCondition(p: Cursor, isEnd: (token: Token) => boolean): Expr {
  let condition = parseStarOrExpr(p);
  while (!isEnd(p.token)) {
    reportUnexpected(p, 'end of condition');
    if (isHopeless(p)) skipTo(p, isEnd);
    skipTo(p, (token) => isEnd(token) || isWord(token, 'and') || isWord(token, 'or'));
    if (!atWord(p, 'and') && !atWord(p, 'or')) break;
    condition = parseOperators(p, condition, level.or);
  }
  return condition;
}

/** Parses an expression whose outermost operator binds at least as tightly as the given level. */
function parseLevel(p: Cursor, lowest: number): Expr {
  const expr = enter(p) ? parseOperators(p, parsePrefix(p, lowest), lowest) : unreadable(p);
  leave(p);
  return expr;
}

function parseOperators(p: Cursor, first: Expr, lowest: number): Expr {
  let left = first;
  let highest: number = levelBehind(first);
  while (true) {
    const found = operatorLevel(p);
    if (found < lowest || found > highest) {
      p.exprEnd = p.at;
      if (found > highest && atWord(p, 'operator')) takeNamedOperator(p, highest);
      return left;
    }
    left = found <= level.and ? parseChain(p, left, found) : parseOperator(p, left, found);
    highest = found;
  }
}

/**
 * Returns the highest level of operators that may follow an expression. After a prefix operator, they cannot bind more tightly than
 * it, because they would be part of its operand.
 */
function levelBehind(expr: Expr): number {
  if (expr.kind !== 'unary' || expr.outer) return level.member;
  return expr.op === 'NOT' ? level.not : level.sign;
}

/** Returns 0 if the next token is not an operator. */
function operatorLevel(p: Cursor): number {
  const { kind, text } = p.token;
  if (kind === 'symbol') return symbolLevels.get(text) ?? 0;
  if (kind !== 'word') return 0;
  switch (text) {
    case 'or':
      return level.or;
    case 'and':
      return level.and;
    case 'is':
    case 'isnull':
    case 'notnull':
      return level.is;
    case 'between':
      return startsValue(peek(p)) ? level.between : 0;
    case 'like':
    case 'ilike':
      return level.like;
    case 'in':
      return level.in;
    case 'not':
      return negatedLevel(p);
    case 'at':
      return isPlainWord(peek(p)) ? level.timeZone : 0;
    case 'operator':
      return namedOperatorLevel(p);
    default:
      return 0;
  }
}

function negatedLevel(p: Cursor): number {
  switch (peek(p).text) {
    case 'in':
      return level.in;
    case 'like':
    case 'ilike':
      return level.like;
    default:
      return level.between;
  }
}

/** Returns the level of `OPERATOR(schema.+)`, which binds like `+`. */
function namedOperatorLevel(p: Cursor): number {
  if (!isSymbol(peek(p), '(')) return 0;
  return symbolLevels.get(peek(p, 4).text) ?? level.comparison;
}

/** Whether a value starts here. `between` may also be a name, but it is the operator if a value follows. */
export function startsValue(token: Token): boolean {
  switch (token.kind) {
    case 'symbol':
      return token.text === '(' || token.text === '+' || token.text === '-';
    case 'word':
      return isName(token) || valueWords.has(token.text) || otherValueStarts.has(token.text);
    case 'end':
    case 'unknown':
      return false;
    default:
      return true;
  }
}

const otherValueStarts: ReadonlySet<string> = new Set([
  ...callableWords,
  ...'array case cast default false null precision true'.split(' '),
]);

/**
 * The maximum length of a left-deep chain. Longer chains of AND and OR become balanced trees, so that recursion depth does not
 * depend on their length.
 */
const longestLeftDeep = 64;

/** Parses `a AND b AND c`, which is left-deep while it is short. */
function parseChain(p: Cursor, first: Expr, found: number): Expr {
  const word = found === level.and ? 'and' : 'or';
  const op = word.toUpperCase();
  const operands = [first];
  const opSpans: Span[] = [];
  while (atWord(p, word)) {
    calm(p);
    opSpans.push(spanOf(advance(p)));
    operands.push(parseLevel(p, found + 1));
  }
  if (operands.length > longestLeftDeep) return balance(op, operands, opSpans, 0, operands.length);
  return operands.reduce((left, right, i) => binary(op, opSpans[i - 1] as Span, left, right));
}

function balance(
  op: string,
  operands: readonly Expr[],
  opSpans: readonly Span[],
  from: number,
  to: number,
): Expr {
  if (to - from === 1) return operands[from] as Expr;
  const middle = Math.ceil((from + to) / 2);
  const left = balance(op, operands, opSpans, from, middle);
  const right = balance(op, operands, opSpans, middle, to);
  return binary(op, opSpans[middle - 1] as Span, left, right);
}

function binary(op: string, opSpan: Span, left: Expr, right: Expr): Expr {
  return { kind: 'binary', op, opSpan, left, right, span: between(left, right) };
}

/** Returns the span from the first operand to the second, including their parentheses. */
function between(left: Expr, right: Expr): Span {
  const { start } = whole(left);
  return { start, end: Math.max(start, whole(right).end) };
}

function whole(expr: Expr): Span {
  return expr.outer ?? expr.span;
}

function parseOperator(p: Cursor, left: Expr, found: number): Expr {
  const { text } = p.token;
  switch (text) {
    case 'is':
    case 'isnull':
    case 'notnull':
      return parseIs(p, left);
    case 'between':
      return parseBetween(p, left, false);
    case 'in':
      return parseIn(p, left, p.token.start, false);
    case 'not':
      return parseNegated(p, left);
    case 'at':
      return parseAtTimeZone(p, left);
    case 'operator':
      return parseNamedOperator(p, left, found);
    case '::':
      return parseCastSuffix(p, left);
    case '[':
      return parseIndex(p, left);
    case '->':
    case '->>':
      return parseMember(p, left, text);
    default:
      return parseBinary(p, left, text.toUpperCase(), spanOf(advance(p)), found);
  }
}

function parseBinary(p: Cursor, left: Expr, op: string, opSpan: Span, found: number): Expr {
  return binary(op, opSpan, left, parseLevel(p, found + 1));
}

function parseIs(p: Cursor, operand: Expr): Expr {
  const word = advance(p).text;
  const negated = word === 'notnull' || (word === 'is' && takeWord(p, 'not') !== undefined);
  const test = word === 'is' ? parseTest(p) : 'null';
  return { kind: 'is', negated, test, operand, span: spanFrom(p, whole(operand).start) };
}

function parseTest(p: Cursor): 'null' | 'true' | 'false' {
  if (takeWord(p, 'true')) return 'true';
  if (takeWord(p, 'false')) return 'false';
  if (!takeWord(p, 'null')) reportUnexpected(p, 'test');
  return 'null';
}

function parseBetween(p: Cursor, operand: Expr, isNegated: boolean): Expr {
  advance(p);
  const low = parseLevel(p, level.between + 1);
  expectWord(p, 'and', 'upper bound');
  const high = p.confused ? unreadable(p) : parseLevel(p, level.between + 1);
  return { kind: 'between', negated: isNegated, operand, low, high, span: between(operand, high) };
}

function parseIn(p: Cursor, left: Expr, opStart: number, isNegated: boolean): Expr {
  advance(p);
  const opSpan = spanFrom(p, opStart);
  const right = parseLevel(p, level.in + 1);
  return { kind: 'in', negated: isNegated, opSpan, left, right, span: between(left, right) };
}

/** Parses NOT IN, NOT BETWEEN, NOT LIKE and NOT ILIKE. */
function parseNegated(p: Cursor, left: Expr): Expr {
  const { start } = advance(p);
  const { text } = p.token;
  if (isWord(p.token, 'in')) return parseIn(p, left, start, true);
  if (isWord(p.token, 'like') || isWord(p.token, 'ilike')) {
    advance(p);
    return parseBinary(p, left, `NOT ${text.toUpperCase()}`, spanFrom(p, start), level.like);
  }
  if (isWord(p.token, 'between')) return parseBetween(p, left, true);
  expectWord(p, 'between', 'negated operator');
  return { kind: 'unreadable', span: spanFrom(p, whole(left).start) };
}

function parseAtTimeZone(p: Cursor, left: Expr): Expr {
  const { start } = advance(p);
  expectWord(p, 'time', 'time zone');
  expectWord(p, 'zone', 'time zone');
  return parseBinary(p, left, 'AT TIME ZONE', spanFrom(p, start), level.timeZone);
}

function parseNamedOperator(p: Cursor, left: Expr, found: number): Expr {
  const named = takeNamedOperator(p, found);
  return parseBinary(p, left, named.op, named.span, found);
}

/** Parses `OPERATOR(schema.+)`. An operator that binds more tightly than `highest` is not allowed here. */
function takeNamedOperator(p: Cursor, highest: number): { op: string; span: Span } {
  const { start } = advance(p);
  expectSymbol(p, '(', 'opening parenthesis');
  if (isName(p.token)) {
    advance(p);
    expectSymbol(p, '.', 'operator with schema');
  } else reportUnexpected(p, 'operator with schema');
  const op = p.token.text;
  const found = p.token.kind === 'symbol' ? (symbolLevels.get(op) ?? 0) : 0;
  if (found > 0 && found <= highest && found !== level.like && found < level.index) advance(p);
  else reportUnexpected(p, 'operator');
  expectClosing(p);
  return { op, span: spanFrom(p, start) };
}

function parseCastSuffix(p: Cursor, operand: Expr): Expr {
  advance(p);
  const type = parseType(p);
  return { kind: 'cast', operand, type, span: spanFrom(p, whole(operand).start) };
}

function parseIndex(p: Cursor, operand: Expr): Expr {
  advance(p);
  const index = parseExpr(p);
  expectSymbol(p, ']', 'closing bracket');
  return { kind: 'index', operand, index, span: spanFrom(p, whole(operand).start) };
}

function parseMember(p: Cursor, operand: Expr, op: '->' | '->>'): Expr {
  advance(p);
  const { start } = whole(operand);
  if (p.token.kind !== 'string' && p.token.kind !== 'integer') {
    reportUnexpected(p, 'key');
    return { kind: 'unreadable', span: spanFrom(p, start) };
  }
  const key = parseLiteral(p);
  return { kind: 'member', op, operand, key, span: { start, end: key.span.end } };
}

function parsePrefix(p: Cursor, lowest: number): Expr {
  const { kind, text } = p.token;
  if (kind === 'symbol' && (text === '-' || text === '+') && lowest <= level.sign) {
    return parseUnary(p, text, level.sign);
  }
  if (kind === 'word') {
    if (text === 'not' && lowest <= level.not) return parseUnary(p, 'NOT', level.not);
    if (text === 'operator' && isSymbol(peek(p, 3), '.') && isSymbol(peek(p), '(')) {
      return parseNamedSign(p, lowest);
    }
  }
  return parsePrimary(p);
}

function parseUnary(p: Cursor, op: 'NOT' | '+' | '-', operandLevel: number): Expr {
  const { start } = advance(p);
  const operand = parseLevel(p, operandLevel);
  return { kind: 'unary', op, operand, span: { start, end: Math.max(start, whole(operand).end) } };
}

/** Parses `OPERATOR(schema.-) x`. */
function parseNamedSign(p: Cursor, lowest: number): Expr {
  const sign = peek(p, 4);
  const isSign = lowest <= level.sign && sign.kind === 'symbol' && (sign.text === '-' || sign.text === '+');
  if (!isSign) return parsePrimary(p);
  const { span } = takeNamedOperator(p, level.sum);
  const operand = parseLevel(p, level.sign);
  return {
    kind: 'unary',
    op: sign.text === '-' ? '-' : '+',
    operand,
    span: { start: span.start, end: Math.max(span.end, whole(operand).end) },
  };
}
