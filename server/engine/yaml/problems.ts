/** Converts the problems that `yaml` reports to findings. Its codes are coarse, so some decisions depend on its message. */
import type { ErrorCode, YAMLParseError } from 'yaml';
import type { Finding } from '../diagnostics/diagnostics.ts';
import { type Span, span } from '../text/span.ts';
import { lineEnd, skipSpace, trimEnd } from './space.ts';

/**
 * The offsets at which quotes and brackets open, by the offset of their end, because `yaml` marks only the end of an unclosed one.
 */
export type Openings = ReadonlyMap<number, number>;

interface Place {
  readonly text: string;
  /** The span that `yaml` reports. It is often a single character, and sometimes after the end of the text. */
  readonly at: Span;
  readonly openings: Openings;
}

interface Explanation {
  readonly reason: string;
  readonly span?: Span;
}

type Explain = (place: Place) => Explanation;

/** Converts errors. A mistake often has several consequences in its line, so only the first error of each line is reported. */
export function explainErrors(
  text: string,
  errors: readonly YAMLParseError[],
  openings: Openings,
): Finding[] {
  const findings: Finding[] = [];
  let told = -1;
  for (const error of [...errors].sort((a, b) => a.pos[0] - b.pos[0])) {
    if (error.pos[0] <= told) continue;
    const finding = explainError(text, error, openings);
    if (finding.span.start <= told) continue;
    findings.push(finding);
    told = Math.max(lineEnd(text, finding.span.start), finding.span.end);
  }
  return findings;
}

function explainError(text: string, { code, message, pos }: YAMLParseError, openings: Openings): Finding {
  const at = span(Math.min(pos[0], text.length), Math.min(pos[1], text.length));
  const [, , explain = explainUnexpected] =
    explanations.find(([ours, pattern]) => ours === code && pattern.test(message)) ?? [];
  const { reason, span: better = at } = explain({ text, at, openings });
  return { code: 'yaml-syntax', span: better, args: { reason } };
}

const say =
  (reason: string): Explain =>
  () => ({ reason });

/** Returns a function that marks everything from the place to the end of its line. */
const sayOfLine =
  (reason: string): Explain =>
  ({ text, at }) => ({ reason, span: span(at.start, Math.max(lineEnd(text, at.start), at.start)) });

const explanations: readonly (readonly [ErrorCode, RegExp, Explain])[] = [
  ['ALIAS_PROPS', /^/, say('an alias cannot have its own anchor or tag.')],
  ['BAD_ALIAS', /^/, say('an anchor or alias needs a name.')],
  ['BAD_DIRECTIVE', /^/, say('this directive is not known.')],
  ['BAD_DQ_ESCAPE', /^/, badEscape],
  ['BAD_INDENT', /^All mapping items/, otherIndent],
  ['BAD_INDENT', /^All sequence items/, say('the dashes of one list must be below each other.')],
  ['BAD_INDENT', /^Flow/, unclosedFlow],
  ['BAD_INDENT', /^Block scalar values/, sayOfLine('this text must be indented more than its key.')],
  [
    'BAD_INDENT',
    /^Block scalar lines/,
    sayOfLine('this line is indented less than the first line of its text.'),
  ],
  ['BAD_PROP_ORDER', /^/, say('an anchor or tag must come after this character, not before it.')],
  ['BAD_SCALAR_START', /^/, badStart],
  [
    'BLOCK_AS_IMPLICIT_KEY',
    /^Nested/,
    sayOfLine('a string that contains `: ` needs quotes or must be a block (`|`).'),
  ],
  ['BLOCK_AS_IMPLICIT_KEY', /^/, say('a list cannot be a key.')],
  ['BLOCK_IN_FLOW', /^/, say('a value between brackets must be on one line, or in brackets itself.')],
  ['KEY_OVER_1024_CHARS', /^/, say('a key cannot be longer than 1,024 characters.')],
  ['MISSING_CHAR', /^Missing closing/, unclosedQuote],
  ['MISSING_CHAR', /^Implicit map keys/, missingColon],
  ['MISSING_CHAR', /^Comments/, say('a comment needs a space before its `#`.')],
  ['MISSING_CHAR', /^Tags and anchors/, say('a tag or anchor needs a space after it.')],
  ['MISSING_CHAR', /^Missing space after/, say('a colon needs a space after it.')],
  ['MISSING_CHAR', /^Missing , (or|between)/, say('a comma is missing before this.')],
  ['MISSING_CHAR', /must end with a/, unclosedFlow],
  ['MISSING_CHAR', /^Sequence item/, say('each item of a list needs a dash before it.')],
  ['MISSING_CHAR', /^Missing newline/, say('the list must start on its own line.')],
  [
    'MISSING_CHAR',
    /^Block scalars with/,
    say('an empty line at the start of this text is indented more than the text.'),
  ],
  ['MISSING_CHAR', /^Block collection cannot/, say('the content must start on its own line, after `---`.')],
  ['MISSING_CHAR', /^Missing directives-end/, say('`---` must follow the directives.')],
  ['MULTILINE_IMPLICIT_KEY', /^/, missingColon],
  ['MULTIPLE_ANCHORS', /^/, say('only one anchor is possible here.')],
  ['MULTIPLE_TAGS', /^/, say('only one tag is possible here.')],
  ['TAB_AS_INDENT', /^/, say('tabs cannot be used for indentation. Use spaces.')],
  ['TAG_RESOLVE_FAILED', /^/, say('the value does not fit its tag.')],
  [
    'UNEXPECTED_TOKEN',
    /^Block scalar header/,
    say('only `|` or `>`, `+` or `-` and one digit are possible here.'),
  ],
  ['UNEXPECTED_TOKEN', /^Unexpected scalar at node end/, behindQuote],
  ['UNEXPECTED_TOKEN', /^Unexpected block-seq-ind/, say('a list must start on the line below its key.')],
];

