/** The SQL of a config, text by text. */
import type { Analysis } from '../../engine/index.ts';
import type { Definition, SqlText } from '../../engine/model/definition.ts';
import { compareSpans, type Span, shift } from '../../engine/text/span.ts';

export interface PlacedText {
  readonly text: SqlText;
  /** Places of the text count from here. */
  readonly base: number;
  /** The scalar, in the file. */
  readonly span: Span;
}

/** In reading order. */
export function sqlTextsOf({ config }: Analysis): readonly PlacedText[] {
  if (!config) return [];
  const place = (text: SqlText, base: number) => ({ text, base, span: shift(text.span, base) });
  return [
    ...config.ctes.map(({ cte, part }) => place(cte.query, part.base)),
    ...config.definitions.flatMap(({ definition, part }) =>
      textsOf(definition).map((text) => place(text, part.base)),
    ),
  ].sort((a, b) => compareSpans(a.span, b.span));
}

function textsOf(definition: Definition): readonly SqlText[] {
  const ctes = definition.kind === 'stream' ? definition.ctes : [];
  return [...ctes.map(({ query }) => query), ...queriesOf(definition)];
}

/** Without CTEs. */
export function queriesOf(definition: Definition): readonly SqlText[] {
  switch (definition.kind) {
    case 'stream':
      return definition.queries;
    case 'bucket-definition':
      return [...(definition.parameters ?? []), ...definition.data];
    case 'event':
      return definition.payloads;
  }
}
