/** Reads one line of YAML on its own: its indentation, its dashes and its key. */
import { lineStart } from '../../text/lines.ts';

export interface OutlineLine {
  readonly start: number;
  /** The end of the line, before its line break. */
  readonly end: number;
  /** The column of the first character that is not a space. */
  readonly indent: number;
  /** The columns of the dashes at the start of the line. */
  readonly dashes: readonly number[];
  /** The column of the text after the dashes. */
  readonly column: number;
  readonly key?: LineKey;
  readonly isBlank: boolean;
  readonly isComment: boolean;
  /** Whether the line is `---` or `...`. */
  readonly isMarker: boolean;
}

interface LineKey {
  readonly text: string;
  /** The offset after the key, including its quotes. */
  readonly end: number;
  readonly colon: number;
  readonly value: number;
}

/** Matches a key and its colon. Quotes inside a plain key do not match: they are unusual in keys, but common in SQL. */
const keyAndColon =
  /(?:"(?<double>[^"\\\n]*)"|'(?<single>[^'\n]*)'|(?<plain>[^\s"'#\-?:,[\]{}&*!|>%@`][^\n"'#:]*))[ \t]*:(?=[ \t]|\r?\n|$)[ \t]*/y;
const dash = /-[ \t]+|-(?=\r?\n|$)/y;

export function readLine(text: string, start: number): OutlineLine {
  const end = endOfLine(text, start);
  const indent = indentAt(text, start);
  let at = start + indent;
  const dashes: number[] = [];
  dash.lastIndex = at;
  while (dash.test(text)) {
    dashes.push(at - start);
    at = Math.min(dash.lastIndex, end);
    dash.lastIndex = at;
    if (at >= end) break;
  }
  const key = keyAt(text, at);
  return {
    start,
    end,
    indent,
    dashes,
    column: at - start,
    ...(key && { key }),
    isBlank: at >= end && dashes.length === 0,
    isComment: text[at] === '#',
    isMarker: indent === 0 && /^(?:---|\.\.\.)(?:\s|$)/.test(text.slice(start, start + 4)),
  };
}

/** Returns the number of blanks at the start of a line. */
export function indentAt(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === 0x20) at++;
  return at - start;
}

function keyAt(text: string, at: number): LineKey | undefined {
  keyAndColon.lastIndex = at;
  const match = keyAndColon.exec(text);
  if (match === null) return undefined;
  const { double, single, plain = '' } = match.groups ?? {};
  const value = at + match[0].length;
  const colon = text.lastIndexOf(':', value - 1);
  const end = at + match[0].slice(0, colon - at).trimEnd().length;
  return { text: double ?? single ?? plain.trimEnd(), end, colon, value };
}

/** Returns the start of the line before this one. */
export function previousLine(text: string, start: number): number | undefined {
  return start === 0 ? undefined : lineStart(text, start - 1);
}

export function nextLine(text: string, start: number): number | undefined {
  const end = text.indexOf('\n', start);
  return end < 0 ? undefined : end + 1;
}

function endOfLine(text: string, start: number): number {
  const at = text.indexOf('\n', start);
  if (at < 0) return text.length;
  return at > start && text[at - 1] === '\r' ? at - 1 : at;
}
