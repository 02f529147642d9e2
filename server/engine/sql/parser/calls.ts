/** Parses expressions that start with a name: columns, calls and typed literals. */
import type { Span } from '../../text/span.ts';
import type { Expr, FunctionCall, List, Name, Special, UnreadableSql } from '../ast.ts';
import type { Token } from '../token.ts';
import { reservedWords, valueWords } from '../words.ts';
import { isClauseEnd, parseOrdering } from './clauses.ts';
import {
  advance,
  atSymbol,
  atWord,
  type Cursor,
  calm,
  expectClosing,
  expectWord,
  isName,
  isSymbol,
  isWord,
  peek,
  reportUnexpected,
  skipTo,
  spanFrom,
  spanOf,
  takeName,
  takeSymbol,
  takeWord,
  unexpectedBehind,
} from './cursor.ts';
import { parseExpr, parseItem, parseStarOrExpr } from './expression.ts';
import { endsName } from './situation.ts';
import { isTypedLiteral, parseTypedLiteral } from './types.ts';

/** Parses an expression that starts with a name: a column, `t.*`, a call, or a typed literal such as `date '2024-01-01'`. */
export function parseNamed(p: Cursor): Expr {
  const next = peek(p);
  const isAlone = next.kind === 'symbol' && next.text !== '.' && next.text !== '(' && next.text !== '[';
  if (isAlone) {
    const column = takeName(p);
    return { kind: 'reference', column, span: column.span };
  }
  if (isTypedLiteral(p)) return parseTypedLiteral(p);
  if (isReservedColumn(p)) return parseReservedColumn(p);
  const first = takeName(p);
  if (!atSymbol(p, '.')) {
    if (atSymbol(p, '(')) return parseCall(p, undefined, first);
    return { kind: 'reference', column: first, span: first.span };
  }
  return parseQualified(p, first);
}

/**
 * Whether a reserved word after a dot, such as in `t.order`, was used as a column. It may be a type, a function or a table, but not
 * a column.
 */
function isReservedColumn(p: Cursor): boolean {
  if (!isSymbol(peek(p), '.') || isWord(p.token, 'precision')) return false;
  const { kind, text } = peek(p, 2);
  if (kind !== 'word' || !reservedWords.has(text) || text === 'precision') return false;
  return !isSymbol(peek(p, 3), '.') && !(valueWords.has(text) && isSymbol(peek(p, 3), '('));
}

/** Consumes the word only if it was intended as a column. In `SELECT t. FROM t`, FROM begins the next clause. */
function parseReservedColumn(p: Cursor): Expr {
  const situation = {
    text: p.text,
    tokens: p.tokens,
    wrong: p.at + 2,
    expecting: 'column of a table',
  } as const;
  if (endsName(situation) || isSymbol(peek(p, 3), '(') || isSymbol(peek(p, 3), '['))
    return parseTypedLiteral(p);
  const table = takeName(p);
  advance(p);
  unexpectedBehind(p, 'column of a table');
  return { kind: 'unreadable', names: [table], span: spanFrom(p, table.span.start) };
}

function parseQualified(p: Cursor, first: Name): Expr {
  const { start } = first.span;
  advance(p);
  if (takeSymbol(p, '*')) return { kind: 'star', table: first, span: spanFrom(p, start) };
  const isWordBeforeDot = p.token.kind === 'word' && p.token.text !== 'precision' && isSymbol(peek(p), '.');
  const isSchema = first.quoted || !reservedWords.has(first.text);
  const isCall = isSchema && isSymbol(peek(p), '(') && (isName(p.token) || valueWords.has(p.token.text));
  if (!isName(p.token) && !isWordBeforeDot && !isCall) return unreadableColumn(p, first);
  const second = takeName(p);
  if (isCall) return parseCall(p, first, second);
  if (!takeSymbol(p, '.'))
    return { kind: 'reference', table: first, column: second, span: spanFrom(p, start) };
  if (takeSymbol(p, '*')) return { kind: 'star', schema: first, table: second, span: spanFrom(p, start) };
  if (!isName(p.token)) return unreadableColumn(p, first, second);
  const column = takeName(p);
  return { kind: 'reference', schema: first, table: second, column, span: spanFrom(p, start) };
}

function unreadableColumn(p: Cursor, ...names: readonly [Name, ...Name[]]): UnreadableSql {
  reportUnexpected(p, 'column of a table');
  return { kind: 'unreadable', names, span: spanFrom(p, names[0].span.start) };
}

