/** A file of SQL as `psql` and the tools for migrations read it: statements, rows of `COPY`, commands of `psql`. */
import type { Span } from '../text/span.ts';
import { isKeyword, isSign } from './cursor.ts';
import { type DdlToken, nextDdlToken } from './lexer.ts';

/** One step of a script. */
export type ScriptStep =
  /** The span ends before the semicolon. */
  | (Span & { readonly kind: 'statement'; readonly tokens: readonly DdlToken[] })
  /** `COPY … FROM stdin`, with the span of the lines after it. */
  | (Span & { readonly kind: 'rows'; readonly rows: Span })
  /** A command of `psql`, such as `\connect`: its name is without the backslash. */
  | (Span & { readonly kind: 'command'; readonly name: string; readonly argument: string });

/** Tokens kept of a statement that only moves rows: there may be millions, and nobody reads them. */
const tokensOfRows = 64;

/** Lazily and in reading order. Of a migration only the way forward is read. */
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
  /** The end of its last token, whether that was kept or not. */
  end: number;
  /** `BEGIN ATOMIC … END` of a function, and `CASE … END` in it. */
  blocks: number;
  /** Counted only in `CREATE RULE`: elsewhere a semicolon within is a mistake that must not cost the rest. */
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
  // `GO` of SQL Server, after what can end a statement.
  const before = tokens.at(-1);
  return isKeyword(token, 'go') && (before === undefined || isSign(before, ')'));
}

const endOfRows = /^\\\.[ \t]*\r?$/gm;

function takesRows(tokens: readonly DdlToken[]): boolean {
  const at = tokens.findIndex((token) => isKeyword(token, 'from'));
  return isKeyword(tokens[0], 'copy') && isKeyword(tokens[at + 1], 'stdin');
}

/** Returns the rows without the mark at their end, or all of the remaining text if the mark is missing. */
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

/** Comments of dbmate, goose, sql-migrate and node-pg-migrate. */
const directions =
  /^[ \t]*--[ \t]*(?:migrate:|\+goose[ \t]+|\+migrate[ \t]+)?(up|down)(?:[ \t]+migration)?\b[^\n]*$/gim;
const isDirection = /--[ \t]*(?:migrate:|\+goose|\+migrate)|(?:up|down)[ \t]+migration/i;

/** Blanks in place of what a migration does to be undone keep the places of all else. */
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
