/** The data that the parts of SQL completion use. */
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
  /** The tables of the query first, then those of the queries around it. */
  readonly tables: readonly (readonly VisibleTable[])[];
  /** The innermost query, as far as it can be read. */
  readonly query?: Select | undefined;
  /** The cursor, in the file. */
  readonly offset: number;
  /** The text to replace, in the file. */
  readonly span: Span;
  /** After an opening quote, so that only a name can follow. */
  readonly isQuoted: boolean;
  /** Key words are written so in this text. */
  readonly keyword: (word: string) => string;
  /** A name as it must be written here. */
  readonly name: (name: string) => string;
  /** Returns the text that the typed letters of a name are compared with: with its quotes, if those are typed. */
  readonly nameFilter: (name: string) => string;
  /** Returns the text for key words, which may also be typed in lower case. */
  readonly keywordFilter: (words: string) => string;
  /** Quotes as the scalar wants them. */
  readonly insert: (parts: Insert) => Insert;
  /** A parenthesis follows, so that a function needs no other. */
  readonly isCall: boolean;
  /** The same for names with a dot: what they replace reaches over a dot and the name that follow. */
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

/** Whether a star is possible. The columns that another query, or a bucket, reads are listed. */
export function takesStar({ place, position }: Pick<SqlContext, 'place' | 'position'>): boolean {
  return position.queries.length < 2 && place.role !== 'cte' && place.role !== 'parameters';
}

function opensCall(text: string, at: number): boolean {
  return /^\s*\(/.test(text.slice(at));
}

/** Returns the span of the word at the cursor. There is none in the indentation of a block. */
function around(word: Span, offset: number): Span {
  const isHere = word.start < word.end && word.start <= offset && offset <= word.end;
  return isHere ? word : span(offset, offset);
}

/** ON sees only the items before it. */
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
 * Returns the query with the text that is about to be typed: an open text would swallow the remaining query, and `b. FROM (…)`
 * would be a call.
 */
function completeText({ text, at }: SqlPlace, { expected, start }: SqlPosition): string {
  const isMissing = expected === 'value' && start === at;
  const filling = expected === 'text' ? "'" : isMissing ? 'x ' : '';
  return text.slice(0, at) + filling + text.slice(at);
}
