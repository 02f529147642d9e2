/** Expressions: precedence climbing over the table of levels. */
import { cover, type Span } from '../span.ts';
import type { Case, Expr, Literal, Name, Value } from './ast.ts';
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
import type { Token } from './lexer.ts';
import { parseStatement, startsStatement } from './statement.ts';
import { parseType, parseTypedLiteral } from './types.ts';
import { valueWords } from './words.ts';

/** From loosest to tightest. Operators of one level are left-associative. */
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

const binaryLevels: ReadonlyMap<string, number> = new Map<string, number>([
  ['=', level.equality],
  ['!=', level.equality],
  ['<>', level.equality],
  ...'< > <= >= @> <@ ? ?| ?& ~ !~ ~* !~* << >> #>> #> &&'
    .split(' ')
    .map((op) => [op, level.comparison] as const),
  ...'| & #'.split(' ').map((op) => [op, level.bits] as const),
  ...'~~ !~~ ~~* !~~*'.split(' ').map((op) => [op, level.like] as const),
  ...'+ - || #-'.split(' ').map((op) => [op, level.sum] as const),
  ...'* / %'.split(' ').map((op) => [op, level.product] as const),
  ['^', level.power],
]);

export function parseExpr(p: Cursor): Expr {
  return parseLevel(p, level.or);
}

/** An expression whose outermost operator binds at least as tight as the given level. */
function parseLevel(p: Cursor, lowest: number): Expr {
  let left = parsePrefix(p, lowest);
  let highest: number = level.member;
  while (true) {
    const token = p.token;
    const found = operatorLevel(p, token);
    if (found < lowest || found > highest) return left;
    left = parseOperator(p, left, token, found);
    highest = found;
  }
}

/** 0 when the token is no operator. */
function operatorLevel(p: Cursor, token: Token): number {
  if (token.kind === 'symbol') {
    const found = binaryLevels.get(token.text);
    if (found !== undefined) return found;
    if (token.text === '[') return level.index;
    return token.text === '->' || token.text === '->>' || token.text === '::' ? level.member : 0;
  }
  if (token.kind !== 'word') return 0;
  switch (token.text) {
    case 'or':
      return level.or;
    case 'and':
      return level.and;
    case 'is':
    case 'isnull':
    case 'notnull':
      return level.is;
    case 'between':
      return startsOperand(peek(p)) ? level.between : 0;
    case 'like':
    case 'ilike':
      return level.like;
    case 'in':
      return level.in;
    case 'not':
      return negatableLevel(peek(p));
    case 'at':
      return isWord(peek(p), 'time') ? level.timeZone : 0;
    case 'operator':
      return isSymbol(peek(p), '(') ? level.comparison : 0;
    default:
      return 0;
  }
}

function negatableLevel(token: Token): number {
  if (token.kind !== 'word') return 0;
  if (token.text === 'in') return level.in;
  if (token.text === 'like' || token.text === 'ilike') return level.like;
  return token.text === 'between' ? level.between : 0;
}

/** `between` may also be a name; it is an operator when a value follows. */
function startsOperand(token: Token): boolean {
  if (token.kind === 'symbol') return token.text === '(' || token.text === '+' || token.text === '-';
  if (token.kind === 'end' || token.kind === 'unknown') return false;
  return token.kind !== 'word' || isName(token) || startingWords.has(token.text);
}

const startingWords: ReadonlySet<string> = new Set([
  ...valueWords,
  'all',
  'any',
  'array',
  'case',
  'cast',
  'false',
  'not',
  'null',
  'some',
  'true',
]);

function parseOperator(p: Cursor, left: Expr, token: Token, found: number): Expr {
  if (token.kind === 'symbol') return parseSymbolOperator(p, left, token, found);
  switch (token.text) {
    case 'is':
    case 'isnull':
    case 'notnull':
      return parseIs(p, left);
    case 'between':
      return parseBetween(p, left, false);
    case 'in':
      return parseIn(p, left, false);
    case 'not':
      return parseNegated(p, left);
    case 'at':
      return parseAtTimeZone(p, left);
    case 'operator':
      return parseNamedOperator(p, left);
    default:
      calm(p);
      return parseBinary(p, left, token.text.toUpperCase(), advance(p), found);
  }
}

function parseSymbolOperator(p: Cursor, left: Expr, token: Token, found: number): Expr {
  if (token.text === '::') return parseCastSuffix(p, left);
  if (token.text === '[') return parseIndex(p, left);
  if (token.text === '->' || token.text === '->>') return parseMember(p, left, token.text);
  return parseBinary(p, left, token.text, advance(p), found);
}

