/** Texts with a cursor in, texts with brackets around what was found out: for tests of features. */
import { type Analysis, type AnalyzeInput, analyze } from '../../../server/engine/index.ts';
import type { Span } from '../../../server/engine/text/span.ts';
import { readFixture } from './fixture.ts';

export interface DrawnFile {
  readonly analysis: Analysis;
  readonly text: string;
  /** The offset of the first cursor; 0 without one. */
  readonly offset: number;
}

/** The first file of a fixture, and where its cursor is. */
export function openDrawn(drawing: string, input: AnalyzeInput = {}): DrawnFile {
  const { files, catalog } = readFixture(drawing);
  const [file] = files;
  if (file === undefined) throw new Error('An empty fixture');
  const { text, path, cursors } = file;
  return { analysis: analyze(text, { catalog, fileName: path, ...input }), text, offset: cursors[0] ?? 0 };
}

/** The text with `⟦` and `⟧` around each span. */
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
