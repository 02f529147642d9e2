/** Drawings for tests of features: the input is a text with a cursor, and the output is a text with brackets around the results. */
import { type Analysis, type AnalyzeInput, analyze } from '../../../server/engine/index.ts';
import type { Span } from '../../../server/engine/text/span.ts';
import { readFixture } from './fixture.ts';

export interface DrawnFile {
  readonly analysis: Analysis;
  readonly text: string;
  /** The offset of the first cursor; 0 without one. */
  readonly offset: number;
}

/** Analyzes the first file of a fixture, and returns the offset of its cursor. */
export function openDrawn(drawing: string, input: AnalyzeInput = {}): DrawnFile {
  const { files, catalog } = readFixture(drawing);
  const [file] = files;
  if (file === undefined) throw new Error('An empty fixture');
  const { text, path, cursors } = file;
  return { analysis: analyze(text, { catalog, fileName: path, ...input }), text, offset: cursors[0] ?? 0 };
}

/** Returns the text with `⟦` and `⟧` around each span. */
export function bracketed(text: string, spans: readonly Span[]): string {
  const marks = spans
    .flatMap(({ start, end }) => [
      { at: start, mark: '⟦' },
      { at: end, mark: '⟧' },
    ])
    .sort((a, b) => b.at - a.at || (a.mark < b.mark ? -1 : 1));
  return marks.reduce((drawn, { at, mark }) => drawn.slice(0, at) + mark + drawn.slice(at), text);
}

/** Removes the indentation of a template literal, and the cursors, for a comparison with {@link bracketed}. */
export function undented(drawing: string): string {
  return readFixture(drawing).files[0]?.text ?? '';
}
