/** The SQL texts of a config. */
import { oncePer } from '../../engine/ground/oncePer.ts';
import type { Analysis, Config } from '../../engine/index.ts';
import type { SqlText } from '../../engine/model/definition.ts';
import { textsOf } from '../../engine/model/texts.ts';
import { compareSpans, type Span, shift } from '../../engine/text/span.ts';

export interface PlacedText {
  readonly text: SqlText;
  /** The offset of the part, to which the spans in the text are relative. */
  readonly base: number;
  /** The span of the scalar in the file. */
  readonly span: Span;
}

/** Returns the texts in reading order. */
export const sqlTextsOf = oncePer(({ config }: Analysis): readonly PlacedText[] => {
  if (!config) return [];
  const place = (text: SqlText, base: number) => ({ text, base, span: shift(text.span, base) });
  return [
    ...config.ctes.map(({ cte, part }) => place(cte.query, part.base)),
    ...config.definitions.flatMap(({ definition, part }) =>
      textsOf(definition).map((text) => place(text, part.base)),
    ),
  ].sort((a, b) => compareSpans(a.span, b.span));
});

/** The SQL texts of a run of definitions, without their positions. A run without changes is the same list as before. */
export type TextRun = readonly SqlText[];

export function textRunsOf({ config }: Analysis): readonly TextRun[] {
  if (!config) return [];
  return [config.ctes.map(({ cte }) => cte.query), ...config.runs.map(textsInRun)];
}

const textsInRun = oncePer(
  ({ definitions }: Config['runs'][number]): TextRun =>
    definitions.flatMap(({ definition }) => textsOf(definition)),
);

/** Returns all distinct things that are found in the runs of a file. */
export function onceInFile<T>(
  findInRun: (run: TextRun) => Iterable<T>,
): (analysis: Analysis) => ReadonlySet<T> {
  return oncePer((analysis: Analysis) => {
    const found = new Set<T>();
    for (const run of textRunsOf(analysis)) for (const one of findInRun(run)) found.add(one);
    return found;
  });
}
