/** Parses the FROM clause: tables, table functions, subqueries and their joins. */
import { nearest } from '../../text/nearest.ts';
import type { Span } from '../../text/span.ts';
import type { Alias, Expr, FromItem, FromSource, JoinKind, Name } from '../ast.ts';
import type { Token } from '../token.ts';
import { callableWords, nameKeywords, valueWords } from '../words.ts';
import { parseArguments } from './calls.ts';
import { isClauseEnd } from './clauses.ts';
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
  isName,
  isPlainWord,
  isSymbol,
  isWord,
  leave,
  peek,
  reportUnexpected,
  skipTo,
  spanFrom,
  takeName,
  takeReservedName,
  takeSymbol,
  takeWord,
} from './cursor.ts';
import { parseCondition } from './expression.ts';
import { parseStatement, startsStatement } from './statement.ts';

/** Returns all items in one flat list, in reading order. */
export function parseFrom(p: Cursor): FromItem[] {
  const items: FromItem[] = [];
  do {
    calm(p);
    parseJoins(p, items);
    if (!atSymbol(p, ',') && !isClauseEnd(p.token)) {
      reportUnexpected(p, 'end of FROM');
      if (isBehindMisspelt(p, 'where')) return items;
      skipTo(p, (token) => isSymbol(token, ',') || isClauseEnd(token));
    }
  } while (takeSymbol(p, ','));
  return items;
}

/** Whether a misspelt keyword was read as an alias, as in `FROM t WEHRE a = 1`. */
export function isBehindMisspelt(p: Cursor, clause: 'where'): boolean {
  if (!p.confused || isClauseEnd(p.token)) return false;
  return isPlainWord(peek(p, -1)) && nearest(peek(p, -1).text, [clause]) !== undefined;
}

/** Parses a source and its joins. Returns whether there are joins. */
function parseJoins(p: Cursor, items: FromItem[]): boolean {
  let joined = false;
  if (atSymbol(p, '(') && !startsStatement(p, 1)) joined = parseParenthesised(p, items);
  else {
    const source = parseSource(p);
    if (source) items.push({ source });
    else skipTo(p, isSourceEnd);
  }
  while (parseJoin(p, items)) joined = true;
  return joined;
}

/** Parses parentheses, which may contain joins but not a single table. */
function parseParenthesised(p: Cursor, items: FromItem[]): boolean {
  advance(p);
  const joined = enter(p) && parseJoins(p, items);
  leave(p);
  if (!joined) reportUnexpected(p, 'join');
  else if (!atSymbol(p, ')')) reportUnexpected(p, 'closing parenthesis');
  skipTo(p, isSourceEnd);
  takeSymbol(p, ')');
  return joined;
}

const joinWords: ReadonlySet<string> = new Set(['join', 'inner', 'left', 'right', 'full', 'cross']);

function isSourceEnd(token: Token): boolean {
  return (token.kind === 'word' && joinWords.has(token.text)) || isSymbol(token, ',') || isClauseEnd(token);
}

function parseJoin(p: Cursor, items: FromItem[]): boolean {
  const { start } = p.token;
  const kind = parseJoinKind(p);
  if (!kind) return false;
  calm(p);
  const source = parseSource(p);
  if (!source) skipTo(p, (token) => isWord(token, 'on') || isSourceEnd(token));
  const condition = parseJoinCondition(p);
  if (source) items.push({ source, join: { kind, span: spanFrom(p, start), ...condition } });
  return true;
}

function parseJoinKind(p: Cursor): JoinKind | undefined {
  if (takeWord(p, 'join')) return 'INNER';
  for (const kind of ['INNER', 'LEFT', 'RIGHT', 'FULL', 'CROSS'] as const) {
    if (!takeWord(p, kind.toLowerCase())) continue;
    if (kind !== 'INNER' && kind !== 'CROSS') takeWord(p, 'outer');
    expectWord(p, 'join', 'join');
    return kind;
  }
  return undefined;
}

function parseJoinCondition(p: Cursor): { on?: Expr; using?: Span } {
  if (takeWord(p, 'on')) {
    calm(p);
    return { on: parseCondition(p, isSourceEnd) };
  }
  return atWord(p, 'using') ? { using: parseUsing(p) } : {};
}

