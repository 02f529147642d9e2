/**
 * Classifies each word of the SQL in a config for syntax colouring. The grammar in `syntaxes/` colours words immediately, by their
 * form. This module also distinguishes tables, columns and aliases.
 */
import { append } from '../engine/ground/append.ts';
import type { Analysis } from '../engine/index.ts';
import type { SqlText } from '../engine/model/definition.ts';
import type { SymbolKind } from '../engine/names/symbols.ts';
import type { Expr, Statement } from '../engine/sql/ast.ts';
import { tokenize } from '../engine/sql/lexer.ts';
import type { Token as SqlToken } from '../engine/sql/token.ts';
import { children, expressionsOf } from '../engine/sql/walk.ts';
import { reservedWords } from '../engine/sql/words.ts';
import { type Span, shift } from '../engine/text/span.ts';
import { innerConfigOf } from './reading/inner.ts';
import { mentionsIn, type PlacedMention } from './reading/mentions.ts';
import { type PlacedText, sqlTextsOf } from './reading/sqlTexts.ts';

/** The token types. Their index is their number in the protocol. */
export const tokenTypes = [
  'keyword',
  'namespace',
  'class',
  'interface',
  'variable',
  'property',
  'parameter',
  'function',
  'type',
  'string',
  'number',
  'operator',
  'comment',
] as const;

export const tokenModifiers = ['declaration', 'defaultLibrary'] as const;

type TokenType = (typeof tokenTypes)[number];

export interface SemanticToken {
  /** The span, which is within one line. */
  readonly span: Span;
  readonly type: TokenType;
  readonly modifier?: (typeof tokenModifiers)[number];
}

/** Returns the tokens of all SQL texts that touch the range, in reading order. Tokens do not overlap. */
export function tokens(analysis: Analysis, range: Span): readonly SemanticToken[] {
  return groupsTouching(analysis, range)
    .flatMap((group) => group.tokens.map((token) => ({ ...token, span: shift(token.span, group.base) })))
    .filter(({ span }) => span.start < range.end && range.start < span.end);
}

/** The tokens of one SQL text. Spans are relative to the base, which is the start of a line. */
export interface TokenGroup {
  readonly base: number;
  /** The tokens. If the text did not change, this is the same list as before. */
  readonly tokens: readonly SemanticToken[];
}

/** Returns the tokens of the entire file, grouped by SQL text. */
export function tokenGroups(analysis: Analysis): readonly TokenGroup[] {
  return groupsTouching(analysis, { start: 0, end: analysis.text.length });
}

function groupsTouching(analysis: Analysis, range: Span): readonly TokenGroup[] {
  const inner = innerConfigOf(analysis);
  if (!inner) return groupsIn(analysis, range);
  const inside = groupsIn(inner.analysis, { start: 0, end: inner.analysis.text.length });
  return inside.map(({ base, tokens: found }) => ({
    base: 0,
    tokens: found.map((token) => ({ ...token, span: inner.toFile(shift(token.span, base)) })),
  }));
}

function groupsIn(analysis: Analysis, range: Span): readonly TokenGroup[] {
  const namesOf = namesByText(analysis);
  return sqlTextsOf(analysis)
    .filter(({ span }) => span.start <= range.end && range.start <= span.end)
    .map((placed) => ({ base: placed.base, tokens: keptTokens(analysis, placed, namesOf) }));
}

/** Cached tokens. Their spans are relative to the part of the file, so a text that only moved keeps its tokens. */
interface CachedTokens {
  readonly surroundings: object | undefined;
  readonly tokens: readonly SemanticToken[];
}

const keptOf = new WeakMap<SqlText, CachedTokens>();

function keptTokens(analysis: Analysis, placed: PlacedText, namesOf: NamesOf): readonly SemanticToken[] {
  const surroundings = analysis.config?.surroundings;
  const before = keptOf.get(placed.text);
  if (before && before.surroundings === surroundings) return before.tokens;
  const made = tokensOf(analysis.text, placed, namesOf(placed.text)).map((token) => ({
    ...token,
    span: shift(token.span, -placed.base),
  }));
  keptOf.set(placed.text, { surroundings, tokens: made });
  return made;
}

type Kind = Omit<SemanticToken, 'span'>;

const ofSymbol: Readonly<Record<SymbolKind, TokenType>> = {
  stream: 'class',
  'bucket definition': 'class',
  event: 'class',
  cte: 'interface',
  alias: 'variable',
  table: 'class',
  column: 'property',
  output: 'property',
  parameter: 'parameter',
  'subscription parameter': 'parameter',
  'bucket parameter': 'parameter',
};

/** Returns the kinds of the names in a text, by their start in its SQL. */
type NamesOf = (text: SqlText) => ReadonlyMap<number, Kind>;

/** Sorts all mentions by text when the first changed text is asked for. Normally, at most one text has changed. */
function namesByText(analysis: Analysis): NamesOf {
  let byText: Map<SqlText, PlacedMention[]> | undefined;
  return (text) => {
    byText ??= groupByText(mentionsIn(analysis));
    return kindsOf(byText.get(text) ?? []);
  };
}

