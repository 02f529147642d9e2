/** Parses statements other than SELECT, so that they can be rejected by name. */
import type { OtherStatement } from '../ast.ts';
import { parseArguments } from './calls.ts';
import {
  advance,
  type Cursor,
  calm,
  expectClosing,
  expectSymbol,
  expectWord,
  isName,
  isPlainWord,
  isWord,
  peek,
  reportUnexpected,
  skipTo,
  skipToClosing,
  spanFrom,
  takeSymbol,
  unexpectedWord,
} from './cursor.ts';
import { parseNames } from './from.ts';
import { parseStatement } from './statement.ts';

const known: ReadonlySet<string> = new Set(
  `alter begin comment commit create deallocate delete do drop execute explain grant insert prepare raise refresh
  reset revoke rollback set show start truncate update`.split(/\s+/),
);

export function parseOther(p: Cursor): OtherStatement {
  const { start, kind, text } = p.token;
  if (isWord(p.token, 'values')) parseValues(p);
  else if (isWord(p.token, 'with')) parseWith(p);
  else {
    if (kind === 'word' && known.has(text)) advance(p);
    else unexpectedWord(p, 'statement');
    skipUnread(p);
  }
  return { kind: 'other', what: kind === 'word' ? text.toUpperCase() : '', span: spanFrom(p, start) };
}

/** Skips tokens. Mistakes in them do not matter, except for characters that cannot form a token. */
function skipUnread(p: Cursor): void {
  skipTo(p, (token) => token.kind === 'unknown');
  if (p.token.kind === 'unknown') reportUnexpected(p, 'end of statement');
  skipToClosing(p);
}

/** Parses `VALUES (1, 2), (3, 4)`. */
function parseValues(p: Cursor): void {
  advance(p);
  do {
    calm(p);
    expectSymbol(p, '(', 'opening parenthesis');
    parseArguments(p);
    expectClosing(p);
  } while (takeSymbol(p, ','));
}

/** Parses `WITH a AS (SELECT …), b AS (SELECT …) SELECT …` and `WITH RECURSIVE a(b, c) AS (SELECT …) SELECT …`. */
function parseWith(p: Cursor): void {
  advance(p);
  do {
    calm(p);
    const isRecursive = isWord(p.token, 'recursive') && isPlainWord(peek(p));
    if (isRecursive) advance(p);
    if (isName(p.token)) advance(p);
    else reportUnexpected(p, 'name');
    if (isRecursive) {
      expectSymbol(p, '(', 'opening parenthesis');
      parseNames(p);
      expectClosing(p);
    }
    expectWord(p, 'as', 'as and subquery');
    expectSymbol(p, '(', 'opening parenthesis');
    if (p.confused) skipUnread(p);
    else parseStatement(p);
    expectClosing(p);
  } while (takeSymbol(p, ','));
  if (p.confused) skipUnread(p);
  else parseStatement(p);
}
