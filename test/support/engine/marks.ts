import { AssertionError } from 'node:assert';
import { type Finding, messageOf, severityOf } from '../../../server/engine/diagnostics/diagnostics.ts';
import type { Span } from '../../../server/engine/text/span.ts';
import { cursor, type Fixture, type FixtureFile, linesOf, type Mark, readFixture } from './fixture.ts';

/**
 * Fails unless the findings in each file of the fixture are exactly the drawn ones. The failure contains a new drawing of the
 * fixture with the actual findings, ready to be pasted. See `fixture.ts` for the notation.
 */
export function expectMarks(
  drawing: string,
  find: (file: FixtureFile, fixture: Fixture) => readonly Finding[],
): void {
  const fixture = readFixture(drawing);
  const problems = fixture.files.flatMap((file) => compare(file, find(file, fixture), fixture.indent));
  if (problems.length > 0)
    throw new AssertionError({ message: problems.join('\n\n'), stackStartFn: expectMarks });
}

function compare(file: FixtureFile, findings: readonly Finding[], indent: string): string[] {
  const unmet = [...file.marks];
  const unmarked: Finding[] = [];
  const actual: Mark[] = [];
  for (const finding of findings) {
    const at = unmet.findIndex((mark) => meets(finding, mark));
    const met = at < 0 ? undefined : unmet.splice(at, 1)[0];
    if (met === undefined) unmarked.push(finding);
    actual.push(met ?? { severity: severityOf(finding.code), code: finding.code, span: finding.span });
  }
  if (unmet.length === 0 && unmarked.length === 0) return [];
  return [
    [
      ...unmarked.map((finding) => `${file.path}: not marked: ${finding.code} "${messageOf(finding)}"`),
      ...unmet.map(
        (mark) => `${file.path}: not found: ${mark.code}${mark.sentence ? ` "${mark.sentence}"` : ''}`,
      ),
      'Drawn as found:',
      draw(file, actual)
        .split('\n')
        .map((line) => (line === '' ? line : indent + line))
        .join('\n'),
    ].join('\n'),
  ];
}

function meets(finding: Finding, mark: Mark): boolean {
  return (
    finding.code === mark.code &&
    severityOf(finding.code) === mark.severity &&
    finding.span.start === mark.span.start &&
    finding.span.end === mark.span.end &&
    messageOf(finding)
      .toLowerCase()
      .includes((mark.sentence ?? '').toLowerCase())
  );
}

/** Returns the file with its cursors, and with these marks below its lines. */
export function draw(file: Pick<FixtureFile, 'text' | 'cursors'>, marks: readonly Mark[]): string {
  const inOrder = [...marks].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  const lines = linesOf(file.text);
  if (lines.length === 0 || (file.text.endsWith('\n') && file.cursors.includes(file.text.length)))
    lines.push('');
  const starts = startsOf(lines);
  return lines
    .flatMap((line, index) => {
      const here = inOrder.filter((mark) => lineAt(starts, mark.span.start) === index);
      const drawn = withCursors(line, starts[index] ?? 0, file.cursors);
      if (here.length === 0) return [drawn];
      const ended = drawn === '' || drawn.endsWith('\n') ? drawn : `${drawn}\n`;
      return [ended, ...here.map((mark) => `${drawMark(mark, starts, file.cursors)}\n`)];
    })
    .join('');
}

function startsOf(lines: readonly string[]): number[] {
  let start = 0;
  return lines.map((line) => {
    start += line.length;
    return start - line.length;
  });
}

function lineAt(starts: readonly number[], offset: number): number {
  return starts.findLastIndex((start) => start <= offset);
}

function withCursors(line: string, start: number, cursors: readonly number[]): string {
  const inLine = cursors.filter((at) => at >= start && at < start + Math.max(line.length, 1));
  return inLine.reduceRight((text, at) => text.slice(0, at - start) + cursor + text.slice(at - start), line);
}

function drawMark(mark: Mark, starts: readonly number[], cursors: readonly number[]): string {
  const { start, end } = drawnColumns(mark.span, starts, cursors);
  const lines = lineAt(starts, mark.span.end) - lineAt(starts, mark.span.start);
  const sentence = mark.sentence === undefined ? '' : ` "${mark.sentence}"`;
  const said = `${mark.severity} ${mark.code}${sentence}`;
  if (lines > 0) return `#~@${start}-+${lines}:${end} ${said}`;
  if (start < 2 || end === start) return `#~@${start}-${end} ${said}`;
  return `#~${' '.repeat(start - 2)}${'^'.repeat(end - start)} ${said}`;
}

/** Returns the columns of a span in the drawing. A cursor at its start or end is outside the span, so it is not underlined. */
function drawnColumns({ start, end }: Span, starts: readonly number[], cursors: readonly number[]): Span {
  const lineOfStart = starts[lineAt(starts, start)] ?? 0;
  const lineOfEnd = starts[lineAt(starts, end)] ?? 0;
  const before = cursors.filter((at) => at >= lineOfStart && at <= start).length;
  const beforeEnd = cursors.filter(
    (at) => at >= lineOfEnd && (at < end || (end === start && at <= end)),
  ).length;
  return {
    start: start - lineOfStart + before * cursor.length,
    end: end - lineOfEnd + beforeEnd * cursor.length,
  };
}
