/**
 * The recorded examples (`test/fixtures/examples`) and the comparison of our findings with them. The comparison is of sets of
 * (severity, code, place), and of whether the config is valid. These rules define equality:
 *
 * - Duplicates count once.
 * - Our nodes end at their last visible character; those of the reference end after their line break, and may lose outer
 *   parentheses. So places are equal if they are equal without the white space and parentheses at their ends.
 * - The reference does not know the end of a statement that is not a SELECT, so only the start counts for `not-a-select`.
 * - Our `missing-id` equals its warning `missing-id-column`, because each of our codes has only one severity.
 * - The reference marks offsets 0 to 10 if it does not know the place: then any place of ours is accepted. For the codes of
 *   {@link placeless} it marks an SQL text or a line: then any place of ours inside it is accepted.
 * - The reference stops at the first error of a YAML text and of an SQL text, so we may report more in the same file or text.
 * - The reference has no place for missing things, where we mark the key. It marks a part of a clause or join, or the whole query,
 *   where we mark the clause. It marks the word after a syntax error, where we mark the wrong word.
 * - Consequences of a problem ({@link consequences}) may be missing if we report the problem itself.
 * - Findings that the reference does not have ({@link oursAlone}) are ignored. But if one of them is an error, the config becomes
 *   invalid, and that counts.
 * - If the reference throws, there is nothing to compare; `deviations.ts` lists our findings.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { isMap, isScalar, parseDocument, visit } from 'yaml';
import {
  type Code,
  codeGroups,
  type Finding,
  type Severity,
  severityOf,
} from '../../../server/engine/diagnostics/diagnostics.ts';
import type { Catalog, ColumnType } from '../../../server/engine/model/catalog.ts';
import type { Span } from '../../../server/engine/text/span.ts';
import type { Mark } from './fixture.ts';

export interface Example {
  readonly name: string;
  readonly about: string;
  readonly text: string;
  readonly defaultSchema: string;
  readonly catalog?: Catalog;
  readonly outcome: 'valid' | 'invalid' | 'crash';
  /** The marks that the newer recorded version reports. */
  readonly expected: readonly Mark[];
}

/** Sorted marks with signs, such as `-error unknown-function 6:35-6:39` (missing) and `+error …` (not expected). */
export type Difference = readonly string[];

type Position = readonly [line: number, column: number];

interface RecordedRows {
  readonly about: string;
  readonly options?: {
    readonly default_schema?: string;
    readonly schema?: Record<string, Record<string, Record<string, Record<string, ColumnType>>>>;
  };
  readonly results: {
    readonly '0.40.0': {
      readonly outcome: 'valid' | 'valid-with-warnings' | 'invalid' | 'crash';
      readonly diagnostics?: readonly {
        readonly severity: Severity;
        readonly code: string;
        readonly range: readonly [Position, Position];
      }[];
    };
  };
}

const folder = new URL('../../fixtures/examples/', import.meta.url);

export function readExamples(): Example[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => readExample(file.slice(0, -'.yaml'.length)));
}

function readExample(name: string): Example {
  const text = readFileSync(new URL(`${name}.yaml`, folder), 'utf8');
  const recorded: RecordedRows = JSON.parse(readFileSync(new URL(`${name}.expected.json`, folder), 'utf8'));
  const result = recorded.results['0.40.0'];
  const schema = recorded.options?.schema;
  return {
    name,
    about: recorded.about,
    text,
    defaultSchema: recorded.options?.default_schema ?? 'public',
    ...(schema && { catalog: catalogOf(name, schema) }),
    outcome: result.outcome === 'valid-with-warnings' ? 'valid' : result.outcome,
    expected: (result.diagnostics ?? []).map(({ severity, code, range: [start, end] }) => ({
      severity,
      code,
      span: { start: offsetAt(text, start), end: offsetAt(text, end) },
    })),
  };
}

type RecordedSchema = NonNullable<NonNullable<RecordedRows['options']>['schema']>;

function catalogOf(version: string, recorded: RecordedSchema): Catalog {
  const tables = Object.entries(recorded).flatMap(([tag, schemas]) =>
    Object.entries(schemas).flatMap(([schema, tables]) =>
      Object.entries(tables).map(([name, columns]) => ({
        tag,
        schema,
        name,
        columns: new Map(Object.entries(columns).map(([column, type]) => [column, { name: column, type }])),
      })),
    ),
  );
  return { version, tables };
}

