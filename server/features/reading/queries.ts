/** The SQL texts of a config with the scalars that contain them, for features that edit SQL. */
import type { Analysis, Part, PlacedDefinition } from '../../engine/index.ts';
import type { SqlText } from '../../engine/model/definition.ts';
import { type Span, shift } from '../../engine/text/span.ts';
import { isInFlow, scalarAt } from '../../engine/yaml/find.ts';
import type { YamlScalar } from '../../engine/yaml/nodes.ts';
import { sqlTextsOf } from './sqlTexts.ts';

export interface WritableSql {
  readonly part: Part;
  readonly text: SqlText;
  readonly scalar: YamlScalar;
  /** Whether the text is in braces or brackets. */
  readonly inFlow: boolean;
}

/** Returns the texts in reading order. */
export function writableTexts(analysis: Analysis): readonly WritableSql[] {
  const parts = new Map(analysis.config?.parts.map((part) => [part.base, part]));
  return sqlTextsOf(analysis).flatMap(({ text, base }) => {
    const part = parts.get(base);
    return part ? writable(part, text) : [];
  });
}

export function writable(part: Part, text: SqlText): WritableSql[] {
  const path = scalarAt(part.reading.root, text.span);
  return path ? [{ part, text, scalar: path.node, inFlow: isInFlow(path) }] : [];
}

/** Returns the span in the file of a span in a text. */
export function inFile({ part, text }: Pick<WritableSql, 'part' | 'text'>, at: Span): Span {
  return shift(text.place(at), part.base);
}

/** Returns the definition that contains a text; undefined for a CTE of the entire file. */
export function ownerOf({ config }: Analysis, { part, text }: WritableSql): PlacedDefinition | undefined {
  return config?.definitions.find(
    ({ part: own, definition: { span } }) =>
      own === part && span.start <= text.span.start && text.span.end <= span.end,
  );
}
