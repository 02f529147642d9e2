/**
 * Formats the SQL of a config. The YAML is not changed: scalars keep their style, and comments keep their place. Each formatted
 * text is parsed again, and the text is left unchanged if any of its tokens would differ.
 */
import type { Analysis } from '../../engine/index.ts';
import { type Gap, layoutOf } from '../../engine/sql/layout/layout.ts';
import { tokenize } from '../../engine/sql/lexer.ts';
import { applyEdits, type Edit, shiftEdits } from '../../engine/text/edit.ts';
import { columnOf } from '../../engine/text/lines.ts';
import { type Span, span } from '../../engine/text/span.ts';
import { columnOfNode, columnOfText, endOfLineOf } from '../../engine/yaml/columns.ts';
import type { YamlScalar } from '../../engine/yaml/nodes.ts';
import { type Reading, readYaml } from '../../engine/yaml/read.ts';
import { isOnlyChange } from '../../engine/yaml/scalarEdits.ts';
import { type InnerText, innerTextOf } from '../reading/innerEdits.ts';
import { type WritableSql, writableTexts } from '../reading/queries.ts';

/** The maximum line length in characters. */
const width = 100;

/** Returns the edits for all queries, or for the queries that touch the span. */
export function formatConfig(analysis: Analysis, within?: Span): readonly Edit[] {
  const inner = innerTextOf(analysis);
  if (inner) return inFileOf(inner, formatConfig(inner.analysis, within && inner.toInner(within)));
  return writableTexts(analysis)
    .filter((sql) => within === undefined || touches(sql, within))
    .flatMap((sql) => shiftEdits(findEdits(sql), sql.part.base));
}

/** Returns the edits for all queries that touch any of the spans, without duplicates. */
export function formatSelections(analysis: Analysis, spans: readonly Span[]): readonly Edit[] {
  const edits = new Map<string, Edit>();
  for (const one of spans)
    for (const edit of formatConfig(analysis, one)) edits.set(`${edit.span.start} ${edit.span.end}`, edit);
  return [...edits.values()].sort((a, b) => a.span.start - b.span.start);
}

/** Cached edits. Their spans are relative to the part, so an unchanged text keeps its edits. */
const keptOf = new WeakMap<
  WritableSql['text'],
  { readonly reading: Reading; readonly edits: readonly Edit[] }
>();

function findEdits(sql: WritableSql): readonly Edit[] {
  const { reading } = sql.part;
  const before = keptOf.get(sql.text);
  if (before?.reading === reading) return before.edits;
  const edits = onlyIfSame(sql, editsOf(sql));
  keptOf.set(sql.text, { reading, edits });
  return edits;
}

/** Corrects the spacing of a line that the user has just finished. Line breaks are not moved, because the user is still typing. */
export function formatLine(analysis: Analysis, line: Span): readonly Edit[] {
  const inner = innerTextOf(analysis);
  if (inner) return inFileOf(inner, formatLine(inner.analysis, inner.toInner(line)));
  return writableTexts(analysis)
    .filter((sql) => touches(sql, line))
    .flatMap((sql) => {
      const { base } = sql.part;
      const edits = editsOf(sql).filter(
        ({ span: at, text }) =>
          at.start + base >= line.start &&
          at.end + base <= line.end &&
          !/[\r\n]/.test(text + sql.part.reading.text.slice(at.start, at.end)),
      );
      return shiftEdits(onlyIfSame(sql, edits), base);
    });
}

/** Converts edits of the sync config inside a service config. */
function inFileOf(inner: InnerText, edits: readonly Edit[]): readonly Edit[] {
  return edits.length > 0 ? (inner.edits(edits) ?? []) : [];
}

function touches({ part, text: { span: at } }: WritableSql, { start, end }: Span): boolean {
  return at.start + part.base <= end && at.end + part.base >= start;
}

/** Returns the edits, relative to the part of the file that contains the text. */
function editsOf(sql: WritableSql): readonly Edit[] {
  const { part, scalar, text, inFlow } = sql;
  const source = part.reading.text;
  const isBlock = scalar.style === 'literal' || scalar.style === 'folded';
  const first = isBlock ? columnOfText(source, scalar) : columnOf(source, scalar.span.start);
  const column = isBlock ? first : continuationOf(source, scalar, first);
  const layout = layoutOf(scalar.text, {
    width: inFlow ? Number.POSITIVE_INFINITY : width - column,
    first: first - column,
    lines: !inFlow && isInLines(source, sql) ? 'many' : 'one',
  });
  if (!layout || (scalar.style !== 'literal' && layout.hasLineComments)) return [];
  const lineBreak = endOfLineOf(source) + ' '.repeat(column);
  const edits = [
    ...layout.words.map(({ span: at, text: word }) => ({ span: text.place(at), text: word })),
    ...layout.gaps.map((gap) => gapEdit(sql, gap, lineBreak)),
  ];
  return edits.filter(({ span: at, text: now }) => source.slice(at.start, at.end) !== now);
}

/**
 * Returns the indentation of further lines: below a key, one level deeper than the key; in a list item, the column of the item's
 * text.
 */
function continuationOf(source: string, scalar: YamlScalar, first: number): number {
  const column = columnOfNode(source, scalar);
  return column === first ? column : column + 2;
}

function gapEdit({ text }: WritableSql, { at, separator }: Gap, lineBreak: string): Edit {
  const before = text.place(span(at.start - 1, at.start));
  const after = text.place(span(at.end, at.end + 1));
  return {
    span: span(before.end, after.start),
    text: typeof separator === 'string' ? separator : lineBreak + ' '.repeat(separator.indent),
  };
}

/** Whether the user has written the query in several lines. */
function isInLines(source: string, { scalar, text }: WritableSql): boolean {
  const { tokens } = tokenize(scalar.text);
  const [first, last] = [tokens[0], tokens.at(-2)];
  if (!first || !last || first.kind === 'end') return false;
  const whole = text.place(span(first.start, last.end));
  return source.slice(whole.start, whole.end).includes('\n');
}

function onlyIfSame({ part, scalar }: WritableSql, edits: readonly Edit[]): readonly Edit[] {
  if (edits.length === 0) return edits;
  const after = readYaml(applyEdits(part.reading.text, edits));
  const tokens = tokensOf(scalar.text);
  return isOnlyChange(part.reading, after, scalar, (text) => tokensOf(text) === tokens) ? edits : [];
}

function tokensOf(text: string): string {
  return JSON.stringify(tokenize(text).tokens.map(({ kind, text: written }) => [kind, written]));
}