function groupByText(mentions: readonly PlacedMention[]): Map<SqlText, PlacedMention[]> {
  const groups = new Map<SqlText, PlacedMention[]>();
  for (const mention of mentions) {
    if (!mention.sql) continue;
    const group = groups.get(mention.sql.text);
    if (group) group.push(mention);
    else groups.set(mention.sql.text, [mention]);
  }
  return groups;
}

/** Returns the kind of each name. If a name both means one thing and implies another, its own meaning counts. */
function kindsOf(mentions: readonly PlacedMention[]): ReadonlyMap<number, Kind> {
  const names = new Map<number, Kind>();
  for (const { symbol, role, sql } of mentions) {
    const start = sql?.span.start ?? 0;
    if (role === 'implied' && names.has(start)) continue;
    const type = ofSymbol[symbol.kind];
    names.set(start, role === 'declaration' ? { type, modifier: 'declaration' } : { type });
  }
  return names;
}

function tokensOf(
  file: string,
  { text, base }: PlacedText,
  names: ReadonlyMap<number, Kind>,
): readonly SemanticToken[] {
  const place = (at: Span) => shift(text.place(at), base);
  const words = wordsOf(text.sql.statements);
  const lexed = tokenize(text.sql.text).tokens;
  return lexed.flatMap((token, index) => {
    const before = { start: lexed[index - 1]?.end ?? 0, end: token.start };
    const comments = commentsIn(text.sql.text, before).map(place);
    const at = place(token);
    const kind = names.get(token.start) ?? words.get(token.start) ?? kindOf(token);
    return [
      ...comments.flatMap((span) => linesOf(file, span, { type: 'comment' })),
      ...(kind && token.kind !== 'end' ? linesOf(file, at, kind) : []),
    ];
  });
}

/** Returns the words that only the syntax tree can classify, by their start in the SQL. */
function wordsOf(statements: readonly Statement[]): ReadonlyMap<number, Kind> {
  const words = new Map<number, Kind>();
  const waiting: Expr[] = [];
  const collect = (statement: Statement): void => {
    append(waiting, expressionsOf(statement));
    if (statement.kind === 'other') return;
    for (const { source } of statement.from) {
      if (source.kind === 'subquery') collect(source.query);
      if (source.kind === 'function') words.set(source.name.span.start, callee);
      if (source.kind !== 'subquery' && source.schema)
        words.set(source.schema.span.start, { type: 'namespace' });
    }
  };
  statements.forEach(collect);
  for (let expr = waiting.pop(); expr; expr = waiting.pop()) {
    if (expr.kind === 'subquery') collect(expr.query);
    if (expr.kind === 'cast') words.set(expr.type.span.start, { type: 'type' });
    if (expr.kind === 'call') {
      words.set(expr.name.span.start, callee);
      if (expr.schema) words.set(expr.schema.span.start, { type: 'namespace' });
    }
    append(waiting, children(expr));
  }
  return words;
}

const callee: Kind = { type: 'function', modifier: 'defaultLibrary' };

/** Unreserved words that act as keywords in some places. */
const furtherKeywords: ReadonlySet<string> = new Set([
  'between',
  'by',
  'exists',
  'operator',
  'row',
  'values',
]);

function kindOf({ kind, text }: SqlToken): Kind | undefined {
  switch (kind) {
    case 'word':
      return reservedWords.has(text) || furtherKeywords.has(text) ? { type: 'keyword' } : undefined;
    case 'string':
      return { type: 'string' };
    case 'integer':
    case 'real':
      return { type: 'number' };
    case 'symbol':
      return /^[(),.;[\]]$/.test(text) ? undefined : { type: 'operator' };
    default:
      return undefined;
  }
}

/**
 * Returns the comments in a span between two tokens. Apart from comments, the span contains only white space. Comments in `/*` may
 * be nested.
 */
function commentsIn(sql: string, { start, end }: Span): Span[] {
  const found: Span[] = [];
  let depth = 0;
  let from = start;
  for (const { index, 0: mark } of sql.slice(start, end).matchAll(/--[^\r\n]*|\/\*|\*\//g)) {
    const at = start + index;
    if (mark.startsWith('--')) {
      if (depth === 0) found.push({ start: at, end: at + mark.trimEnd().length });
      continue;
    }
    if (mark === '/*' && depth++ === 0) from = at;
    if (mark === '*/' && --depth === 0) found.push({ start: from, end: at + mark.length });
  }
  return depth > 0 ? [...found, { start: from, end }] : found;
}

/** Splits a span into one token per line without indentation, as the protocol requires. */
function linesOf(file: string, { start, end }: Span, kind: Kind): SemanticToken[] {
  return [...file.slice(start, end).matchAll(/[^\s][^\r\n]*/g)].map(({ index, 0: line }) => ({
    ...kind,
    span: { start: start + index, end: start + index + line.trimEnd().length },
  }));
}