export function compareFindings(example: Example, findings: readonly Finding[]): Difference {
  const actual = findings.map(({ code, span }) => ({ severity: severityOf(code), code, span }));
  const reported = example.expected.map(inOurWords);
  const { sqlTexts, yamlBroken, edition3 } = layoutOf(example.text);
  const same = (a: Mark, b: Mark) => samePlace(example.text, a, b);
  const textOf = (mark: Mark) => sqlTexts.find((text) => holds(text, mark));

  const mayBeMissing = (mark: Mark) =>
    consequences.some(
      ({ code, of, cause }) =>
        code === mark.code &&
        actual.some(
          (found) =>
            found.severity === 'error' &&
            (of === undefined || of.includes(found.code)) &&
            (cause === 'in the file' || (textOf(found) === textOf(mark)) === (cause === 'in the same text')),
        ),
    );
  const missing = reported.filter(
    (mark) => !actual.some((found) => same(mark, found)) && !mayBeMissing(mark),
  );
  const mayHaveMore = (found: Mark) =>
    yamlBroken ||
    reported.some(
      (mark) => mark.code === 'sql-syntax' && textOf(mark) !== undefined && textOf(mark) === textOf(found),
    );
  /** Whether the config has streams of edition 2. The reference does not warn there about values that clients choose. */
  const hasAlphaStreams = example.expected.some(({ code }) => code === 'alpha-streams');
  const tooMuch = actual.filter(
    (found) =>
      !oursAlone.has(found.code) &&
      !(edition3 && oursAloneInEdition3.has(found.code)) &&
      !(hasAlphaStreams && found.code === 'unauthenticated-parameter') &&
      !reported.some((mark) => same(mark, found)) &&
      !mayHaveMore(found),
  );
  const outcome = actual.some((found) => found.severity === 'error') ? 'invalid' : 'valid';
  return [
    ...(outcome === example.outcome ? [] : [`-${example.outcome}`, `+${outcome}`]),
    ...new Set(missing.map((mark) => `-${showMark(example.text, mark)}`)),
    ...new Set(tooMuch.map((mark) => `+${showMark(example.text, mark)}`)),
  ].sort();
}

/** Codes of these groups that the reference also has. */
const ofReference: ReadonlySet<string> = new Set<Code>([
  'unknown-table',
  'unknown-column',
  'cte-shadows-table',
  'negated-subquery',
]);

/** Codes of ours for configs that the reference accepts silently. */
const oursAlone: ReadonlySet<string> = new Set(
  ['With a known source schema', 'What a service accepts silently', 'Advice that no service gives']
    .flatMap((title) => codeGroups.get(title) ?? [])
    .filter((code) => !ofReference.has(code)),
);

/** Codes that the reference has before edition 3 only. */
const oursAloneInEdition3: ReadonlySet<string> = new Set<Code>([
  'unknown-table-function',
  'default-stream-with-subscription-parameter',
  'identifier-lowercased',
]);

interface Consequence {
  readonly code: Code;
  /** The codes of the cause. Absent: any error. */
  readonly of?: readonly Code[];
  /** The required place of the cause. */
  readonly cause: 'in the file' | 'in the same text' | 'in another text';
}

/** Problems that the reference reports together with their causes, and that we may leave out. */
const consequences: readonly Consequence[] = [
  { code: 'alpha-streams', of: ['expected-number'], cause: 'in the file' },
  { code: 'streams-require-edition-2', of: ['expected-number'], cause: 'in the file' },
  { code: 'cte-requires-edition-3', of: ['expected-number'], cause: 'in the file' },
  { code: 'missing-streams', of: ['expected-map', 'unknown-key'], cause: 'in the file' },
  { code: 'missing-definitions', of: ['expected-map', 'unknown-key'], cause: 'in the file' },
  { code: 'parameters-unresolved', of: ['parameters-wrong-type'], cause: 'in the file' },
  { code: 'parameters-unresolved', cause: 'in another text' },
  { code: 'bucket-parameters-mismatch', cause: 'in another text' },
  { code: 'unknown-subquery-column', of: ['star-in-subquery'], cause: 'in the file' },
  { code: 'cte-single-column', of: ['star-in-subquery'], cause: 'in the file' },
  { code: 'function-inputs', of: ['function-chained'], cause: 'in the same text' },
  { code: 'function-partition', of: ['function-chained'], cause: 'in the same text' },
  { code: 'ambiguous-reference', of: ['unsupported-join', 'not-a-select'], cause: 'in the same text' },
  { code: 'query-or-queries', cause: 'in the file' },
  { code: 'no-output-table', cause: 'in the same text' },
  { code: 'unnamed-column', of: ['unsupported-expression'], cause: 'in the same text' },
];

