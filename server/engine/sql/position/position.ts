/**
 * Finds out what can be typed at the end of an SQL text. It uses only the words before the cursor, because the rest of the query
 * may be missing.
 */
import { tokenize } from '../lexer.ts';
import type { Token } from '../token.ts';
import {
  type Callee,
  type ClausePart,
  type ExpectedPart,
  type OpenQuery,
  openFrames,
  queryOf,
  readToken,
  top,
} from './positionFrames.ts';

export interface SqlPosition {
  readonly expected: ExpectedPart;
  /** The clause of the innermost query. */
  readonly clause: ClausePart;
  /** The names before a dot directly in front of the word: a table, or a schema and a table. */
  readonly qualifiers: readonly string[];
  /** The start of the word that is being typed. A name includes its opening quote, and a string does not. */
  readonly start: number;
  /** The previous word in lower case, or the previous symbol. */
  readonly previous: string;
  /** The surrounding calls, innermost last. */
  readonly calls: readonly OpenCall[];
  /** The call before the arrow, if a JSON key is being typed after it. */
  readonly arrowOf?: Callee;
  /** Whether the position is directly after a parenthesis that does not belong to a call, so that a SELECT may start here. */
  readonly canSelect: boolean;
  readonly inCase: boolean;
  /** Whether a table was joined, so that ON must follow. */
  readonly wantsOn: boolean;
  /** The SELECTs around the position, outermost first. */
  readonly queries: readonly OpenQuery[];
}

interface OpenCall extends Callee {
  /** The start of the function's name. */
  readonly start: number;
  /** The index of the argument that is being typed. */
  readonly argument: number;
}

/** Returns the position at the end of a text, where the cursor is. */
export function positionAt(before: string): SqlPosition {
  const { tokens } = tokenize(before);
  const { typed, start, isText } = typedAt(before, tokens);
  const read = tokens.slice(0, typed);
  const frames = openFrames();
  for (const [index, token] of read.entries()) readToken(frames, read, index, token);
  const frame = top(frames);
  const qualifiers = qualifiersOf(read);
  const arrowOf = arrowCallee(read);
  return {
    expected: isText ? 'text' : isInComment(before, tokens) ? 'nothing' : frame.expected,
    clause: queryOf(frames).clause,
    qualifiers,
    start,
    previous: read.at(-1)?.text ?? '',
    calls: frames.flatMap(({ call }) => (call ? [{ ...call.callee, ...call }] : [])),
    ...(arrowOf && { arrowOf }),
    canSelect: frame.kind === 'parentheses' && read.at(-1)?.text === '(',
    inCase: frames.some(({ kind }) => kind === 'case'),
    wantsOn: frame.joined === true,
    queries: frames.flatMap(({ query }) => query ?? []),
  };
}

/** Returns the word that is being typed at the end: the number of tokens before it, and its start. */
function typedAt(
  before: string,
  tokens: readonly Token[],
): { typed: number; start: number; isText: boolean } {
  const count = tokens.length - 1;
  const last = tokens[count - 1];
  if (last === undefined || last.end < before.length)
    return { typed: count, start: before.length, isText: false };
  const opening = before[last.start];
  if (last.kind === 'unknown' && opening === "'")
    return { typed: count - 1, start: last.start + 1, isText: true };
  const isName = last.kind === 'word' || (last.kind === 'unknown' && opening === '"');
  if (isName) return { typed: count - 1, start: last.start, isText: false };
  return { typed: count, start: before.length, isText: false };
}

/** Whether the text ends in a comment. Line comments and block comments end without a token. */
function isInComment(before: string, tokens: readonly Token[]): boolean {
  const end = tokens.at(-2)?.end ?? 0;
  const rest = before.slice(end);
  return /--[^\n]*$/.test(rest) || rest.split('/*').length > rest.split('*/').length;
}

function qualifiersOf(read: readonly Token[]): string[] {
  const names: string[] = [];
  for (let at = read.length - 1; read[at]?.text === '.' && read[at]?.kind === 'symbol'; at -= 2) {
    const name = read[at - 1];
    if (name?.kind !== 'word' && name?.kind !== 'quoted') break;
    names.unshift(name.text);
  }
  return names;
}

/** Returns the call before an arrow, as in `auth.parameters() ->> '`. */
function arrowCallee(read: readonly Token[]): Callee | undefined {
  const at = read.length - 1;
  const arrow = read[at]?.text;
  if (arrow !== '->' && arrow !== '->>') return undefined;
  const [schema, dot, name, open, close] = read.slice(at - 5, at);
  if (open?.text !== '(' || close?.text !== ')' || dot?.text !== '.' || !schema || !name) return undefined;
  return { schema: schema.text, name: name.text };
}