function parseCall(p: Cursor, schema: Name | undefined, name: Name): FunctionCall | List | Special {
  const start = (schema ?? name).span.start;
  const nameSpan = spanFrom(p, start);
  const modifiers: FunctionCall['modifiers'][number][] = [];
  advance(p);
  const quantifier = takeWord(p, 'distinct') ?? takeAll(p);
  if (quantifier) modifiers.push({ word: quantifier.text.toUpperCase(), span: spanOf(quantifier) });
  const args = parseArguments(p);
  if (!schema && args.length === 1 && modifiers.length === 0) {
    const special = parseSpecial(p, name, args[0] as Expr);
    if (special) return special;
  }
  if (atWord(p, 'order')) modifiers.push(parseOrderModifier(p));
  expectClosing(p);
  if (isModifier(p, 'filter')) modifiers.push(parseFilter(p));
  if (isModifier(p, 'over')) modifiers.push(parseOver(p));
  const span = spanFrom(p, start);
  const isRow = name.text === 'row' && !name.quoted && !schema && modifiers.length === 0;
  if (isRow) return { kind: 'list', form: 'row', items: args, span };
  return { kind: 'call', schema, name, nameSpan, args, modifiers, span };
}

/** Parses calls with words between their arguments, such as `extract(year FROM x)`. The first argument has been parsed. */
function parseSpecial(p: Cursor, name: Name, first: Expr): Special | undefined {
  const { start } = name.span;
  const args = [first];
  if (first.kind === 'star' && !first.table) return undefined;
  if (name.text === 'substring' && (atWord(p, 'from') || atWord(p, 'for'))) {
    if (takeWord(p, 'from')) args.push(parseExpr(p));
    if (takeWord(p, 'for')) args.push(parseExpr(p));
    return endSpecial(p, 'substring', args, start);
  }
  if (name.text === 'overlay' && takeWord(p, 'placing')) {
    args.push(parseExpr(p));
    expectWord(p, 'from', 'from and start');
    args.push(parseExpr(p));
    if (takeWord(p, 'for')) args.push(parseExpr(p));
    return endSpecial(p, 'overlay', args, start);
  }
  if (name.text === 'extract' && first.kind === 'reference' && !first.table && takeWord(p, 'from')) {
    args.push(parseStarOrExpr(p));
    return endSpecial(p, 'extract', args, start);
  }
  return undefined;
}

function endSpecial(p: Cursor, form: Special['form'], args: Expr[], start: number): Special {
  expectClosing(p);
  return { kind: 'special', form, args, span: spanFrom(p, start) };
}

/** Consumes ALL as in `count(ALL x)`, unless it is a function. */
function takeAll(p: Cursor): Token | undefined {
  return isSymbol(peek(p), '(') ? undefined : takeWord(p, 'all');
}

function parseOrderModifier(p: Cursor): { word: string; span: Span } {
  const { start } = advance(p);
  expectWord(p, 'by', 'by');
  parseOrdering(p);
  return { word: 'ORDER BY', span: spanFrom(p, start) };
}

function isModifier(p: Cursor, word: string): boolean {
  return atWord(p, word) && isSymbol(peek(p), '(');
}

function parseFilter(p: Cursor): { word: string; span: Span } {
  const { start } = advance(p);
  advance(p);
  expectWord(p, 'where', 'where');
  parseStarOrExpr(p);
  expectClosing(p);
  return { word: 'FILTER', span: spanFrom(p, start) };
}

function parseOver(p: Cursor): { word: string; span: Span } {
  const { start } = advance(p);
  advance(p);
  p.exprEnd = p.at;
  if (takeWord(p, 'partition')) {
    expectWord(p, 'by', 'by');
    do parseItem(p);
    while (takeComma(p));
  }
  if (takeWord(p, 'order')) {
    expectWord(p, 'by', 'by');
    parseOrdering(p);
  }
  expectClosing(p);
  return { word: 'OVER', span: spanFrom(p, start) };
}

/** Parses the arguments between the brackets of a call or list, without the closing bracket. */
export function parseArguments(p: Cursor): Expr[] {
  const items: Expr[] = [];
  if (atSymbol(p, ')') || atSymbol(p, ']') || atWord(p, 'order')) return items;
  do {
    items.push(parseItem(p));
    if (!isItemEnd(p.token)) {
      reportUnexpected(p, 'end of list');
      skipTo(p, isItemEnd);
    }
  } while (takeComma(p));
  return items;
}

/** Whether an item of the list ends here. It may also end at `placing`, as in `overlay(a PLACING b …)`. */
function isItemEnd(token: Token): boolean {
  return isSymbol(token, ',') || isClauseEnd(token) || isWord(token, 'placing');
}

export function takeComma(p: Cursor): boolean {
  if (!takeSymbol(p, ',')) return false;
  calm(p);
  return true;
}