function inOurWords(mark: Mark): Mark {
  const isMissingId = mark.severity === 'warning' && mark.code === 'missing-id-column';
  return isMissingId ? { ...mark, code: 'missing-id' satisfies Code } : mark;
}

/** The place of a mark if the reference does not report one. */
const noPlace: Span = { start: 0, end: 10 };

function samePlace(text: string, mark: Mark, found: Mark): boolean {
  if (mark.code !== found.code || mark.severity !== found.severity) return false;
  if (mark.span.start === noPlace.start && mark.span.end === Math.min(noPlace.end, text.length)) return true;
  if (placeless.has(mark.code) || (mark.code === 'sql-syntax' && marksWholeText(text, mark)))
    return mark.span.start <= found.span.start && found.span.start < mark.span.end;
  if (marksClause.has(mark.code)) return isInOneText(text, mark, found);
  const a = core(text, mark.span);
  const b = core(text, found.span);
  if (a.start === a.end && a.start > b.end) return /^[:\s]*$/.test(text.slice(b.end, a.start));
  if (mark.code === 'sql-syntax') return isNear(text, a, b);
  return a.start === b.start && (a.end === b.end || mark.code === 'not-a-select');
}

/** Codes for which we mark the clause. The reference marks the text after its key word, or the whole query. */
const marksClause: ReadonlySet<string> = new Set<Code>([
  'unsupported-clause',
  'unsupported-join',
  'join-using',
]);

function isInOneText(text: string, mark: Mark, found: Mark): boolean {
  return layoutOf(text).sqlTexts.some((sql) => holds(sql, mark) && holds(sql, found));
}

/** Whether the reference marks the span that we mark, a part of it, or the next word. It marks the word at which it stops. */
function isNear(text: string, theirs: Span, ours: Span): boolean {
  if (ours.start <= theirs.start && theirs.end <= ours.end) return true;
  const between = text.slice(ours.end, theirs.start);
  return ours.end <= theirs.start && /^\s*$/.test(between);
}

/** Errors for which the reference does not know the place in the text. */
const placeless: ReadonlySet<string> = new Set<Code>(['invalid-schema-name', 'internal-error']);

/** Whether the reference marks the whole text, as it does for a query that ends too early. */
function marksWholeText(text: string, { span }: Mark): boolean {
  const marked = core(text, span);
  return layoutOf(text).sqlTexts.some((value) => {
    const whole = core(text, value);
    return (
      whole.start <= marked.start &&
      marked.start - whole.start <= longestOpening &&
      marked.end >= whole.end - 1
    );
  });
}

/** The most characters before the text: a quote, or the header of a block with the indentation after it. */
const longestOpening = 12;

/** Returns a span without the white space and parentheses at its ends. If nothing is left, the span is empty. */
function core(text: string, { start, end }: Span): Span {
  const marked = text.slice(start, end);
  const inner = marked.replace(/[\s)]+$/, '');
  return { start: start + inner.length - inner.replace(/^[\s(]+/, '').length, end: start + inner.length };
}

function holds(outer: Span, { span }: Mark): boolean {
  return outer.start <= span.start && span.end <= outer.end;
}

/** Returns the places of the SQL texts, whether the YAML is broken, and whether it has `edition: 3`. */
function layoutOf(text: string): { sqlTexts: Span[]; yamlBroken: boolean; edition3: boolean } {
  const document = parseDocument(text);
  const sqlTexts: Span[] = [];
  visit(document, {
    Scalar(key, { range }) {
      if (key !== 'key' && range) sqlTexts.push({ start: range[0], end: range[2] });
    },
  });
  const edition = isMap(document.contents) ? document.getIn(['config', 'edition']) : undefined;
  return {
    sqlTexts,
    yamlBroken: document.errors.length > 0,
    edition3: (isScalar(edition) ? edition.value : edition) === 3,
  };
}

function showMark(text: string, { severity, code, span }: Mark): string {
  return `${severity} ${code} ${positionAt(text, span.start)}-${positionAt(text, span.end)}`;
}

function positionAt(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`;
}

function offsetAt(text: string, [line, column]: Position): number {
  let start = 0;
  for (let rest = line - 1; rest > 0; rest--) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}
