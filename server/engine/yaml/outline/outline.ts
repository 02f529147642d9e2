/**
 * Finds the place of an offset in the structure of a YAML text, judged only by keys, dashes and indentation. Half-typed text is
 * often not valid YAML yet, and its meaning depends on the keys above it.
 */
import { lineStart } from '../../text/lines.ts';
import { type Span, span } from '../../text/span.ts';
import { type FlowStep, flowAt } from './flowOutline.ts';
import { indentAt, nextLine, type OutlineLine, previousLine, readLine } from './outlineLines.ts';

/** The keys of one map with the text of their values. The key that is being typed is not among them. */
export type Siblings = ReadonlyMap<string, string>;

export interface PathStep {
  /** The key, or undefined for an item of a list. */
  readonly key: string | undefined;
  /** Returns the other keys of the same map. */
  readonly siblings: () => Siblings;
}

interface Place {
  /** The keys from the top level of the text. */
  readonly path: readonly PathStep[];
}

/**
 * The place of a word that is being typed: a key, or the first word of the value at `path`. The expected type of the value decides
 * which.
 */
export interface WordPlace extends Place {
  readonly kind: 'word';
  readonly word: Span;
  /** Whether a colon follows, so that the word is a key. */
  readonly isKey: boolean;
  readonly siblings: () => Siblings;
  readonly flow: boolean;
  /** The indentation of the line, including its dashes. */
  readonly column: number;
}

/** The place of a value: after a colon or dash, or in the further lines of such a value. */
export interface ValuePlace extends Place {
  readonly kind: 'value';
  /** The start of the value, including its tags. */
  readonly start: number;
}

export type YamlPlace = WordPlace | ValuePlace;

