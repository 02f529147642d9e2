/**
 * Finds pieces of a text that can be parsed separately, by a quick look at its lines: each top-level section, and each entry of the
 * sections with definitions. A mistake in one piece then hides no other, and a keystroke affects only one piece. A line that does
 * not look like the first line of an entry belongs to the entry above it, because splitting too little is never wrong. If even the
 * top level does not look like a block map, the text is not split.
 */
import { lineAfter } from '../text/lines.ts';

export interface Piece {
  /** The start of the piece in the text. */
  readonly base: number;
  readonly end: number;
  /** The keys above the piece: none for a top-level section, and the section's key for an entry. */
  readonly path: readonly string[];
  /** Whether the piece is only the line of a section's key. Its entries follow as pieces. */
  readonly heading: boolean;
}

/** The names of sections whose entries are read one by one. */
export type Divisible = ReadonlySet<string>;

export function splitText(
  text: string,
  divisible: Divisible,
  sections: readonly TopSection[] | undefined = findSections(text),
): readonly Piece[] {
  if (sections === undefined) return [{ base: 0, end: text.length, path: [], heading: false }];
  const pieces: Piece[] = [];
  for (const section of sections) splitSection(text, section, divisible, pieces);
  return pieces;
}

/** Returns the top-level keys of a text, each with the span of the text below it. */
export function topLevelEntries(
  text: string,
  sections: readonly TopSection[],
): { key: string; start: number; end: number }[] {
  return sections.map(({ start, end }) => {
    const { key, colon } = keyAt(text, start);
    return { key, start: colon + 1, end };
  });
}

/** Returns the key of a line for which {@link startsEntry} is true. */
function keyAt(text: string, start: number): { key: string; colon: number } {
  const quote = text[start];
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, start + 1);
    return { key: text.slice(start + 1, end), colon: text.indexOf(':', end) };
  }
  const colon = text.indexOf(':', start);
  return { key: text.slice(start, colon).trimEnd(), colon };
}

export interface TopSection {
  readonly start: number;
  readonly end: number;
}

/** Returns undefined if the top level is not a plain block map whose keys are at the start of their lines. */
export function findSections(text: string): readonly TopSection[] | undefined {
  if (text.includes('\r') && loneReturn.test(text)) return undefined;
  const starts: number[] = [];
  const first = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  for (let at = first; at < text.length; at = lineAfter(text, at)) {
    const indent = indentAt(text, at);
    // The first character of a line nearly always shows that the line is safe.
    const content = text.charCodeAt(at + indent);
    if (mayBeUnsafe(content) && isUnsafe(text, at + indent)) return undefined;
    if (indent > 0 && starts.length > 0) continue;
    if (isSilent(text, at + indent, content)) continue;
    if (indent === 0 && isMarker(text, at)) {
      if (starts.length > 0 || !isBareStart(text, at)) return undefined;
    } else if (indent === 0 && startsEntry(text, at)) starts.push(at);
    else if (starts.length === 0) return undefined;
  }
  if (starts.length === 0) return undefined;
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? text.length }));
}

const none: readonly string[] = [];

