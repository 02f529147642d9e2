/** The SQL texts of a config, with the scalars that hold them. */
import type { Analysis, AnalyzedDefinition, Part } from '../engine/index.ts';
import type { Definition, SqlText } from '../engine/model/definition.ts';
import { type Span, shift } from '../engine/span.ts';
import { isInFlow, scalarAt } from '../engine/yaml/find.ts';
import type { YamlScalar } from '../engine/yaml/nodes.ts';

export interface PlacedSql {
  readonly part: Part;
  readonly text: SqlText;
  readonly scalar: YamlScalar;
  readonly inFlow: boolean;
  /** Absent for the CTEs of the whole file. */
  readonly of?: AnalyzedDefinition;
}

/** In no particular order. */
export function sqlTextsOf({ config }: Analysis): readonly PlacedSql[] {
  if (!config) return [];
  return [
    ...config.ctes.flatMap(({ cte, part }) => place(part, cte.query)),
    ...config.definitions.flatMap((of) => textsOf(of.definition).flatMap((text) => place(of.part, text, of))),
  ];
}

function place(part: Part, text: SqlText, of?: AnalyzedDefinition): PlacedSql[] {
  const path = scalarAt(part.reading.root, text.span);
  return path ? [{ part, text, scalar: path.node, inFlow: isInFlow(path), ...(of && { of }) }] : [];
}

export function textsOf(definition: Definition): readonly SqlText[] {
  switch (definition.kind) {
    case 'stream':
      return [...definition.ctes.map(({ query }) => query), ...definition.queries];
    case 'bucket-definition':
      return [...(definition.parameters ?? []), ...definition.data];
    case 'event':
      return definition.payloads;
  }
}

/** Where a span of a text lies in the file. */
export function inFile({ part, text }: Pick<PlacedSql, 'part' | 'text'>, at: Span): Span {
  return shift(text.place(at), part.base);
}

/** The text that stands at a place of the file. */
export function sqlAt(analysis: Analysis, offset: number): PlacedSql | undefined {
  return sqlTextsOf(analysis).find(({ part, text }) => {
    const { start, end } = shift(text.span, part.base);
    return start <= offset && offset <= end;
  });
}
