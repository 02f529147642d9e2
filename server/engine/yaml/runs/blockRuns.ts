/** Maps literal and folded scalars: a header line, then lines whose common indentation does not count. */
import type { YamlScalar } from '../nodes.ts';
import { collectRuns, type Runs, type SourceRun } from './runs.ts';

/** One line of the block, without the common indentation. */
interface Line {
  readonly start: number;
  readonly end: number;
  /** The end of the line break, including CRLF; at the end of the source, the line break is empty. */
  readonly breakEnd: number;
  /** Whether the line is indented beyond the common indentation, or starts with a tab. Such lines are never folded. */
  readonly deeper: boolean;
}

export function blockRuns(source: string, scalar: YamlScalar): SourceRun[] {
  const runs = collectRuns();
  const lines = linesOf(source, scalar, runs);
  if (scalar.style === 'literal') for (const line of lines) takeLine(runs, line);
  else foldLines(runs, lines);
  return runs.list;
}

function takeLine(runs: Runs, { start, end, breakEnd }: Line): void {
  runs.same(start, end - start);
  runs.instead(1, end, breakEnd);
}

/** Folds lines. A single line break becomes a blank, and several line breaks lose one, unless one of the lines is indented more. */
function foldLines(runs: Runs, lines: Iterable<Line>): void {
  let above: Line | undefined;
  let empty: Line[] = [];
  for (const line of lines) {
    if (line.start === line.end) {
      empty.push(line);
      continue;
    }
    if (above === undefined) breakEach(runs, empty);
    else if (above.deeper || line.deeper) breakEach(runs, [above, ...empty]);
    else if (empty.length === 0) runs.instead(1, above.end, line.start);
    else breakEach(runs, empty);
    runs.same(line.start, line.end - line.start);
    above = line;
    empty = [];
  }
  breakEach(runs, above === undefined ? empty : [above, ...empty]);
}

function breakEach(runs: Runs, lines: readonly Line[]): void {
  for (const { end, breakEnd } of lines) runs.instead(1, end, breakEnd);
}

/** Returns the lines. Empty lines after the block also belong to it, because some blocks keep them. */
function* linesOf(source: string, scalar: YamlScalar, runs: Runs): Generator<Line> {
  const indent = commonIndent(source, scalar);
  const contentEnd = withoutBreaks(scalar.text);
  for (let at = firstLine(source, scalar); at < source.length; ) {
    const line = lineAt(source, at, indent);
    if (line.start < line.end && runs.length() >= contentEnd) return;
    yield line;
    at = line.breakEnd;
  }
}

/** Returns the start of the line breaks at the end of a value. */
function withoutBreaks(value: string): number {
  let end = value.length;
  while (value[end - 1] === '\n') end--;
  return end;
}

function lineAt(source: string, at: number, indent: number): Line {
  const next = source.indexOf('\n', at);
  const breakEnd = next < 0 ? source.length : next + 1;
  const end = next < 0 ? source.length : source[next - 1] === '\r' && next > at ? next - 1 : next;
  const start = Math.min(at + Math.min(indent, leadingBlanks(source, at)), end);
  return { start, end, breakEnd, deeper: source[start] === ' ' || source[start] === '\t' };
}

function firstLine(source: string, { span }: YamlScalar): number {
  const headerEnd = source.indexOf('\n', span.start);
  return headerEnd < 0 ? source.length : headerEnd + 1;
}

/**
 * Returns the indentation of a block: the blanks that its first line with content has in the source but not in the value. Lines
 * without content are only line breaks, so a block of such lines has no limit.
 */
function commonIndent(source: string, scalar: YamlScalar): number {
  if (/^[ \n]*$/.test(scalar.text)) return Number.POSITIVE_INFINITY;
  const inSource = firstContent(source, firstLine(source, scalar));
  const inValue = firstContent(scalar.text, 0);
  return Math.max(inSource - inValue, 0);
}

/** Returns the number of blanks before the first visible character in its line. */
function firstContent(text: string, from: number): number {
  let lineStart = from;
  let at = from;
  for (; at < text.length; at++) {
    if (text[at] === '\n') lineStart = at + 1;
    else if (text[at] !== ' ' && !(text[at] === '\r' && text[at + 1] === '\n')) break;
  }
  return at - lineStart;
}

function leadingBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ') at++;
  return at - from;
}