function parseBinary(p: Cursor, left: Expr, op: string, opSpan: Span, found: number): Expr {
  const right = parseLevel(p, found + 1);
  return {
    kind: 'binary',
    op,
    opSpan: { start: opSpan.start, end: opSpan.end },
    left,
    right,
    span: { start: whole(left).start, end: whole(right).end },
  };
}

/** With its parentheses. */
function whole(expr: Expr): Span {
  return expr.outer ?? expr.span;
}

function parseNegated(p: Cursor, left: Expr): Expr {
  const not = advance(p);
  if (atWord(p, 'in')) return parseIn(p, left, true, not);
  if (atWord(p, 'between')) return parseBetween(p, left, true);
  const word = advance(p);
  return parseBinary(p, left, `NOT ${word.text.toUpperCase()}`, cover(not, word), level.like);
}

function parseIn(p: Cursor, left: Expr, negated: boolean, not?: Token): Expr {
  const word = advance(p);
  const right = parseLevel(p, level.in + 1);
  return {
    kind: 'in',
    negated,
    opSpan: { start: (not ?? word).start, end: word.end },
    left,
    right,
    span: { start: whole(left).start, end: whole(right).end },
  };
}

function parseBetween(p: Cursor, operand: Expr, negated: boolean): Expr {
  advance(p);
  const low = parseLevel(p, level.between + 1);
  if (!takeWord(p, 'and')) {
    unexpected(p, 'and');
    return {
      kind: 'between',
      negated,
      operand,
      low,
      high: unreadable(p),
      span: spanFrom(p, whole(operand).start),
    };
  }
  const high = parseLevel(p, level.between + 1);
  return { kind: 'between', negated, operand, low, high, span: cover(whole(operand), whole(high)) };
}

function parseIs(p: Cursor, operand: Expr): Expr {
  const word = advance(p);
  let negated = word.text === 'notnull';
  let test: 'null' | 'true' | 'false' = 'null';
  if (word.text === 'is') {
    negated = takeWord(p, 'not') !== undefined;
    if (takeWord(p, 'true')) test = 'true';
    else if (takeWord(p, 'false')) test = 'false';
    else if (!takeWord(p, 'null')) unexpected(p, 'is test');
  }
  return { kind: 'is', negated, test, operand, span: spanFrom(p, whole(operand).start) };
}

function parseAtTimeZone(p: Cursor, left: Expr): Expr {
  const word = advance(p);
  advance(p);
  expectWord(p, 'zone', 'operator');
  return parseBinary(p, left, 'AT TIME ZONE', spanFrom(p, word.start), level.timeZone);
}

function parseNamedOperator(p: Cursor, left: Expr): Expr {
  const word = advance(p);
  advance(p);
  if (isName(p.token) && isSymbol(peek(p), '.')) {
    advance(p);
    advance(p);
  }
  const op = p.token;
  if (op.kind === 'symbol' && binaryLevels.has(op.text)) advance(p);
  else unexpected(p, 'operator');
  expectSymbol(p, ')', 'closing parenthesis');
  return parseBinary(p, left, op.text, spanFrom(p, word.start), level.comparison);
}

function parseCastSuffix(p: Cursor, operand: Expr): Expr {
  advance(p);
  const type = parseType(p);
  return { kind: 'cast', operand, type, span: spanFrom(p, whole(operand).start) };
}

function parseIndex(p: Cursor, operand: Expr): Expr {
  advance(p);
  const index = parseNested(p);
  expectSymbol(p, ']', 'closing bracket');
  return { kind: 'index', operand, index, span: spanFrom(p, whole(operand).start) };
}

function parseMember(p: Cursor, operand: Expr, op: '->' | '->>'): Expr {
  advance(p);
  if (p.token.kind !== 'string' && p.token.kind !== 'integer') {
    unexpected(p, 'key');
    return { kind: 'unreadable', span: spanFrom(p, whole(operand).start) };
  }
  const key = parseLiteral(p);
  return { kind: 'member', op, operand, key, span: spanFrom(p, whole(operand).start) };
}

function parsePrefix(p: Cursor, lowest: number): Expr {
  const token = p.token;
  if (token.kind === 'symbol') {
    if ((token.text === '-' || token.text === '+') && lowest <= level.sign) {
      return parseUnary(p, token.text, level.sign);
    }
  } else if (isWord(token, 'not') && lowest <= level.not) return parseUnary(p, 'NOT', level.not);
  return parsePrimary(p);
}

