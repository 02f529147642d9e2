/**
 * Parses an SQL text to a syntax tree. It accepts the dialect of the reference engine's parser, which is larger than that of any
 * edition. It continues after a mistake: each unreadable part is `unreadable`, and the rest of the tree is complete. No expression
 * of the result is nested more deeply than {@link highest}, so later stages may recurse over it.
 */
import type { ParsedSql, Statement } from '../ast.ts';
import {
  advance,
  atSymbol,
  type Cursor,
  calm,
  openCursor,
  reportProblem,
  reportUnexpected,
  skipToClosing,
  wholeText,
} from './cursor.ts';
import { tallExpression } from './height.ts';
import { tooTall, unreadableComment } from './problems.ts';
import { parseStatement } from './statement.ts';

/** The maximum height of a tree. A tree of this height has at least as many tokens, so shorter texts need no check. */
const highest = 500;

export function parseSql(text: string): ParsedSql {
  const p = openCursor(text);
  const statements = parseStatements(p);
  if (p.ambiguous >= 0 && p.problems.length === 0) reportProblem(p, p.ambiguous, 'no ALL');
  complainOfComment(p);
  if (p.tokens.length > highest) {
    const tall = tallExpression(statements, highest);
    if (tall)
      return { text, statements: [], problems: [...p.problems, { span: tall.span, problem: tooTall }] };
  }
  return { text, statements, problems: p.problems };
}

/** Reports an unreadable comment. The reference stops there unless it has stopped earlier. */
function complainOfComment(p: Cursor): void {
  if (!p.comment || (p.problems.length > 0 && p.firstWrong < p.comment.at)) return;
  p.problems.unshift({ span: wholeText(p), problem: unreadableComment });
}

function parseStatements(p: Cursor): Statement[] {
  const statements: Statement[] = [];
  while (true) {
    while (atSymbol(p, ';')) advance(p);
    if (p.token.kind === 'end') {
      if (statements.length === 0) reportUnexpected(p, 'statement');
      return statements;
    }
    calm(p);
    statements.push(parseStatement(p));
    endStatement(p);
  }
}

function endStatement(p: Cursor): void {
  while (p.token.kind !== 'end' && !atSymbol(p, ';')) {
    if (atSymbol(p, ')') && p.unclosed > 0) {
      p.unclosed--;
      p.confused = true;
    }
    reportUnexpected(p, 'end of statement');
    skipToClosing(p);
    if (atSymbol(p, ')') || atSymbol(p, ']')) advance(p);
  }
}