function parseUsing(p: Cursor): Span {
  const { start } = advance(p);
  expectSymbol(p, '(', 'opening parenthesis');
  parseNames(p);
  expectClosing(p);
  return spanFrom(p, start);
}

export function parseNames(p: Cursor): Name[] {
  const names: Name[] = [];
  do {
    if (isName(p.token)) names.push(takeName(p));
    else reportUnexpected(p, 'name');
    if (!atSymbol(p, ',') && !atSymbol(p, ')')) {
      reportUnexpected(p, 'end of list');
      skipTo(p, (token) => isSymbol(token, ',') || isClauseEnd(token));
    }
  } while (takeSymbol(p, ','));
  return names;
}

function parseSource(p: Cursor): FromSource | undefined {
  const { token } = p;
  if (isSymbol(token, '(')) return parseSubquery(p);
  if (isName(token)) return parseNamedSource(p);
  if (token.kind === 'word') {
    const isCall = isSymbol(peek(p), '(') && (callableWords.has(token.text) || valueWords.has(token.text));
    if (isCall) return parseNamedSource(p);
    if (token.text === 'precision' || token.text === 'current_schema') return parseTable(p, undefined);
    if (callableWords.has(token.text) || valueWords.has(token.text)) {
      advance(p);
      reportUnexpected(p, 'table, not value');
      return undefined;
    }
  }
  reportUnexpected(p, 'table');
  takeReservedName(p, 'table');
  return undefined;
}

function parseSubquery(p: Cursor): FromSource {
  const { start } = advance(p);
  const query = parseStatement(p);
  expectClosing(p);
  const alias = parseAlias(p);
  if (!alias) reportUnexpected(p, 'alias of a subquery');
  return { kind: 'subquery', query, alias, span: spanFrom(p, start) };
}

function parseNamedSource(p: Cursor): FromSource | undefined {
  if (!isSymbol(peek(p), '.'))
    return isSymbol(peek(p), '(') ? parseFunction(p, undefined) : parseTable(p, undefined);
  const schema = takeName(p);
  advance(p);
  const { token } = p;
  if ((token.kind !== 'word' && token.kind !== 'quoted') || isWord(token, 'precision')) {
    reportUnexpected(p, 'table of a schema');
    return undefined;
  }
  const isCall = isSymbol(peek(p), '(') && (isName(token) || valueWords.has(token.text));
  if (!isCall && nameKeywords.has(token.text) && token.kind === 'word') {
    advance(p);
    reportUnexpected(p, 'opening parenthesis');
    return undefined;
  }
  return isCall ? parseFunction(p, schema) : parseTable(p, schema);
}

function parseTable(p: Cursor, schema: Name | undefined): FromSource {
  const name = takeName(p);
  const { start } = schema?.span ?? name.span;
  const nameSpan = spanFrom(p, start);
  const alias = parseAlias(p);
  return {
    kind: 'table',
    schema,
    name,
    nameSpan,
    alias,
    span: spanFrom(p, start),
  };
}

function parseFunction(p: Cursor, schema: Name | undefined): FromSource {
  const name = takeName(p);
  const { start } = schema?.span ?? name.span;
  const nameSpan = spanFrom(p, start);
  advance(p);
  const args = parseArguments(p);
  expectClosing(p);
  const callSpan = spanFrom(p, start);
  if (takeWord(p, 'with')) expectWord(p, 'ordinality', 'ordinality');
  const alias = parseAlias(p);
  return {
    kind: 'function',
    schema,
    name,
    nameSpan,
    args,
    alias,
    span: spanFrom(p, start),
    callSpan,
  };
}

function parseAlias(p: Cursor): Alias | undefined {
  const as = takeWord(p, 'as') !== undefined;
  if (!isName(p.token)) {
    if (as) {
      reportUnexpected(p, 'alias');
      takeReservedName(p, 'alias');
    }
    return undefined;
  }
  const name = takeName(p);
  if (!takeSymbol(p, '(')) return { name, as };
  const columns = parseNames(p);
  expectClosing(p);
  return { name, as, columns };
}
