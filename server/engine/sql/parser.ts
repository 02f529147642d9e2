/**
 * SQL text to syntax tree. Reads the dialect of the reference engine's parser, which is wider than what any
 * edition supports, and goes on after a mistake: each part that cannot be read is `unreadable`, the rest is there.
 */
import type { ParsedSql, Statement } from './ast.ts';
import {
  advance,
  atSymbol,
  type Cursor,
  calm,
  openCursor,
  skipTo,
  takeSymbol,
  unexpected,
} from './cursor.ts';
import { parseStatement } from './statement.ts';

export function parseSql(text: string): ParsedSql {
  const p = openCursor(text);
  const statements: Statement[] = [];
  while (takeSymbol(p, ';'));
  statements.push(...firstStatement(p));
  while (p.token.kind !== 'end') {
    if (takeSymbol(p, ';')) {
      calm(p);
      continue;
    }
    statements.push(parseStatement(p));
    endStatement(p);
  }
  return { text, statements, problems: p.problems };
}

function firstStatement(p: Cursor): Statement[] {
  if (p.token.kind === 'end') {
    unexpected(p, 'statement');
    return [];
  }
  const statement = parseStatement(p);
  endStatement(p);
  return [statement];
}

function endStatement(p: Cursor): void {
  while (p.token.kind !== 'end' && !atSymbol(p, ';')) {
    unexpected(p, 'end of statement');
    skipTo(p, () => false);
    if (atSymbol(p, ')') || atSymbol(p, ']')) advance(p);
  }
}
