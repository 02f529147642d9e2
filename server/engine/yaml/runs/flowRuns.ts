/** Maps plain and quoted scalars: escapes, doubled quotes, and lines that are folded into one. */
import type { YamlScalar } from '../nodes.ts';
import { collectRuns, type Runs, type SourceRun } from './runs.ts';

export function flowRuns(source: string, { style, span }: YamlScalar): SourceRun[] {
  const runs = collectRuns();
  const start = style === 'plain' ? span.start : span.start + 1;
  const end = style === 'plain' || !isClosed(source, span) ? span.end : span.end - 1;
  let at = start;
  while (at < end) {
    const character = source[at];
    if (character === '\\' && style === 'double') at = readEscape(source, at, end, runs);
    else if (character === "'" && style === 'single' && at + 1 < end) {
      runs.instead(1, at, at + 2);
      at += 2;
    } else if (isFlowSpace(source, at)) at = readSpace(source, at, end, runs);
    else {
      runs.same(at, 1);
      at += 1;
    }
  }
  return runs.list;
}

function isClosed(source: string, span: YamlScalar['span']): boolean {
  return span.end - span.start > 1 && source[span.end - 1] === source[span.start];
}

function isFlowSpace(source: string, at: number): boolean {
  const character = source[at];
  return character === ' ' || character === '\t' || isBreak(source, at);
}

function isBreak(source: string, at: number): boolean {
  return source[at] === '\n' || (source[at] === '\r' && source[at + 1] === '\n');
}

/**
 * Reads white space. It stays unchanged unless a line ends in it. A single line break becomes a blank, and several line breaks lose
 * one.
 */
function readSpace(source: string, start: number, end: number, runs: Runs): number {
  const breaks: number[] = [];
  let at = start;
  while (at < end && isFlowSpace(source, at)) {
    if (source[at] === '\n') breaks.push(at);
    at++;
  }
  if (breaks.length === 0) runs.same(start, at - start);
  else if (breaks.length === 1) runs.instead(1, start, at);
  else for (const lineFeed of breaks.slice(1)) runs.instead(1, lineFeed, lineFeed + 1);
  return at;
}

const digits: Record<string, number> = { x: 2, u: 4, U: 8 };
const known = new Set('0abefnrtvN_LP "/\\\t');

/** Reads an escape. The scalar ends at the end of the text, even inside an escape. */
function readEscape(source: string, at: number, limit: number, runs: Runs): number {
  if (isBreak(source, at + 1)) return lineContinuation(source, at);
  const kind = source[at + 1] ?? '';
  const count = digits[kind];
  const end = Math.min(at + 2 + (count ?? 0), limit);
  if (count !== undefined) {
    const code = Number.parseInt(source.slice(at + 2, end), 16);
    runs.instead(code > 0xffff ? 2 : 1, at, end);
  } else if (known.has(kind)) runs.instead(1, at, end);
  else runs.same(at, end - at);
  return end;
}

/** Returns the end of an escaped line break and the indentation after it, which are not part of the value. */
function lineContinuation(source: string, backslash: number): number {
  let at = source.indexOf('\n', backslash) + 1;
  while (source[at] === ' ' || source[at] === '\t') at++;
  return at;
}
