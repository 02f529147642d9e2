import { lengthOfStart } from './partition.ts';

/** A place as the language protocol counts it: lines and UTF-16 units, both from 0. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Answers where in its lines an offset of the text is. A line ends with LF, CRLF or CR, as in the protocol. */
export function positionsIn(text: string): (offset: number) => Position {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  return (offset) => {
    const line = lineOf(starts, offset);
    return { line, character: offset - (starts[line] ?? 0) };
  };
}

/**
 * Line numbers of a text as YAML counts them: from 1; a line ends with LF or CRLF. The lines are found once,
 * at the first question.
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

/** The last line that starts at the offset or before it. */
function lineOf(starts: readonly number[], offset: number): number {
  return Math.max(0, lengthOfStart(starts.length, (line) => (starts[line] ?? 0) <= offset) - 1);
}

/** The start of the line after the one that holds `at`, or the end of the text. */
export function lineAfter(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end + 1;
}

/** The offset at which the line of an offset starts. */
export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

/** How many characters precede an offset in its line. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}