function parseUnary(p: Cursor, op: 'NOT' | '+' | '-', operandLevel: number): Expr {
  const { start } = advance(p);
  const operand = enter(p) ? parseLevel(p, operandLevel) : unreadable(p);
  leave(p);
  return { kind: 'unary', op, operand, span: { start, end: Math.max(start, whole(operand).end) } };
}

function parsePrimary(p: Cursor): Expr {
  const token = p.token;
  switch (token.kind) {
    case 'string':
    case 'integer':
    case 'real':
      return parseLiteral(p);
    case 'parameter':
      advance(p);
      return { kind: 'parameter', text: token.text, span: { start: token.start, end: token.end } };
    case 'quoted':
      return parseReference(p);
    case 'word':
      return parseWord(p, token);
    case 'symbol':
      if (token.text === '(') return parseParentheses(p);
      if (token.text === '*') {
        advance(p);
        return { kind: 'star', span: { start: token.start, end: token.end } };
      }
      break;
    default:
  }
  unexpected(p, 'value');
  return unreadable(p);
}

/** Nothing is taken; the span is the empty place before the next token. */
function unreadable(p: Cursor): Expr {
  return { kind: 'unreadable', span: { start: p.token.start, end: p.token.start } };
}

function parseLiteral(p: Cursor): Literal {
  const token = advance(p);
  return { kind: 'literal', value: literalValue(token), span: { start: token.start, end: token.end } };
}

function literalValue(token: Token): Value {
  if (token.kind === 'string') return { type: 'text', value: token.text };
  if (token.kind === 'integer') return { type: 'integer', value: BigInt(token.text) };
  return { type: 'real', value: Number(token.text) };
}

function keywordLiteral(p: Cursor, value: Value): Literal {
  const token = advance(p);
  return { kind: 'literal', value, span: { start: token.start, end: token.end } };
}

function parseWord(p: Cursor, token: Token): Expr {
  switch (token.text) {
    case 'true':
      return keywordLiteral(p, { type: 'boolean', value: true });
    case 'false':
      return keywordLiteral(p, { type: 'boolean', value: false });
    case 'null':
      return keywordLiteral(p, { type: 'null' });
    case 'case':
      return parseCase(p);
    case 'cast':
      return parseCast(p);
    case 'array':
      if (isSymbol(peek(p), '[')) return parseArray(p);
      break;
    case 'row':
      if (isSymbol(peek(p), '(')) return parseRow(p);
      break;
    default:
  }
  if (isSymbol(peek(p), '(') && (isName(token) || callableWords.has(token.text))) return parseReference(p);
  if (valueWords.has(token.text)) {
    advance(p);
    return { kind: 'keyword', word: token.text, span: { start: token.start, end: token.end } };
  }
  if (isName(token)) return parseTypedLiteral(p) ?? parseReference(p);
  unexpected(p, 'value');
  return unreadable(p);
}

const callableWords: ReadonlySet<string> = new Set(['any', 'some', 'all', 'array', 'precision']);

/** A column, `t.*`, or a call. */
function parseReference(p: Cursor): Expr {
  const { start } = p.token;
  const names: Name[] = [nameOf(p, advance(p))];
  while (names.length < 3 && atSymbol(p, '.')) {
    advance(p);
    if (takeSymbol(p, '*')) {
      const table = names.at(-1) as Name;
      const schema = names.at(-2);
      return { kind: 'star', ...(schema && { schema }), table, span: spanFrom(p, start) };
    }
    if (!isName(p.token)) {
      unexpected(p, 'name');
      return { kind: 'unreadable', span: spanFrom(p, start) };
    }
    names.push(nameOf(p, advance(p)));
  }
  const last = names.at(-1) as Name;
  const before = names.at(-2);
  if (names.length < 3 && atSymbol(p, '(')) return parseCall(p, last, before, start);
  const schema = names.at(-3);
  return {
    kind: 'reference',
    ...(schema && { schema }),
    ...(before && { table: before }),
    column: last,
    span: spanFrom(p, start),
  };
}

function parseCall(p: Cursor, name: Name, schema: Name | undefined, start: number): Expr {
  const nameSpan = spanFrom(p, start);
  const modifiers: { word: string; span: Span }[] = [];
  advance(p);
  const distinct = takeWord(p, 'distinct');
  if (distinct) modifiers.push({ word: 'DISTINCT', span: { start: distinct.start, end: distinct.end } });
  else takeWord(p, 'all');
  const args = parseArguments(p);
  if (atWord(p, 'order')) modifiers.push(parseModifier(p, 'ORDER BY'));
  expectSymbol(p, ')', 'closing parenthesis');
  if (atWord(p, 'filter') && isSymbol(peek(p), '(')) modifiers.push(parseParenthesisedModifier(p, 'FILTER'));
  if (atWord(p, 'over') && isSymbol(peek(p), '(')) modifiers.push(parseParenthesisedModifier(p, 'OVER'));
  return {
    kind: 'call',
    ...(schema && { schema }),
    name,
    nameSpan,
    args,
    modifiers,
    span: spanFrom(p, start),
  };
}

