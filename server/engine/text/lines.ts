import { lengthOfStart } from './partition.ts';

/** A position in the language protocol: line and UTF-16 unit, both counted from 0. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Returns a function that converts offsets to positions. A line ends with LF, CRLF or CR, as in the protocol. */
export function positionsIn(text: string): (offset: number) => Position {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  return (offset) => {
    const line = lineOf(starts, offset);
    return { line, character: offset - (starts[line] ?? 0) };
  };
}

/**
 * Returns a function that converts offsets to YAML's line numbers, which are counted from 1 and where a line ends with LF or CRLF.
 * The lines are found once, at the first call.
 */
export function lineNumbers(text: string): (offset: number) => number {
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= lineStarts(text);
    return lineOf(starts, offset) + 1;
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Returns the index of the last line that starts at or before the offset. */
function lineOf(starts: readonly number[], offset: number): number {
  return Math.max(0, lengthOfStart(starts.length, (line) => (starts[line] ?? 0) <= offset) - 1);
}

/** Returns the start of the line after the one that contains `at`, or the end of the text. */
export function lineAfter(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

/** Returns the start of the line that contains an offset. */
export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns the number of characters before an offset in its line. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}