/** Returns undefined in comments, and in places where neither a key nor a value is possible. */
export function outlineAt(text: string, offset: number): YamlPlace | undefined {
  const line = readLine(text, lineStart(text, offset));
  const { key } = line;
  const behindColon = key !== undefined && offset > key.end && offset >= key.colon;
  const column = line.isBlank ? offset - line.start : line.column;
  const above = ancestorsOf(text, line, column);
  const holder = above.find(({ value }) => value !== undefined && !isNothing(text, value));
  if (holder?.value) return inValue(text, offset, above, holder, holder.value);
  if (isInComment(text, line, offset)) return undefined;
  const path = above.map(stepOf(text));
  if (offset < line.start + line.column) return betweenDashAndValue(text, line, offset, path);
  if (key && behindColon) {
    const siblings = once(() => siblingsAt(text, line.start, line.column));
    return inlineValue(text, offset, [...path, { key: key.text, siblings }], key.value);
  }
  const start = line.start + column;
  if (!key && /["'[{]/.test(text[start] ?? '')) return inlineValue(text, offset, path, start);
  return {
    kind: 'word',
    path,
    word: span(start, key?.end ?? Math.max(endOfWord(text, start, line.end), offset)),
    isKey: key !== undefined,
    siblings: once(() => siblingsAt(text, line.start, column)),
    flow: false,
    column,
  };
}

/**
 * Returns a place between a dash and its value. Text that is typed there precedes the value, unless it would be joined with the
 * value.
 */
function betweenDashAndValue(
  text: string,
  line: OutlineLine,
  offset: number,
  path: readonly PathStep[],
): YamlPlace | undefined {
  const dash = line.dashes.at(-1);
  const isBehind = dash !== undefined && offset > line.start + dash + 1 && text[offset] === ' ';
  return isBehind && line.key === undefined ? { kind: 'value', path, start: offset } : undefined;
}

interface Ancestor {
  readonly key: string | undefined;
  readonly line: number;
  readonly column: number;
  /** The part of the line in which a value is allowed. */
  readonly value?: Span;
}

/** Returns the ancestors, outermost first. */
function ancestorsOf(text: string, from: OutlineLine, column: number): Ancestor[] {
  const found: Ancestor[] = [];
  let limit = column;
  const takeDashes = (line: OutlineLine, content: Span | undefined) => {
    for (const dash of line.dashes.toReversed()) {
      if (dash >= limit) continue;
      const isInner = dash === line.dashes.at(-1);
      const value = isInner && content && { value: content };
      found.push({ key: undefined, line: line.start, column: dash, ...value });
      limit = dash;
    }
  };
  takeDashes(from, undefined);
  for (let at = previousLine(text, from.start); at !== undefined; at = previousLine(text, at)) {
    const isInner = found.at(-1)?.key !== undefined || found.length === 0;
    if (limit === 0 && isInner) break;
    if (indentAt(text, at) > limit) continue;
    const line = readLine(text, at);
    if (line.isBlank || line.isComment) continue;
    if (line.isMarker) break;
    const { key } = line;
    if (key && (line.column < limit || (line.column === limit && !isInner))) {
      found.push({ key: key.text, line: at, column: line.column, value: span(key.value, line.end) });
      limit = line.column;
      takeDashes(line, undefined);
    } else if (isForgottenColon(text, line) && line.column < limit) {
      found.push({
        key: text.slice(line.start + line.column, line.end).trim(),
        line: at,
        column: line.column,
      });
      limit = line.column;
    } else takeDashes(line, key ? undefined : span(line.start + line.column, line.end));
  }
  return found.reverse();
}

/** Whether a line is a single word with more indented lines below it. */
function isForgottenColon(text: string, { start, column, end, dashes }: OutlineLine): boolean {
  return dashes.length === 0 && /^[A-Za-z_][\w-]*[ \t]*$/.test(text.slice(start + column, end));
}

function stepOf(text: string): (ancestor: Ancestor) => PathStep {
  return ({ key, line, column }) => ({
    key,
    siblings: once(() => (key === undefined ? new Map() : siblingsAt(text, line, column))),
  });
}

/** Whether a span contains no value. Anchors and comments are not a value. */
function isNothing(text: string, { start, end }: Span): boolean {
  return /^(?:&\S*)?[ \t]*(?:#.*)?\r?$/.test(text.slice(start, end));
}

/** Returns the place in a value that continues from a line above. */
function inValue(
  text: string,
  offset: number,
  above: readonly Ancestor[],
  holder: Ancestor,
  { start }: Span,
): YamlPlace | undefined {
  const path = above.slice(0, above.indexOf(holder) + 1).map(stepOf(text));
  return inlineValue(text, offset, path, start);
}

function inlineValue(
  text: string,
  offset: number,
  path: readonly PathStep[],
  start: number,
): YamlPlace | undefined {
  if (!/[[{]/.test(text[start] ?? '') || offset <= start) return { kind: 'value', path, start };
  const inside = flowAt(text, start, offset);
  if (inside === undefined) return undefined;
  const steps = [...path, ...inside.path.map(flowStep)];
  if (!inside.isKey) return { kind: 'value', path: steps, start: inside.start };
  const { siblings, start: wordStart } = inside;
  const end = Math.max(endOfWord(text, wordStart, text.length), offset);
  return {
    kind: 'word',
    path: steps,
    word: span(wordStart, end),
    isKey: /^["']?[ \t]*:/.test(text.slice(end, end + 20)),
    siblings: () => siblings,
    flow: true,
    column: 0,
  };
}

function flowStep({ key, siblings }: FlowStep): PathStep {
  return { key, siblings: () => siblings };
}

function endOfWord(text: string, from: number, limit: number): number {
  const word = /[^\s,:[\]{}#]*/y;
  word.lastIndex = from;
  word.test(text);
  return Math.min(word.lastIndex, limit);
}

function isInComment(text: string, { start }: OutlineLine, offset: number): boolean {
  const before = text.slice(start, offset);
  return /^[^"']*(?:"[^"]*"[^"']*|'[^']*'[^"']*)*(?:^|\s)#/.test(before);
}

/** Computes the result only when it is needed, and then caches it. */
function once(find: () => Siblings): () => Siblings {
  let found: Siblings | undefined;
  return () => {
    found ??= find();
    return found;
  };
}

/** Returns the keys in the column of this line, above and below it, within the same map. */
function siblingsAt(text: string, from: number, column: number): Siblings {
  const siblings = new Map<string, string>();
  const take = (line: OutlineLine) => {
    if (line.key && line.column === column)
      siblings.set(line.key.text, text.slice(line.key.value, line.end).trim());
  };
  const leaves = (line: OutlineLine) => !line.isBlank && !line.isComment && line.column < column;
  const own = readLine(text, from);
  if (own.dashes.length === 0)
    for (let at = previousLine(text, from); at !== undefined; at = previousLine(text, at)) {
      if (indentAt(text, at) > column) continue;
      const line = readLine(text, at);
      if (leaves(line) || line.isMarker) break;
      take(line);
      if (line.dashes.some((dash) => dash < column)) break;
    }
  for (let at = nextLine(text, from); at !== undefined; at = nextLine(text, at)) {
    if (indentAt(text, at) > column) continue;
    const line = readLine(text, at);
    if (leaves(line) || line.isMarker || (!line.isBlank && line.indent < column)) break;
    take(line);
  }
  return siblings;
}

interface ItemAbove {
  readonly blanks: string;
  /** The text with the missing blanks. `offset` and `place` refer to this text. */
  readonly text: string;
  readonly offset: number;
  readonly place: WordPlace;
}

/**
 * Returns the place as if it were below the keys of the item above. Editors put the cursor of a new line below the dash of an item,
 * so keys for that item need more blanks. Undefined if the item above is not a block map.
 */
export function itemAbove(text: string, offset: number, place: WordPlace): ItemAbove | undefined {
  if (place.flow || place.isKey) return undefined;
  const start = lineStart(text, offset);
  if (place.word.start !== start + place.column) return undefined;
  const blanks = blanksToKeys(text.slice(0, start), place.column);
  if (blanks === undefined) return undefined;
  const indented = `${text.slice(0, place.word.start)}${blanks}${text.slice(place.word.start)}`;
  const found = outlineAt(indented, offset + blanks.length);
  return found?.kind === 'word'
    ? { blanks, text: indented, offset: offset + blanks.length, place: found }
    : undefined;
}

/** Returns the blanks between the dash and the first key of the last item in this column. */
function blanksToKeys(above: string, column: number): string | undefined {
  const last = above
    .split('\n')
    .findLast((line) => !/^\s*(?:#.*)?$/.test(line) && line.search(/\S/) <= column);
  const dash = last?.search(/\S/) === column ? /^ *(- +)[^\s"'#&*!|>[{-][^:]*:(?:\s|$)/.exec(last) : null;
  return dash?.[1] && ' '.repeat(dash[1].length);
}