function parseModifier(p: Cursor, word: string): { word: string; span: Span } {
  const { start } = advance(p);
  skipTo(p, () => false);
  return { word, span: spanFrom(p, start) };
}

function parseParenthesisedModifier(p: Cursor, word: string): { word: string; span: Span } {
  const { start } = advance(p);
  advance(p);
  skipTo(p, () => false);
  expectSymbol(p, ')', 'closing parenthesis');
  return { word, span: spanFrom(p, start) };
}

/** What stands between the parentheses of a call. Does not take the closing one. */
export function parseArguments(p: Cursor): Expr[] {
  const args: Expr[] = [];
  if (atSymbol(p, ')')) return args;
  do {
    args.push(parseNested(p));
    if (!atSymbol(p, ',') && !atSymbol(p, ')') && !atSymbol(p, ']') && !atWord(p, 'order')) {
      unexpected(p, 'closing parenthesis');
      skipTo(p, (token) => isSymbol(token, ',') || isClause(token));
    }
  } while (takeComma(p));
  return args;
}

function isClause(token: Token): boolean {
  return token.kind === 'word' && (token.text === 'from' || token.text === 'where');
}

function takeComma(p: Cursor): boolean {
  if (!takeSymbol(p, ',')) return false;
  calm(p);
  return true;
}

/** An expression one level deeper. */
function parseNested(p: Cursor): Expr {
  const expr = enter(p) ? parseExpr(p) : unreadable(p);
  leave(p);
  return expr;
}

function parseParentheses(p: Cursor): Expr {
  const { start } = advance(p);
  if (startsStatement(p.token)) {
    const query = parseStatement(p);
    expectSymbol(p, ')', 'closing parenthesis');
    return { kind: 'subquery', query, span: query.span, outer: spanFrom(p, start) };
  }
  const items: Expr[] = [parseNested(p)];
  while (takeComma(p)) items.push(parseNested(p));
  const last = items.at(-1) as Expr;
  expectSymbol(p, ')', 'closing parenthesis');
  const outer = spanFrom(p, start);
  const first = items[0] as Expr;
  if (items.length === 1) return { ...first, outer };
  return { kind: 'list', form: 'parentheses', items, span: cover(whole(first), whole(last)), outer };
}

function parseArray(p: Cursor): Expr {
  const { start } = advance(p);
  advance(p);
  const items = atSymbol(p, ']') ? [] : parseArguments(p);
  expectSymbol(p, ']', 'closing bracket');
  return { kind: 'list', form: 'array', items, span: spanFrom(p, start) };
}

function parseRow(p: Cursor): Expr {
  const { start } = advance(p);
  advance(p);
  const items = parseArguments(p);
  expectSymbol(p, ')', 'closing parenthesis');
  return { kind: 'list', form: 'row', items, span: spanFrom(p, start) };
}

function parseCast(p: Cursor): Expr {
  const { start } = advance(p);
  expectSymbol(p, '(', 'opening parenthesis');
  const operand = parseNested(p);
  expectWord(p, 'as', 'as');
  const type = parseType(p);
  expectSymbol(p, ')', 'closing parenthesis');
  return { kind: 'cast', operand, type, span: spanFrom(p, start) };
}

function parseCase(p: Cursor): Expr {
  const { start } = advance(p);
  const branches: { when: Expr; then: Expr }[] = [];
  const operand = atWord(p, 'when') || atWord(p, 'end') || atWord(p, 'else') ? undefined : parseNested(p);
  while (takeWord(p, 'when')) {
    calm(p);
    const when = parseNested(p);
    expectWord(p, 'then', 'then and its value');
    // biome-ignore lint/suspicious/noThenProperty: the word of the grammar; a syntax tree is never awaited.
    branches.push({ when, then: parseNested(p) });
  }
  const otherwise = takeWord(p, 'else') ? parseNested(p) : undefined;
  expectWord(p, 'end', 'when');
  const result: Case = {
    kind: 'case',
    ...(operand && { operand }),
    branches,
    ...(otherwise && { otherwise }),
    span: spanFrom(p, start),
  };
  return result;
}
