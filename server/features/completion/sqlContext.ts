/** The data for completing SQL. */
import type { Analysis } from '../../engine/index.ts';
import type { Edition } from '../../engine/model/definition.ts';
import { type VisibleTable, visibleTables } from '../../engine/names/visible.ts';
import type { Select } from '../../engine/sql/ast.ts';
import { quoteName } from '../../engine/sql/names.ts';
import { parseSql } from '../../engine/sql/parser/parser.ts';
import { positionAt, type SqlPosition } from '../../engine/sql/position/position.ts';
import { selectsIn } from '../../engine/sql/walk.ts';
import { type Span, span } from '../../engine/text/span.ts';
import type { SqlPlace } from '../reading/sqlAt.ts';
import { type Reach, reachOf } from '../reading/visibleAt.ts';
import { nameFor, textFor } from '../reading/writing.ts';
import type { Insert } from './item.ts';
import type { CompletionWorld } from './world.ts';

export interface SqlContext {
  readonly analysis: Analysis;
  readonly world: CompletionWorld;
  readonly place: SqlPlace;
  readonly position: SqlPosition;
  readonly reach: Reach;
  readonly edition: Edition;
  /** The tables of the innermost query first, then those of the queries around it. */
  readonly tables: readonly (readonly VisibleTable[])[];
  /** The innermost query, as far as it can be parsed. */
  readonly query?: Select | undefined;
  /** The offset of the cursor in the file. */
  readonly offset: number;
  /** The span in the file that the completion replaces. */
  readonly span: Span;
  /** Whether the cursor is after an opening quote, so that only a name can follow. */
  readonly isQuoted: boolean;
  /** Writes keywords in the case that this text uses. */
  readonly keyword: (word: string) => string;
  /** Writes a name, with quotes if it needs them here. */
  readonly name: (name: string) => string;
  /** Returns the text that is compared with the typed letters of a name. It includes the quotes if they have been typed. */
  readonly nameFilter: (name: string) => string;
  /** Returns the text that is compared with typed keywords, which may be in lower case. */
  readonly keywordFilter: (words: string) => string;
  /** Escapes quotes as the scalar requires. */
  readonly insert: (parts: Insert) => Insert;
  /** Whether a parenthesis follows, so that a function does not add one. */
  readonly isCall: boolean;
  /** The same for names with a dot, whose span also includes a dot and a name after the cursor. */
  readonly dotted: { readonly span: Span; readonly isMember: boolean; readonly isCall: boolean };
}

export function sqlContext(
  analysis: Analysis,
  place: SqlPlace,
  offset: number,
  world: CompletionWorld,
): SqlContext {
  const position = positionAt(place.text.slice(0, place.at));
  const reach = reachOf(analysis, place);
  const behind = place.text.slice(place.at);
  const isBehindQuotes = place.text.slice(0, position.start).endsWith('".');
  const isQuoted = place.text[position.start] === '"';
  const isTypedSmall = /^[a-z]/.test(place.text.slice(position.start, place.at));
  const rest = (isQuoted ? /^[\w$ ]*"?/ : /^[\w$]*/).exec(behind)?.[0].length ?? 0;
  const end = position.expected === 'text' ? place.at : place.at + rest;
  const member = /^\.[\w$]*/.exec(place.text.slice(end))?.[0].length ?? 0;
  const inFile = (until: number) => around(place.toFile(span(position.start, until)), offset);
  const isLower = /\bselect\b/.test(place.text) && !/\bSELECT\b/.test(place.text);
  return {
    analysis,
    world,
    place,
    position,
    reach,
    edition: analysis.config?.surroundings.options.edition ?? 3,
    ...tablesAt(place, position, reach),
    offset,
    span: inFile(end),
    isQuoted,
    keyword: (word) => (isLower ? word.toLowerCase() : word),
    name: (name) => (isQuoted || isBehindQuotes ? quoteName(name) : nameFor(name)),
    nameFilter: (name) => (isQuoted ? textFor(quoteName(name), place.style) : name),
    keywordFilter: (words) => (isTypedSmall ? words.toLowerCase() : words),
    insert: (parts) => parts.map((part) => (typeof part === 'string' ? textFor(part, place.style) : part)),
    isCall: opensCall(place.text, end),
    dotted: { span: inFile(end + member), isMember: member > 0, isCall: opensCall(place.text, end + member) },
  };
}

/** Whether a star is allowed. It is not allowed if another query, or a bucket, reads the columns. */
export function takesStar({ place, position }: Pick<SqlContext, 'place' | 'position'>): boolean {
  return position.queries.length < 2 && place.role !== 'cte' && place.role !== 'parameters';
}

function opensCall(text: string, at: number): boolean {
  return /^\s*\(/.test(text.slice(at));
}

/** Returns the span of the word at the cursor. In the indentation of a block, the span is empty. */
function around(word: Span, offset: number): Span {
  const isHere = word.start < word.end && word.start <= offset && offset <= word.end;
  return isHere ? word : span(offset, offset);
}

/** Returns the visible tables. ON sees only the tables before it. */
function tablesAt(
  place: SqlPlace,
  position: SqlPosition,
  reach: Reach,
): Pick<SqlContext, 'tables' | 'query'> {
  const { statements } = parseSql(completeText(place, position));
  const [own = [], ...around] = visibleTables(statements, position.queries, reach);
  const isInFrom = position.clause === 'on' || position.clause === 'from';
  const start = position.queries.at(-1)?.start;
  return {
    tables: [isInFrom ? own.filter((table) => table.start < place.at) : own, ...around],
    query: statements.flatMap(selectsIn).find((select) => select.span.start === start),
  };
}

/**
 * Returns the query, completed at the cursor so that it can be parsed. Otherwise, an open string would swallow the rest of the
 * query, and `b. FROM (…)` would be parsed as a call.
 */
function completeText({ text, at }: SqlPlace, { expected, start }: SqlPosition): string {
  const isMissing = expected === 'value' && start === at;
  const filling = expected === 'text' ? "'" : isMissing ? 'x ' : '';
  return text.slice(0, at) + filling + text.slice(at);
}
