/**
 * The recorded examples (`test/fixtures/examples`) and how our findings are compared with them: as a set of
 * (severity, code, place), and valid or not. What counts as equal, everywhere:
 *
 * - Duplicates count once.
 * - Our nodes end at their last visible character, those of the reference after their line break; and it may lose
 *   outer parentheses. So places are equal if they are without white space and parentheses at their ends.
 * - Of a statement that is no SELECT it does not know the end: only the start counts for `not-a-select`.
 * - Its warning `missing-id-column` is our `missing-id`: a code of ours has one severity.
 * - The reference marks offsets 0 to 10 when it knows no place: any place of ours will do. For the codes of
 *   {@link placeless} it marks an SQL text or a line: any place of ours in it will do.
 * - It stops at the first error of a YAML text and of an SQL text: we may report more in the same file or text.
 * - What is missing has no place there; we mark the key. Of a clause or a join it marks a part, or the whole query; we mark the
 *   clause. A syntax error is marked at the wrong word, where it marks the next one.
 * - Consequences of a problem ({@link consequences}) may be missing where the problem itself is reported.
 * - Findings that the reference does not have ({@link oursAlone}) are left out; but if one is an error, the config
 *   becomes invalid, and that counts.
 * - Where the reference throws, it has no opinion; `deviations.ts` says what we find.
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

/** Signed marks, such as `-error unknown-function 6:35-6:39` (missing) and `+error …` (too much), sorted. */
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
  /** The reference does not warn of what clients choose in streams of edition 2. */
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

/** Codes of these groups that the reference has as well. */
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
  /** Absent: any error. */
  readonly of?: readonly Code[];
  /** The required place of the cause. */
  readonly cause: 'in the file' | 'in the same text' | 'in another text';
}

/** The reference reports these together with their causes; we may leave them out. */
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

/** The mark of the reference if it knows no place. */
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

/** The reference marks the text after their key word, or the whole query; we mark the clause. */
const marksClause: ReadonlySet<string> = new Set<Code>([
  'unsupported-clause',
  'unsupported-join',
  'join-using',
]);

function isInOneText(text: string, mark: Mark, found: Mark): boolean {
  return layoutOf(text).sqlTexts.some((sql) => holds(sql, mark) && holds(sql, found));
}

/** The reference marks the word at which it stops: the one that we mark, one in it, or the next. */
function isNear(text: string, theirs: Span, ours: Span): boolean {
  if (ours.start <= theirs.start && theirs.end <= ours.end) return true;
  const between = text.slice(ours.end, theirs.start);
  return ours.end <= theirs.start && /^\s*$/.test(between);
}

/** Errors whose place in the text the reference does not know. */
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

/** A quote, or the header of a block with the indentation after it. */
const longestOpening = 12;

/** A span without the white space and the parentheses at its ends; an empty one stays where it ends. */
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
