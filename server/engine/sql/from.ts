/** The FROM clause: tables, table functions, subqueries and their joins. */
import type { Alias, Expr, FromItem, JoinKind, Name, Source } from './ast.ts';
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
  leave,
  nameOf,
  peek,
  skipTo,
  spanFrom,
  takeSymbol,
  takeWord,
  unexpected,
} from './cursor.ts';
import { parseArguments, parseExpr } from './expression.ts';
import { parseStatement, startsStatement } from './statement.ts';

/** Reads the items of a FROM clause into one flat list. */
export function parseFrom(p: Cursor, into: FromItem[]): void {
  do {
    calm(p);
    parseJoins(p, into);
  } while (takeSymbol(p, ','));
}

function parseJoins(p: Cursor, into: FromItem[]): void {
  if (atSymbol(p, '(') && !startsStatement(peek(p))) parseParenthesised(p, into);
  else pushSource(p, into);
  while (true) {
    const { start } = p.token;
    const kind = parseJoinKind(p);
    if (!kind) return;
    calm(p);
    const source = parseSource(p);
    if (!source) continue;
    let on: Expr | undefined;
    let using: { start: number; end: number } | undefined;
    if (takeWord(p, 'on')) {
      calm(p);
      on = parseExpr(p);
    } else if (atWord(p, 'using')) {
      using = parseUsing(p);
    }
    into.push({
      source,
      join: { kind, span: spanFrom(p, start), ...(on && { on }), ...(using && { using }) },
    });
  }
}

function parseParenthesised(p: Cursor, into: FromItem[]): void {
  advance(p);
  if (enter(p)) parseJoins(p, into);
  leave(p);
  expectSymbol(p, ')', 'closing parenthesis');
}

function pushSource(p: Cursor, into: FromItem[]): void {
  const source = parseSource(p);
  if (source) into.push({ source });
}

function parseJoinKind(p: Cursor): JoinKind | undefined {
  if (takeWord(p, 'join')) return 'INNER';
  if (takeWord(p, 'inner')) return expectJoin(p, 'INNER');
  if (takeWord(p, 'cross')) return expectJoin(p, 'CROSS');
  for (const kind of ['LEFT', 'RIGHT', 'FULL'] as const) {
    if (takeWord(p, kind.toLowerCase())) {
      takeWord(p, 'outer');
      return expectJoin(p, kind);
    }
  }
  return undefined;
}

function expectJoin(p: Cursor, kind: JoinKind): JoinKind {
  expectWord(p, 'join', 'join');
  return kind;
}

function parseUsing(p: Cursor): { start: number; end: number } {
  const { start } = advance(p);
  if (expectSymbol(p, '(', 'opening parenthesis')) {
    skipTo(p, () => false);
    expectSymbol(p, ')', 'closing parenthesis');
  }
  return spanFrom(p, start);
}

function parseSource(p: Cursor): Source | undefined {
  const { start } = p.token;
  if (atSymbol(p, '(')) {
    advance(p);
    const query = parseStatement(p);
    expectSymbol(p, ')', 'closing parenthesis');
    const alias = parseAlias(p);
    if (!alias) unexpected(p, 'alias');
    return { kind: 'subquery', query, ...(alias && { alias }), span: spanFrom(p, start) };
  }
  if (!isName(p.token)) {
    unexpected(p, 'table');
    return undefined;
  }
  let schema: Name | undefined;
  let name = nameOf(p, advance(p));
  if (atSymbol(p, '.')) {
    const next = peek(p);
    if (next.kind === 'word' || next.kind === 'quoted') {
      advance(p);
      schema = name;
      name = nameOf(p, advance(p));
    } else {
      advance(p);
      unexpected(p, 'table');
    }
  }
  const nameSpan = spanFrom(p, start);
  if (takeSymbol(p, '(')) {
    const args = parseArguments(p);
    expectSymbol(p, ')', 'closing parenthesis');
    const callSpan = spanFrom(p, start);
    if (atWord(p, 'with') && peek(p).text === 'ordinality') {
      advance(p);
      advance(p);
    }
    const alias = parseAlias(p);
    return {
      kind: 'function',
      ...(schema && { schema }),
      name,
      nameSpan,
      args,
      ...(alias && { alias }),
      span: spanFrom(p, start),
      callSpan,
    };
  }
  const alias = parseAlias(p);
  return {
    kind: 'table',
    ...(schema && { schema }),
    name,
    nameSpan,
    ...(alias && { alias }),
    span: spanFrom(p, start),
  };
}

function parseAlias(p: Cursor): Alias | undefined {
  const as = takeWord(p, 'as') !== undefined;
  if (!isName(p.token)) {
    if (as) unexpected(p, 'name');
    return undefined;
  }
  const name = nameOf(p, advance(p));
  if (!atSymbol(p, '(')) return { name, as };
  advance(p);
  const columns: Name[] = [];
  do {
    if (isName(p.token)) columns.push(nameOf(p, advance(p)));
    else {
      unexpected(p, 'name');
      skipTo(p, (token) => isSymbol(token, ','));
    }
  } while (takeSymbol(p, ','));
  expectSymbol(p, ')', 'closing parenthesis');
  return { name, as, columns };
}
