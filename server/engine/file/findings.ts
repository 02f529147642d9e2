/** Collects the findings of the parts of a file. */

import type { Code, Finding, Report } from '../diagnostics/diagnostics.ts';
import type { Reporter } from '../model/definition.ts';
import { lineNumbers, lineStart } from '../text/lines.ts';
import { compareTexts } from '../text/order.ts';
import { lengthOfStart } from '../text/partition.ts';
import { compareSpans, type Span } from '../text/span.ts';
import { type Part, shiftFinding } from '../yaml/parts.ts';

interface Collector extends Reporter {
  readonly findings: Finding[];
}

export function collectFindings(): Collector {
  const findings: Finding[] = [];
  const atPart: Report = (code, span, args) => {
    findings.push({ code, span, args: args as object });
  };
  return { findings, atPart, inSql: (text) => (code, span, args) => atPart(code, text.place(span), args) };
}

export interface FileCollector {
  /** Whether the YAML is invalid, so that something that seems to be missing may exist. */
  readonly broken: boolean;
  /** Reports a finding at a place in the file. */
  readonly atFile: Report;
  /** Returns a function that reports findings at places in a part. */
  readonly inPart: (part: Part) => Report;
  readonly addAtFile: (findings: readonly Finding[]) => void;
  readonly add: (part: Part, findings: readonly Finding[]) => void;
  /** Returns all findings in reading order, without duplicates. */
  readonly inOrder: () => Finding[];
}

/**
 * Starts with the findings in the YAML of the parts. If the YAML of a part is broken, no other finding after its first broken line
 * is reported, because it would only be a consequence.
 */
export function collectInFile(text: string, parts: readonly Part[]): FileCollector {
  const all: Finding[] = [];
  const brokenFrom = new Map<Part, number>();
  const lineOf = lineNumbers(text);
  const place = (part: Part, finding: Finding) => {
    const marked = { ...finding, span: visibleSpan(part.reading.text, finding.span) };
    all.push(shiftFinding(marked, part.base, () => lineOf(part.base) - 1));
  };
  for (const part of parts) {
    const { findings } = part.reading;
    if (findings.length === 0) continue;
    for (const finding of findings) place(part, finding);
    const [first] = findings.filter(({ code }) => breaks.has(code));
    if (first !== undefined) brokenFrom.set(part, lineStart(part.reading.text, first.span.start));
  }
  const tell = (part: Part, finding: Finding) => {
    if (finding.span.end <= (brokenFrom.get(part) ?? Number.POSITIVE_INFINITY)) place(part, finding);
  };
  return {
    broken: brokenFrom.size > 0,
    atFile: (code, span, args) => {
      all.push({ code, span, args: args as object });
    },
    addAtFile: (findings) => {
      for (const finding of findings) all.push(finding);
    },
    inPart: (part) => (code, span, args) => tell(part, { code, span, args: args as object }),
    add: (part, findings) => {
      for (const finding of findings) tell(part, finding);
    },
    inOrder: () => {
      const isCutOff = cutOffBy(text, all);
      return inOrder(all.filter((finding) => !isCutOff(finding)));
    },
  };
}

/**
 * Returns a span that an editor can show. A missing value has no span of its own, so the key, the quotes or the preceding word is
 * marked. The first word of a file has nothing before it.
 */
function visibleSpan(text: string, at: Span): Span {
  const { start, end } = at;
  if (start < end) return at;
  const quote = text[end];
  if ((quote === '"' || quote === "'") && text[start - 1] === quote)
    return { start: start - 1, end: end + 1 };
  const before = text.slice(Math.max(0, start - farthestWord), start);
  const word = /(?<word>"[^"\n]*"|'[^'\n]*'|[^\s:]+|:):?\s*$/.exec(before);
  if (word?.groups?.word === undefined) return at;
  const from = start - before.length + word.index;
  return { start: from, end: from + word.groups.word.length };
}

/** The maximum number of characters to search backwards for the word before a missing value. */
const farthestWord = 300;

/**
 * Whether a value only seems to be missing, because the next text after its key could not be read and is that value. Only the next
 * unreadable place counts, because any later one follows it.
 */
function cutOffBy(text: string, all: readonly Finding[]): (finding: Finding) => boolean {
  const starts = all.filter(({ code }) => breaks.has(code)).map(({ span }) => span.start);
  const sorted = Int32Array.from(starts).sort();
  return ({ span, args }) => {
    if (!('isMissing' in args)) return false;
    const next = sorted[lengthOfStart(sorted.length, (index) => (sorted[index] ?? 0) < span.end)];
    if (next === undefined) return false;
    const end = lineStart(text, next);
    let at = span.end;
    while (at < end && isBlankOrColon(text[at])) at += 1;
    return at >= end;
  };
}

function isBlankOrColon(character = ''): boolean {
  return character === ':' || character.trim() === '';
}

/** Codes after which text was not read, or was not read as intended. */
const breaks: ReadonlySet<Code> = new Set<Code>(['yaml-syntax', 'yaml-too-deep', 'yaml-too-long']);

function inOrder(findings: readonly Finding[]): Finding[] {
  const sorted = findings.toSorted((a, b) => compareSpans(a.span, b.span) || compareTexts(a.code, b.code));
  return sorted.filter((finding, index) => {
    const before = sorted[index - 1];
    return before?.code !== finding.code || compareSpans(before.span, finding.span) !== 0;
  });
}
