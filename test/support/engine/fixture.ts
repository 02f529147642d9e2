/**
 * Drawn fixtures: configs as text. The expected findings are drawn below their lines, and cursors are marked in the text.
 *
 *     streams:
 *       mine:
 *         query: SELECT * FROM tsks WHERE owner = auth.us<|>er_id()
 *     #~                       ^^^^ error unknown-table "did you mean"
 *
 * - `#~` describes a finding in the nearest real line above. Carets mark the columns. The severity, the code and optionally a
 *   part of the message follow. The message is compared without regard to case.
 * - Columns that carets cannot show: `#~@0-2 …` (hidden by the prefix), `#~@4-4 …` (empty),
 *   `#~@4-+2:7 …` (ends in column 7, two lines further down).
 * - `<|>` is a cursor. Marks and cursors are removed before the text is read.
 * - `=== path/name.yaml` starts another file; `=== catalog` starts a section with `create table` lines.
 *
 * If a fixture starts with a line break, it is indented like a template literal: the indentation of its first line is removed
 * from all lines. Any other fixture is used unchanged.
 */
import type { Severity } from '../../../server/engine/diagnostics/diagnostics.ts';
import type { Catalog } from '../../../server/engine/model/catalog.ts';
import { type Span, span } from '../../../server/engine/text/span.ts';
import { readCatalog } from './catalog.ts';

export interface Mark {
  readonly severity: Severity;
  readonly code: string;
  /** Offsets in the file's text without marks and cursors. */
  readonly span: Span;
  /** A part of the expected message. */
  readonly sentence?: string;
}

export interface FixtureFile {
  readonly path: string;
  /** The text without marks and cursors. */
  readonly text: string;
  readonly marks: readonly Mark[];
  /** Offsets in `text`. */
  readonly cursors: readonly number[];
}

export interface Fixture {
  readonly files: readonly FixtureFile[];
  readonly catalog?: Catalog;
  /** The indentation that was removed from each line. */
  readonly indent: string;
}

/** The name of a file that no `===` line names. */
const unnamed = 'sync.yaml';
export const cursor = '<|>';

export function readFixture(drawing: string): Fixture {
  const { text, indent } = dedent(drawing);
  const files: FixtureFile[] = [];
  let catalog: Catalog | undefined;
  for (const section of sectionsOf(text)) {
    if (section.path === 'catalog') catalog = readCatalog(section.text);
    else files.push(readFile(section.path, section.text));
  }
  return { files, indent, ...(catalog && { catalog }) };
}

function dedent(drawing: string): { text: string; indent: string } {
  const opening = /^\r?\n([ \t]*)/.exec(drawing);
  if (opening === null) return { text: drawing, indent: '' };
  const indent = opening[1] ?? '';
  const lines = drawing.slice(opening[0].length - indent.length).split('\n');
  if (lines.at(-1)?.trim() === '') lines[lines.length - 1] = '';
  return { text: lines.map((line) => withoutIndent(line, indent)).join('\n'), indent };
}

function withoutIndent(line: string, indent: string): string {
  if (line.startsWith(indent)) return line.slice(indent.length);
  if (line.trim() === '') return line.replace(/^[ \t]+/, '');
  throw new Error(`This line is indented less than the first one of the fixture: ${line}`);
}

function sectionsOf(text: string): { path: string; text: string }[] {
  const sections: { path: string; text: string }[] = [];
  let rest = { path: unnamed, text: '' };
  for (const line of linesOf(text)) {
    const header = /^=== (.*?)\r?\n?$/.exec(line);
    if (header === null) {
      rest.text += line;
      continue;
    }
    if (rest.path !== unnamed || rest.text.trim() !== '') sections.push(rest);
    rest = { path: header[1] ?? '', text: '' };
  }
  return [...sections, rest];
}

/** Splits a text into lines that keep their line breaks. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

interface RealLine {
  /** The offset of the line in the text of the file. */
  readonly start: number;
  /** The columns of the line's cursors in the drawing. */
  readonly cursors: readonly number[];
}

function readFile(path: string, drawn: string): FixtureFile {
  const lines: RealLine[] = [];
  const drawnMarks: { line: number; text: string }[] = [];
  let text = '';
  for (const line of linesOf(drawn)) {
    if (line.startsWith('#~')) {
      if (lines.length === 0) lines.push({ start: 0, cursors: [] });
      drawnMarks.push({ line: lines.length - 1, text: line.trimEnd() });
      continue;
    }
    lines.push({ start: text.length, cursors: cursorsOf(line) });
    text += line.replaceAll(cursor, '');
  }
  return {
    path,
    text,
    marks: drawnMarks.map((mark) => readMark(mark.text, mark.line, lines)),
    cursors: lines.flatMap((line) => line.cursors.map((column) => offsetAt(line, column))),
  };
}

function cursorsOf(line: string): number[] {
  const columns: number[] = [];
  for (let at = line.indexOf(cursor); at >= 0; at = line.indexOf(cursor, at + cursor.length))
    columns.push(at);
  return columns;
}

const carets = /^#~ *(?<carets>\^+) (?<rest>.*)$/;
const columns = /^#~@(?<start>\d+)-(?:\+(?<lines>\d+):)?(?<end>\d+) (?<rest>.*)$/;
const words = /^(?<severity>error|warning|hint) (?<code>[\w-]+)(?: "(?<sentence>.*)")?$/;

function readMark(text: string, line: number, lines: readonly RealLine[]): Mark {
  const drawn = carets.exec(text)?.groups ?? columns.exec(text)?.groups;
  const said = words.exec(drawn?.rest ?? '')?.groups;
  if (drawn === undefined || said === undefined) throw new Error(`Not a mark: ${text}`);
  const start = drawn.carets ? text.indexOf('^') : Number(drawn.start);
  const end = drawn.carets ? start + drawn.carets.length : Number(drawn.end);
  const first = lines[line];
  const last = lines[line + Number(drawn.lines ?? 0)];
  if (first === undefined || last === undefined) throw new Error(`This mark has no line: ${text}`);
  return {
    severity: said.severity as Severity,
    code: said.code ?? '',
    span: span(offsetAt(first, start), offsetAt(last, end)),
    ...(said.sentence !== undefined && { sentence: said.sentence }),
  };
}

/** Returns the offset of a drawn column in the text. Cursors before the column take up columns, but are not part of the text. */
function offsetAt(line: RealLine, column: number): number {
  const before = line.cursors.filter((at) => at < column).length;
  return line.start + column - before * cursor.length;
}
