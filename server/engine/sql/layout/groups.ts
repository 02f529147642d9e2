/**
 * The places at which a query may be broken into lines. A group is laid out in one line if it fits, and otherwise is broken at all
 * of its places. Groups inside it are then laid out in the same way. Only keywords and parentheses matter, because the text is one
 * SELECT without syntax errors.
 */
import type { Atom } from './atoms.ts';

export interface LayoutGroup {
  /** The start of the first atom. */
  readonly start: number;
  /** The end of the last atom. */
  readonly end: number;
  readonly breaks: readonly Break[];
  /** Whether broken lines are indented below the first one. They are not if the group begins a line. */
  readonly hangs?: true;
}

/**
 * A line break before the atom with this index, and the additional indentation compared with the line in which the group begins.
 */
interface Break {
  readonly before: number;
  readonly indent: number;
}

export const indentation = 2;

/** Returns the groups, outer groups before inner ones. */
export function groupsOf(atoms: readonly Atom[]): readonly LayoutGroup[] {
  const reader: Reader = { atoms, words: atoms.map((_, index) => wordAt(atoms, index)), groups: [] };
  readSelect(reader, 0, atoms.length);
  return reader.groups.sort((a, b) => a.start - b.start || b.end - a.end);
}

interface Reader {
  readonly atoms: readonly Atom[];
  /** The keywords and symbols in upper case; empty for names and comments. */
  readonly words: readonly string[];
  readonly groups: LayoutGroup[];
}

/** Returns the word of an atom. After a dot, any word is a name. */
function wordAt(atoms: readonly Atom[], index: number): string {
  const { kind, text } = atoms[index] as Atom;
  if (kind === 'word') return atoms[index - 1]?.text === '.' ? '' : text.toUpperCase();
  return kind === 'other' ? text : '';
}

const joins: ReadonlySet<string> = new Set(['JOIN', 'INNER', 'LEFT', 'RIGHT', 'FULL', 'CROSS']);

function readSelect(reader: Reader, start: number, end: number): void {
  const { words, groups } = reader;
  const places = outermost(reader, start, end);
  const clauses = places.filter((at) => startsClause(words, at));
  groups.push({ start, end, breaks: clauses.map((before) => ({ before, indent: 0 })) });
  const from = clauses.find((at) => words[at] === 'FROM') ?? clauses[0] ?? end;
  readList(reader, columnsStart(words, start), from);
  for (const [index, at] of places.entries()) {
    if (words[at] !== 'WHERE' && words[at] !== 'ON') continue;
    const next = places.slice(index + 1).find((other) => startsClause(words, other)) ?? end;
    readChain(reader, at + 1, next);
  }
  readInside(reader, start, end);
}

function startsClause(words: readonly string[], at: number): boolean {
  const word = words[at] ?? '';
  if (word === 'FROM' || word === 'WHERE') return true;
  return joins.has(word) && !joins.has(words[at - 1] ?? '');
}

function columnsStart(words: readonly string[], select: number): number {
  const next = words[select + 1];
  return next === 'ALL' || next === 'DISTINCT' ? select + 2 : select + 1;
}

/** Reads a list, which is laid out in one line or with each item in its own line. */
function readList(reader: Reader, start: number, end: number): void {
  const commas = outermost(reader, start, end).filter((at) => reader.words[at] === ',');
  if (commas.length === 0) return;
  const breaks = commas.map((at) => ({ before: at + 1, indent: indentation }));
  reader.groups.push({ start, end: withoutComments(reader, end), breaks });
}

/** Reads a condition, which is broken first at its ORs and then at the ANDs of each part. */
function readChain(reader: Reader, start: number, end: number): void {
  const places = outermost(reader, start, end);
  const ors = places.filter((at) => reader.words[at] === 'OR');
  if (ors.length === 0) {
    pushChain(reader, start, end, andsIn(reader, places));
    return;
  }
  pushChain(reader, start, end, ors);
  const starts = [start, ...ors.map((at) => at + 1)];
  for (const [index, from] of starts.entries()) readChain(reader, from, ors[index] ?? end);
}

function pushChain(reader: Reader, start: number, end: number, places: readonly number[]): void {
  if (places.length === 0) return;
  const breaks = places.map((before) => ({ before, indent: 0 }));
  reader.groups.push({ start, end: withoutComments(reader, end), hangs: true, breaks });
}

/** Returns the end without trailing comments, which do not make a group longer. */
function withoutComments({ atoms }: Reader, end: number): number {
  let last = end;
  while (atoms[last - 1]?.kind === 'comment' || atoms[last - 1]?.kind === 'line comment') last--;
  return last;
}

/** Returns the ANDs that do not belong to BETWEEN. */
function andsIn({ words }: Reader, places: readonly number[]): number[] {
  let open = 0;
  return places.filter((at) => {
    if (words[at] === 'BETWEEN') open++;
    if (words[at] !== 'AND') return false;
    if (open === 0) return true;
    open--;
    return false;
  });
}

/** Reads parentheses or CASE up to their end. */
function readInside(reader: Reader, start: number, end: number): void {
  const { words, groups } = reader;
  for (let at = start; at < end; at++) {
    if (words[at] === '(' || words[at] === '[') {
      const close = closingAt(words, at);
      groups.push({
        start: at,
        end: close + 1,
        breaks: [
          { before: at + 1, indent: indentation },
          { before: close, indent: 0 },
        ],
      });
      if (words[at + 1] === 'SELECT') readSelect(reader, at + 1, close);
      else {
        readItems(reader, at + 1, close);
        readChain(reader, at + 1, close);
        readInside(reader, at + 1, close);
      }
      at = close;
    } else if (words[at] === 'CASE') {
      const close = endOfCase(words, at);
      const parts = outermost(reader, at + 1, close).filter((part) =>
        /^(WHEN|ELSE)$/.test(words[part] ?? ''),
      );
      groups.push({
        start: at,
        end: close + 1,
        breaks: [...parts.map((before) => ({ before, indent: indentation })), { before: close, indent: 0 }],
      });
    }
  }
}

/** Reads arguments, which are indented relative to their parentheses. */
function readItems(reader: Reader, start: number, end: number): void {
  const commas = outermost(reader, start, end).filter((at) => reader.words[at] === ',');
  if (commas.length > 0)
    reader.groups.push({ start, end, breaks: commas.map((at) => ({ before: at + 1, indent: 0 })) });
}

/** Returns the atoms outside inner parentheses and inner CASE expressions. */
function outermost({ words }: Reader, start: number, end: number): number[] {
  const found: number[] = [];
  for (let at = start; at < end; at++) {
    found.push(at);
    if (words[at] === '(' || words[at] === '[') at = closingAt(words, at);
    else if (words[at] === 'CASE') at = endOfCase(words, at);
  }
  return found;
}

function closingAt(words: readonly string[], open: number): number {
  let depth = 0;
  for (let at = open; at < words.length; at++) {
    if (words[at] === '(' || words[at] === '[') depth++;
    if ((words[at] === ')' || words[at] === ']') && --depth === 0) return at;
  }
  return words.length - 1;
}

function endOfCase(words: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < words.length; at++) {
    if (words[at] === 'CASE') depth++;
    if (words[at] === 'END' && --depth === 0) return at;
  }
  return words.length - 1;
}