function explainUnexpected({ text, at }: Place): Explanation {
  const word = /^[^\s:,[\]{}]+|^[^\s]/.exec(text.slice(at.start, at.start + 30))?.[0];
  if (word === undefined) return { reason: 'something is missing or indented wrongly here.' };
  return { reason: `\`${word}\` was not expected here.`, span: span(at.start, at.start + word.length) };
}

/** The notation of each kind of quote inside a text in such quotes. */
const quotesInside: Readonly<Record<string, string>> = { '"': '\\"', "'": "''" };

function behindQuote(place: Place): Explanation {
  const { text, at } = place;
  const quote = text.charAt(at.start - 1);
  const inside = quotesInside[quote];
  if (inside === undefined) return explainUnexpected(place);
  return {
    reason: `the text ends at the ${quote} before this. Write ${inside} inside, or make it a block (\`|\`).`,
    span: span(at.start - 1, lineEnd(text, at.start)),
  };
}

function otherIndent({ text, at }: Place): Explanation {
  const start = skipSpace(text, at.start);
  return {
    reason: 'this line is indented differently from the lines of the same map above.',
    span: span(start, lineEnd(text, start)),
  };
}

function unclosedQuote({ text, at, openings }: Place): Explanation {
  const start = openings.get(trimEnd(text, 0, at.start)) ?? at.start;
  return {
    reason: `this quote is never closed. Add ${text[start] ?? 'a quote'} at the end of the text.`,
    span: span(start, lineEnd(text, start)),
  };
}

function unclosedFlow({ text, at, openings }: Place): Explanation {
  const start = openings.get(trimEnd(text, 0, at.start)) ?? at.start;
  return { reason: 'this bracket is never closed.', span: span(start, Math.min(start + 1, text.length)) };
}

function badEscape({ text, at }: Place): Explanation {
  const sequence = text.slice(at.start, at.start + 2);
  return {
    reason: `\`${sequence}\` is not an escape sequence. Write \`\\\\\` for a backslash, or use single quotes.`,
    span: span(at.start, at.start + 2),
  };
}

function badStart({ text, at }: Place): Explanation {
  return { reason: `a text that starts with \`${text.slice(at.start, at.start + 1)}\` needs quotes.` };
}

function missingColon({ text, at }: Place): Explanation {
  const end = lineEnd(text, at.start);
  const key = text.slice(at.start, end);
  if (/[|>][-+0-9]*\s*$/.test(lineAbove(text, at.start)))
    return { reason: 'this text must be indented more than its key.', span: span(at.start, end) };
  const colon = /^[\w-]+:(?=\S)/.exec(key);
  if (colon)
    return { reason: 'a colon needs a space after it.', span: span(at.start, at.start + colon[0].length) };
  return key.length > 0 && key.length <= 60
    ? { reason: `\`${key}\` has no colon after it.`, span: span(at.start, end) }
    : { reason: 'a colon is missing after this key.', span: span(at.start, end) };
}

function lineAbove(text: string, at: number): string {
  const end = text.lastIndexOf('\n', at - 1);
  return end < 0 ? '' : text.slice(text.lastIndexOf('\n', end - 1) + 1, end);
}