function splitSection(text: string, { start, end }: TopSection, divisible: Divisible, pieces: Piece[]): void {
  const whole = { base: start, end, path: none, heading: false };
  const key = /([A-Za-z_]+):[ \t]*(?:[ \t]#[^\n]*)?(?:\r?\n|$)/y;
  key.lastIndex = start;
  const name = key.exec(text)?.[1];
  const starts =
    name === undefined || !divisible.has(name) ? [] : findEntries(text, lineAfter(text, start), end);
  const [first] = starts;
  if (name === undefined || first === undefined) {
    pieces.push(whole);
    return;
  }
  const path = [name];
  pieces.push({ base: start, end: first, path: none, heading: true });
  for (const [index, base] of starts.entries())
    pieces.push({ base, end: starts[index + 1] ?? end, path, heading: false });
}

/**
 * Returns no entries if a line is less indented than the first entry. A single word is allowed there, because it may become a key.
 */
function findEntries(text: string, start: number, end: number): number[] {
  const starts: number[] = [];
  let column = 0;
  for (let at = start; at < end; at = lineAfter(text, at)) {
    const indent = indentAt(text, at);
    if (starts.length > 0 && indent > column) continue;
    if (isSilent(text, at + indent, text.charCodeAt(at + indent))) continue;
    if (starts.length === 0) column = indent;
    const isEntry = indent === column && startsEntry(text, at + indent);
    if (isEntry && column > 0) starts.push(at);
    else if (starts.length === 0 || (indent < column && !isWord(text, at + indent))) return [];
  }
  return starts;
}

/** Whether a line is empty or contains only a comment. */
function isSilent(text: string, at: number, content: number): boolean {
  return content === 0x23 || ((content <= 0x20 || at >= text.length) && isBlank(text, at));
}

function mayBeUnsafe(content: number): boolean {
  return content === 0x09 || content === 0x3a || content === 0x3f;
}

interface Block {
  readonly kind: 'map' | 'sequence';
  readonly starts: readonly number[];
}

/** Returns the entries in some lines; undefined if one of the lines may not belong to the entry above it. */
export function findBlock(text: string, start: number, end: number): Block | undefined {
  const starts: number[] = [];
  let column = 0;
  let kind: Block['kind'] = 'map';
  for (let at = start; at < end; at = lineAfter(text, at)) {
    const indent = indentAt(text, at);
    const content = at + indent;
    if (isBlank(text, content) || text[content] === '#') continue;
    const isItem = startsItem.test(text.slice(content, content + 2));
    if (starts.length === 0) {
      column = indent;
      kind = isItem ? 'sequence' : 'map';
    }
    if (indent < column) return undefined;
    if (indent > column) continue;
    if (kind === 'sequence' ? isItem : startsEntry(text, content)) starts.push(at);
    // A list may have the same indentation as its key.
    else if (starts.length === 0 || !isItem) return undefined;
  }
  return starts.length === 0 ? undefined : { kind, starts };
}

const startsItem = /^-(?:[ \n\r]|$)/;

function indentAt(text: string, lineStart: number): number {
  let at = lineStart;
  while (text.charCodeAt(at) === 0x20) at++;
  return at - lineStart;
}

/** Matches a lone carriage return. How `yaml` reads it depends on the text around it. */
const loneReturn = /\r(?!\n)/;
const blank = /[ \t]*(?:\r?\n|$)/y;
const marker = /(?:---|\.\.\.|%)/y;
const bareStart = /---[ \t]*(?:[ \t]#[^\n]*)?(?:\r?\n|$)/y;
/** Matches `key:` or `"key":`, followed by a space or nothing. Keys with unusual characters do not match. */
const entry =
  /(?:[^\s\-?:,[\]{}#&*!|>'"%@`\ufeff][^\n\r:#]*:|"(?:[^"\\\n\r]|\\[^\n\r])*"[ \t]*:|'[^'\n\r]*'[ \t]*:)(?:[ \t]|\r?\n|$)/y;

const word = /\w+[ \t]*(?:\r?\n|$)/y;

/**
 * Matches lines that change how `yaml` reads distant lines: tabs in the indentation of empty lines, and `? key` or `: value`, whose
 * counterpart `yaml` also looks for on less indented lines.
 */
const unsafe = /\t[ \t]*(?:\r?\n|$)|[?:](?:[ \t]|\r?\n|$)/y;

const isBlank = at(blank);
const isMarker = at(marker);
const isBareStart = at(bareStart);
const startsEntry = at(entry);
const isWord = at(word);
const isUnsafe = at(unsafe);

function at(pattern: RegExp): (text: string, offset: number) => boolean {
  return (text, offset) => {
    pattern.lastIndex = offset;
    return pattern.test(text);
  };
}
