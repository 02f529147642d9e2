/** The state of reading a text from before edition 3. */
import type { Report } from '../../diagnostics/diagnostics.ts';
import type { ConfigSurroundings, SqlText } from '../../model/definition.ts';
import type { Name } from '../../sql/ast.ts';
import type { Span } from '../../text/span.ts';
import type { Origin } from '../expression.ts';

/** The text of a query and its context. */
export interface QueryPlace {
  readonly surroundings: ConfigSurroundings;
  readonly source: SqlText;
  /** The index of the text. */
  readonly text: number;
  readonly report: Report;
}

export function originIn({ text }: QueryPlace, span: Span): Origin {
  return { text, span };
}

/** Returns a part of the query as it is written. */
export function quote({ source: { sql } }: QueryPlace, { start, end }: Span): string {
  return sql.text.slice(start, end);
}

/** Returns the span of the whole query, without the line break of a block scalar. */
export function wholeQuery({ source: { sql } }: QueryPlace): Span {
  return { start: 0, end: sql.text.trimEnd().length };
}

/**
 * Reports that a name without quotes is folded to lower case. If the schema is known, names that are wrong because of that are
 * reported anyway.
 */
export function checkCapitals(place: QueryPlace, name: Name | undefined): void {
  if (!name?.folded || place.surroundings.catalog) return;
  place.report('identifier-lowercased', name.span, { name: quote(place, name.span), folded: name.text });
}
