/** Reads an SQL file as `psql` and migration tools do: statements, the rows of `COPY`, and commands of `psql`. */
import type { Span } from '../text/span.ts';
import { isKeyword, isSign } from './cursor.ts';
import { type DdlToken, nextDdlToken } from './lexer.ts';

/** One step of a script. */
export type ScriptStep =
  /** A statement. Its span ends before the semicolon. */
  | (Span & { readonly kind: 'statement'; readonly tokens: readonly DdlToken[] })
  /** A `COPY … FROM stdin` statement, with the span of the lines after it. */
  | (Span & { readonly kind: 'rows'; readonly rows: Span })
  /** A command of `psql`, such as `\connect`. Its name is without the backslash. */
  | (Span & { readonly kind: 'command'; readonly name: string; readonly argument: string });

/** The maximum number of tokens to keep for a statement that only moves rows. It may have millions, and they are not used. */
const tokensOfRows = 64;

/** Returns the steps lazily, in reading order. Only the up migration is read. */
export function* readScript(text: string): Generator<ScriptStep, void> {
  const forward = withoutWayBack(text);
  let open: OpenStatement = { tokens: [], end: 0, blocks: 0, parentheses: 0 };
  const closeBlock = (): ScriptStep[] => {
    const { tokens, end } = open;
    open = { tokens: [], end: 0, blocks: 0, parentheses: 0 };
    return tokens[0] ? [{ kind: 'statement', tokens, start: tokens[0].start, end }] : [];
  };
  let at = 0;
  for (let token = nextDdlToken(forward, at); token; token = nextDdlToken(forward, at)) {
    at = token.end;
    if (isSign(token, '\\')) {
      yield* closeBlock();
      at = endOfLine(forward, token.start);
      yield commandIn(forward, { start: token.start, end: at });
    } else if (isEnd(token, open)) {
      const rows = takesRows(open.tokens) ? rowsAfter(forward, at) : undefined;
      for (const step of closeBlock())
        yield rows ? { kind: 'rows', rows, start: step.start, end: step.end } : step;
      if (rows) at = endOfLine(forward, rows.end);
    } else add(open, token);
  }
  yield* closeBlock();
}

interface OpenStatement {
  readonly tokens: DdlToken[];
  /** The end of the last token, even if that token was not kept. */
  end: number;
  /** The number of open blocks: `BEGIN ATOMIC … END` of a function, and `CASE … END` inside it. */
  blocks: number;
  /**
   * The number of open parentheses, counted only in `CREATE RULE`. In other statements, a semicolon inside parentheses is a mistake
   * that must not hide the rest of the file.
   */
  parentheses: number;
}

function add(open: OpenStatement, token: DdlToken): void {
  const { tokens } = open;
  open.end = token.end;
  const isBody = isKeyword(tokens[0], 'create') && tokens.slice(1, 4).some(isRoutine);
  if (isBody && isKeyword(token, 'atomic') && isKeyword(tokens.at(-1), 'begin')) open.blocks = 1;
  else if (open.blocks > 0 && isKeyword(token, 'case')) open.blocks += 1;
  else if (open.blocks > 0 && isKeyword(token, 'end')) open.blocks -= 1;
  if (isKeyword(tokens[0], 'create') && tokens.slice(1, 4).some((each) => isKeyword(each, 'rule'))) {
    if (isSign(token, '(')) open.parentheses += 1;
    if (isSign(token, ')')) open.parentheses -= 1;
  }
  if (tokens.length < tokensOfRows || !movesRows(tokens[0])) tokens.push(token);
}

function isRoutine(token: DdlToken): boolean {
  return isKeyword(token, 'function') || isKeyword(token, 'procedure');
}

function movesRows(token: DdlToken | undefined): boolean {
  return token?.kind === 'word' && /^(insert|update|delete|select|with|merge|values)$/.test(token.text);
}

function isEnd(token: DdlToken, { tokens, blocks, parentheses }: OpenStatement): boolean {
  if (isSign(token, ';')) return blocks <= 0 && parentheses <= 0;
  // SQL Server's `GO` counts after a token that can end a statement.
  const before = tokens.at(-1);
  return isKeyword(token, 'go') && (before === undefined || isSign(before, ')'));
}

const endOfRows = /^\\\.[ \t]*\r?$/gm;

function takesRows(tokens: readonly DdlToken[]): boolean {
  const at = tokens.findIndex((token) => isKeyword(token, 'from'));
  return isKeyword(tokens[0], 'copy') && isKeyword(tokens[at + 1], 'stdin');
}

/** Returns the rows without the end marker, or all remaining text if the marker is missing. */
function rowsAfter(text: string, offset: number): Span {
  const start = Math.min(endOfLine(text, offset) + 1, text.length);
  endOfRows.lastIndex = start;
  return { start, end: endOfRows.exec(text)?.index ?? text.length };
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end;
}

function commandIn(text: string, span: Span): ScriptStep {
  const [, name = '', argument = ''] = /^\\(\w*)(.*)/.exec(text.slice(span.start, span.end)) ?? [];
  return { kind: 'command', name, argument: argument.trim(), ...span };
}

/** Comments that mark the direction of a migration in dbmate, goose, sql-migrate and node-pg-migrate. */
const directions =
  /^[ \t]*--[ \t]*(?:migrate:|\+goose[ \t]+|\+migrate[ \t]+)?(up|down)(?:[ \t]+migration)?\b[^\n]*$/gim;
const isDirection = /--[ \t]*(?:migrate:|\+goose|\+migrate)|(?:up|down)[ \t]+migration/i;

/** Replaces the down migration with blanks, so that all other text keeps its place. */
function withoutWayBack(text: string): string {
  let way: 'up' | 'down' = 'up';
  let from = 0;
  let forward = '';
  const take = (end: number): void => {
    const part = text.slice(from, end);
    forward += way === 'up' ? part : part.replace(/[^\n]/g, ' ');
    from = end;
  };
  for (const mark of text.matchAll(directions)) {
    if (!isDirection.test(mark[0])) continue;
    take(mark.index);
    way = mark[1]?.toLowerCase() === 'down' ? 'down' : 'up';
  }
  take(text.length);
  return forward;
}
